/** The second run of files that failed while other suites kept the machine busy. */
import type { Counts, FailedFile } from './counts.js';

/** What became of a suite. */
export interface Outcome extends Counts {
  readonly suite: string;
  readonly seconds: number;
  /** Of the first run, where the system tells it. */
  readonly cpuSeconds?: number;
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
