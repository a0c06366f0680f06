// The errors of arguments and quotes. A page that only quotes loads no others.
import { CurvekitError } from './base.js';
import type { PublicKey } from '../chain/types.js';
import { PROGRAM_ERRORS, type ProgramErrorCode, type ProgramErrorName } from '../generated/errors.js';

export { CurvekitError, InvalidArgumentError } from './base.js';

/** The failed instruction of a transaction. */
export interface FailedInstruction {
  /** Position in the transaction, from 0. */
  readonly index: number;
  /** Name in this program, such as `buyToken`. Undefined for another program's instruction or unknown data. */
  readonly name?: string | undefined;
}

/** Details of a failure on chain or in a simulation. */
export interface FailureDetails {
  readonly instruction?: FailedInstruction | undefined;
  readonly logs?: readonly string[] | undefined;
  readonly signature?: string | undefined;
  readonly cause?: unknown;
}

/** A transaction that failed, in simulation or on chain. None of its instructions took effect. */
export class TransactionError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'TransactionError';
  readonly instruction: FailedInstruction | undefined;
  readonly logs: readonly string[] | undefined;
  readonly signature: string | undefined;

  constructor(
    /** The name of the cause: the runtime's (`BlockhashNotFound`, `InsufficientFunds`) or the error's name. */
    readonly reason: string,
    message: string,
    details: FailureDetails = {},
  ) {
    super(
      describe(message, details.instruction),
      details.cause === undefined ? {} : { cause: details.cause },
    );
    this.instruction = details.instruction;
    this.logs = details.logs;
    this.signature = details.signature;
  }
}

/**
 * One of the program's own errors, 6000 to 6005. `name` and `code` are literal types: `error.name === 'SlippageError'`.
 *
 * Quotes also throw it, for a trade that the program would refuse. Then `argument` names the cause.
 */
export class ProgramError extends TransactionError {
  static override readonly '@curvekit/sdk/class': string = 'ProgramError';
  declare readonly name: ProgramErrorName;
  override readonly code: ProgramErrorCode;
  /** The argument at fault, when the SDK refused before it sent anything. */
  readonly argument: string | undefined;

  constructor(
    code: ProgramErrorCode,
    details: FailureDetails & { argument?: string; explanation?: string } = {},
  ) {
    const { name, message } = PROGRAM_ERRORS[code];
    super(name, `${name} (${code}): ${details.explanation ?? message}`, details);
    Object.defineProperty(this, 'name', { value: name, configurable: true, writable: true });
    this.code = code;
    this.argument = details.argument;
  }
}

/**
 * `TradingClosed` for a quote or trade on a curve that has graduated. It says where the token trades now.
 *
 * `fetchMarket` reads the live market, and quotes and trades accept it like a curve.
 */
export class TradingMovedError extends ProgramError {
  static override readonly '@curvekit/sdk/class': string = 'TradingMovedError';
  constructor(
    /**
     * `graduating`: the pool is not open yet. `unknown`: the operator migrated the curve to a market of their choice.
     */
    readonly venue: 'graduating' | 'pool' | 'unknown',
    /** Address of the pool, also before it is opened. Undefined when only the operator knows it. */
    readonly poolAddress: PublicKey | undefined,
  ) {
    super(6001, { argument: 'initialized', explanation: whereTradingMoved(venue, poolAddress?.toBase58()) });
  }
}

function whereTradingMoved(venue: TradingMovedError['venue'], pool: string | undefined): string {
  if (venue === 'unknown') {
    return 'the curve has been migrated; fetchMarket tells whether the token trades in a pool of this launchpad';
  }
  if (venue === 'pool') return `the token trades in its pool ${pool}; quote what fetchMarket returns`;
  return pool === undefined
    ? 'the curve has graduated; the token trades again when the operator has opened its pool'
    : `the curve has graduated; the token trades in pool ${pool} as soon as somebody sends graduate, which anyone may`;
}

/** Whether an error is the program's error with this name. */
export function isProgramError(error: unknown, name: ProgramErrorName): error is ProgramError {
  return error instanceof ProgramError && error.name === name;
}

function describe(message: string, instruction: FailedInstruction | undefined): string {
  if (instruction === undefined) return message;
  const name = instruction.name === undefined ? '' : ` (${instruction.name})`;
  return `instruction ${instruction.index}${name} failed: ${message}`;
}
