/** How many tests a runner says passed and failed. */

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

const PATTERNS = {
  mocha: { passed: /^\s*(\d+) passing\b/gm, failed: /^\s*(\d+) failing\b/gm },
  cargo: { passed: /^test result: .* (\d+) passed;/gm, failed: /^test result: .* (\d+) failed;/gm },
} as const;

/** Sums what the runner's closing lines say in its output. */
export function countTests(reporter: keyof typeof PATTERNS, output: string): Counts {
  const { passed, failed } = PATTERNS[reporter];
  // eslint-disable-next-line no-control-regex -- runners colour their closing lines
  const plain = output.replace(/\u001b\[[0-9;]*m/g, '');
  return { passed: sum(plain, passed), failed: sum(plain, failed) };
}

function sum(output: string, pattern: RegExp): number {
  return [...output.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);
}
