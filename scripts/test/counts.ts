/** Parses a test runner's output: how many tests passed and failed, and the failures. */

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

const PATTERNS = {
  mocha: { passed: /^\s*(\d+) passing\b/gm, failed: /^\s*(\d+) failing\b/gm },
  cargo: { passed: /^test result: .* (\d+) passed;/gm, failed: /^test result: .* (\d+) failed;/gm },
} as const;

/** Adds up the counts in the summary lines of the output. */
export function countTests(reporter: keyof typeof PATTERNS, output: string): Counts {
  const { passed, failed } = PATTERNS[reporter];
  const plain = withoutColour(output);
  return { passed: sum(plain, passed), failed: sum(plain, failed) };
}

/** What `reporter.cjs` says of a file in which a test failed. */
export interface FailedFile extends Counts {
  readonly path: string;
}

/** The files of a mocha suite in which a test failed. A failure in a hook outside of every file is not among them. */
export function failedFiles(output: string): FailedFile[] {
  return [...withoutColour(output).matchAll(/^failed in (\S+): (\d+) passed, (\d+) failed$/gm)].map(
    ([, path, passed, failed]) => ({ path: path!, passed: Number(passed), failed: Number(failed) }),
  );
}

/**
 * The part of a failed suite's output that names the failures: the list at the end of mocha's or cargo's output, or
 * else the last lines. At most `mostLines` lines of at most 200 characters.
 */
export function failuresIn(output: string, mostLines = 40): string[] {
  const lines = withoutColour(output)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const list = lines.findIndex((line) => /^\s*\d+ failing\b|^failures:$/.test(line));
  const shown = list === -1 ? lines.slice(-mostLines) : lines.slice(list, list + mostLines);
  return shown.map((line) => line.slice(0, 200));
}

function withoutColour(output: string): string {
  // oxlint-disable-next-line no-control-regex -- runners colour their summary lines
  return output.replace(/\u001b\[[0-9;]*m/g, '');
}

function sum(output: string, pattern: RegExp): number {
  return [...output.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);
}
