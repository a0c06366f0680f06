import type { PublicKey } from '@solana/web3.js';
import { PROGRAM_ERRORS, type ProgramErrorCode, type ProgramErrorName } from './generated/errors.js';
import {
  PROGRAM_ERRORS as GRADUATION_ERRORS,
  type ProgramErrorCode as GraduationErrorCode,
  type ProgramErrorName as GraduationErrorName,
} from './generated/graduation/errors.js';

/** The base class of every error that this package throws. */
export class CurvekitError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CurvekitError';
  }
}

/** An argument that no instruction, quote or account can carry. The SDK throws it before it sends anything. */
export class InvalidArgumentError extends CurvekitError {
  constructor(
    /** Name of the argument, with its path when it is nested: `firstBuy.solToSpend`. */
    readonly argument: string,
    problem: string,
  ) {
    super(`${argument} ${problem}`);
    this.name = 'InvalidArgumentError';
  }
}

/** An account that exists but has an unexpected owner, discriminator or length. */
export class UnexpectedAccountError extends CurvekitError {
  constructor(
    readonly address: PublicKey,
    problem: string,
  ) {
    super(`account ${address.toBase58()} ${problem}`);
    this.name = 'UnexpectedAccountError';
  }
}

/** Bytes that end before their layout does. */
export class DecodeError extends CurvekitError {
  constructor(message: string) {
    super(message);
    this.name = 'DecodeError';
  }
}

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
    this.name = 'TransactionError';
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
  declare readonly name: ProgramErrorName;
  readonly code: ProgramErrorCode;
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

/** One of the graduation program's own errors. `name` and `code` are literal types. */
export class GraduationError extends TransactionError {
  declare readonly name: GraduationErrorName;
  readonly code: GraduationErrorCode;

  constructor(code: GraduationErrorCode, details: FailureDetails = {}) {
    const { name, message } = GRADUATION_ERRORS[code];
    super(name, `${name} (${code}): ${message}`, details);
    Object.defineProperty(this, 'name', { value: name, configurable: true, writable: true });
    this.code = code;
  }
}

/** An error of the Anchor framework, from the program's account and argument checks. */
export class FrameworkError extends TransactionError {
  constructor(
    readonly code: number,
    /** Anchor's name of the error, such as `ConstraintSeeds`. */
    readonly errorName: string,
    details: FailureDetails = {},
  ) {
    super(errorName, `Anchor ${errorName} (${code})`, details);
    this.name = 'FrameworkError';
  }
}

/** Common errors of other programs, by program and code. */
const MEANINGS: Readonly<Record<string, string>> = {
  '11111111111111111111111111111111 1': ': the wallet has too little SOL',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA 1': ': the account has too few tokens',
};

/** An error of another program (the Token program, the System program), or of the runtime. */
export class InstructionError extends TransactionError {
  constructor(
    /** The program that failed. Undefined when neither logs nor instructions show it. */
    readonly programId: string | undefined,
    /** Its custom error code; undefined for an error of the runtime. */
    readonly code: number | undefined,
    /**
     * The runtime's name of the error: `Custom`, `InsufficientFunds`, `ComputationalBudgetExceeded`, ...; for an AMM
     * error, the AMM's name.
     */
    reason: string,
    details: FailureDetails = {},
  ) {
    const what = code === undefined ? reason : `error ${code} (0x${code.toString(16)})`;
    const meaning = MEANINGS[`${programId} ${code}`] ?? '';
    super(reason, `${what} in program ${programId ?? '(unknown)'}${meaning}`, details);
    this.name = 'InstructionError';
  }
}

/** The blockhash of a transaction expired before the transaction landed. It will never land. */
export class TransactionExpiredError extends TransactionError {
  constructor(
    signature: string,
    lastValidBlockHeight: number,
    /** The error of the last send, if it failed. */
    cause?: unknown,
  ) {
    super(
      'Expired',
      `transaction ${signature} did not land by block height ${lastValidBlockHeight}; sign it again with a new blockhash`,
      { signature, cause },
    );
    this.name = 'TransactionExpiredError';
  }
}

/**
 * The RPC node does not say what happened to a transaction: it may have landed, or may still land. If the caller signs
 * a new transaction instead, both may take effect.
 */
export class OutcomeUnknownError extends CurvekitError {
  constructor(
    readonly signature: string,
    problem: string,
    cause?: unknown,
  ) {
    super(
      `transaction ${signature} may have landed: ${problem}; send the same signed transaction again, which can not land twice, or look its signature up, before you sign another`,
      cause === undefined ? {} : { cause },
    );
    this.name = 'OutcomeUnknownError';
  }
}

/** A transaction whose record exists on chain, but is missing from the RPC node's answer. */
export class IncompleteTransactionError extends CurvekitError {
  constructor(
    readonly signature: string,
    problem: string,
  ) {
    super(`transaction ${signature}: ${problem}`);
    this.name = 'IncompleteTransactionError';
  }
}

/** A transaction that the RPC node or this SDK cannot read, because of a newer version or an unknown structure. */
export class UnreadableTransactionError extends CurvekitError {
  constructor(
    readonly signature: string,
    /** Version of the transaction's message. Undefined when unknown. */
    readonly version: number | undefined,
    /** The node's answer, in a few words. */
    readonly reason: string,
  ) {
    const kind = version === undefined ? '' : ` of version ${version}`;
    super(
      `transaction ${signature}${kind} cannot be read: ${reason}; ask an RPC node of a newer release, or update this SDK`,
    );
    this.name = 'UnreadableTransactionError';
  }
}

/** Consecutive records that do not match: at least one record between them is missing or out of order. */
export class RecordGapError extends CurvekitError {
  constructor(
    /** Address of the token whose records have the gap. */
    readonly mint: string,
    problem: string,
  ) {
    super(`records of ${mint}: ${problem}`);
    this.name = 'RecordGapError';
  }
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
