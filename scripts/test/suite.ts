/** What a suite of `npm test` is. */
import { IDL_BUILD_ENVIRONMENT } from '../program/toolchain.js';
import type { Requirement } from './requirements.js';

export interface Suite {
  readonly name: string;
  /** What it tests, for `--help`. */
  readonly about: string;
  /** Seconds that it usually takes on two cores, beside other suites. */
  readonly usually: number;
  /** Only `--all` runs it. */
  readonly isLong?: boolean;
  /** Another suite has its tests on this machine. */
  readonly isLeftOut?: boolean;
  /** What it could not test on this machine, and how to get that. Undefined if nothing. */
  readonly missing?: () => string | undefined;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The runner whose output has the counts. A check has only an exit code. */
  readonly reporter: 'cargo' | 'mocha' | 'check';
  /** Programs that must be on PATH. */
  readonly needs?: readonly Requirement[];
  /** No other suite runs at the same time, because it uses all cores or must not be delayed. */
  readonly alone?: boolean;
  /** The `alone` suite before it, with which it runs all the same, because neither uses more than a core. Takes no longer than that one. */
  readonly beside?: string;
  /** It gets only the time that others leave. */
  readonly yields?: boolean;
  /** It mostly waits for a validator's slots. One such suite runs at a time, beside others. */
  readonly waits?: boolean;
  /** It sends many transactions to Surfpool. */
  readonly usesSurfpool?: boolean;
}

/** clippy is the compiler of our own crates. `cargo clippy` would compile all their dependencies apart from the tests'. */
export const CLIPPY_WHILE_BUILDING = {
  RUSTC_WORKSPACE_WRAPPER: 'clippy-driver',
  CLIPPY_ARGS: '-Dwarnings__CLIPPY_HACKERY__',
};
export const LINTED_BUILD = { ...IDL_BUILD_ENVIRONMENT, ...CLIPPY_WHILE_BUILDING };

/** How mocha runs files. */
export const MOCHA = ['--forbid-only', '--forbid-pending', '--reporter', 'scripts/test/reporter.cjs'];

export function mocha(...files: string[]): Pick<Suite, 'command' | 'args' | 'reporter'> {
  return { command: 'mocha', args: [...MOCHA, ...files], reporter: 'mocha' };
}

export function check(command: string, ...args: string[]): Pick<Suite, 'command' | 'args' | 'reporter'> {
  return { command, args, reporter: 'check' };
}
