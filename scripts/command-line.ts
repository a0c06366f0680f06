// Shared by the repository's commands: errors that name a wrong option, and exit codes.
import { CurvekitError } from '@curvekit/sdk';

/** A wrong command line. The message names the option and the allowed values. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An expected failure, explained by its message. Not a bug. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** @throws UsageError unless the text is a whole number from `min` to `max` */
export function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`${option} is '${text}'; it must be a whole number from ${min} to ${max}`);
}

/** @throws UsageError unless the text names a cluster that `startLocalCluster` accepts */
export function clusterName(text: string): string {
  if (text === 'surfpool' || text === 'validator' || /^https?:\/\//.test(text)) return text;
  throw new UsageError(`--cluster is '${text}'; it must be surfpool, validator or an http(s) URL`);
}

/** Runs a command. Exit code 2 and its help for a usage error, 1 for any other failure. */
export function runCommand(help: string, command: () => Promise<void> | void): void {
  Promise.resolve()
    .then(command)
    .catch((error: unknown) => {
      if (error instanceof UsageError || isParseError(error)) {
        console.error(`${error.message}\n\n${help}`);
        process.exitCode = 2;
        return;
      }
      console.error(explanationOf(error) ?? error);
      process.exitCode = 1;
    });
}

/** One line for an expected failure. Undefined for a possible bug, whose stack trace is needed. */
function explanationOf(error: unknown): string | undefined {
  if (error instanceof CurvekitError || error instanceof CommandError) return `failed: ${error.message}`;
  // The error that `fetch` throws when no server answers.
  const isNetworkFailure = error instanceof TypeError && error.message === 'fetch failed';
  return isNetworkFailure ? `failed: the cluster does not answer (${String(error.cause)})` : undefined;
}

/** Whether `parseArgs` of node:util threw the error. */
function isParseError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
