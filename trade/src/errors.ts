// Errors and their exit codes.
import {
  CurvekitError,
  IncompleteTransactionError,
  InvalidArgumentError,
  OutcomeUnknownError,
} from '@curvekit/sdk';
import { ClaimUnknownError } from '@curvekit/sdk/rewards';

export const EXIT = { done: 0, failed: 1, usage: 2, unknown: 3, stopped: 130 } as const;

export const EXIT_CODES = `
Exit codes:
  0    done
  1    refused or failed: nothing was traded, launched or paid (claim: at least one failed; without MINT, rewards
       that cannot be paid yet are only named)
  2    an argument is wrong: nothing was sent
  3    the outcome is unknown: look the signature up before you try again
  130  stopped by Ctrl-C before anything was sent`;

/** An invalid argument of the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    /** The argument as typed, for example `--sol`. */
    readonly argument: string,
    problem: string,
  ) {
    super(`${argument} ${problem}`);
  }
}

/** A command cannot continue. The message says why and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export function exitCodeOf(error: unknown, stopped: AbortSignal): number {
  if (error instanceof UsageError || error instanceof InvalidArgumentError) return EXIT.usage;
  const isUnknown = [OutcomeUnknownError, IncompleteTransactionError, ClaimUnknownError].some(
    (kind) => error instanceof kind,
  );
  if (isUnknown) return EXIT.unknown;
  return stopped.aborted && error === stopped.reason ? EXIT.stopped : EXIT.failed;
}

/** @param rpcHost host of the RPC node, undefined before it is known */
export function messageOf(error: unknown, rpcHost: string | undefined): string {
  if (!(error instanceof Error)) return String(error);
  if ([UsageError, CommandError, CurvekitError].some((kind) => error instanceof kind)) return error.message;
  if (rpcHost !== undefined && /fetch failed|ECONN|ENOTFOUND|socket/i.test(error.message)) {
    return `the RPC node ${rpcHost} cannot be reached (${error.message}); check --rpc-url and your network`;
  }
  return error.message;
}

export function errorDocument(error: unknown, message: string): object {
  const { name, argument, signature, code } = Object(error) as Record<string, unknown>;
  return {
    error: {
      name: typeof name === 'string' ? name : 'Error',
      ...(error instanceof CurvekitError && code !== undefined && { code }),
      message,
      ...(typeof argument === 'string' && { argument }),
      ...(typeof signature === 'string' && { signature }),
    },
  };
}
