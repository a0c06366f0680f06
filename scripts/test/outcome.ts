/** What a suite's output says, and the second run of files that failed while other suites kept the machine busy. */

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

export interface Outcome extends Counts {
  readonly suite: string;
  readonly seconds: number;
  /** Seconds of CPU time; undefined where the system does not tell. */
  readonly cpu?: number;
  /** Missing programs and where to get them, because of which the suite failed or was left out. */
  readonly needs?: readonly string[];
  /** What the suite could not test on this machine. */
  readonly missing?: string;
  readonly leftOut?: boolean;
  /** The failures of the suite, printed again at the end after all output. */
  readonly failures?: readonly string[];
  /** Files in which a test failed. */
  readonly files?: readonly FailedFile[];
  /** Those that have passed since, with nothing beside them. */
  readonly again?: readonly string[];
}

/** More failures than this are no matter of a busy machine. */
export const MOST_FILES_AGAIN = 5;

/**
 * A failure beside other suites may be a matter of time, so its files run once more, by themselves. What they say then counts: a
 * test that fails again has failed. A failure that belongs to no file, or a suite that ended before its end, is not tried again.
 *
 * @param run runs these files as the suite does
 */
export async function again(
  first: Outcome,
  run: (files: readonly string[]) => Promise<Outcome>,
): Promise<Outcome> {
  const { files = [], failures = [] } = first;
  const sum = (of: keyof Counts): number => files.reduce((total, file) => total + file[of], 0);
  if (files.length === 0 || files.length > MOST_FILES_AGAIN || first.failed !== sum('failed')) return first;
  const paths = files.map(({ path }) => path);
  const second = await run(paths);
  const counts = { passed: first.passed - sum('passed') + second.passed, failed: second.failed };
  const seconds = first.seconds + second.seconds;
  if (second.failed > 0) return { ...first, ...counts, seconds, failures: second.failures ?? failures };
  return { ...first, ...counts, seconds, again: paths };
}
