import type { PublicKey } from '@solana/web3.js';
import { PROGRAM_ERRORS, type ProgramErrorCode, type ProgramErrorName } from './generated/errors.js';
import {
  PROGRAM_ERRORS as GRADUATION_ERRORS,
  type ProgramErrorCode as GraduationErrorCode,
  type ProgramErrorName as GraduationErrorName,
} from './generated/graduation/errors.js';

/** The base of every error this package throws. */
export class CurvekitError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CurvekitError';
  }
}

/** An argument that no instruction, quote or account can carry. Thrown before anything is sent. */
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

/** An account that exists but is not what its address promises: wrong owner, discriminator or length. */
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

/** The instruction of a transaction that failed. */
export interface FailedInstruction {
  /** Position in the transaction, from 0. */
  readonly index: number;
  /** Name in this program, such as `buyToken`; undefined when the instruction is another program's or its data is not known. */
  readonly name?: string | undefined;
}

/** What is known about a failure on chain, or in its simulation. */
export interface FailureDetails {
  readonly instruction?: FailedInstruction | undefined;
  readonly logs?: readonly string[] | undefined;
  readonly signature?: string | undefined;
  readonly cause?: unknown;
}

/** A transaction that the cluster refused, in simulation or for real. Nothing it asked for has happened. */
export class TransactionError extends CurvekitError {
  readonly instruction: FailedInstruction | undefined;
  readonly logs: readonly string[] | undefined;
  readonly signature: string | undefined;

  constructor(
    /** The name of the cause: the runtime's (`BlockhashNotFound`, `InsufficientFunds`), or the error's name. */
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
 * Quotes throw it as well, for a trade that the program would refuse; `argument` then names the cause.
 */
export class ProgramError extends TransactionError {
  declare readonly name: ProgramErrorName;
  readonly code: ProgramErrorCode;
  /** The argument at fault, when the SDK itself refused before anything was sent. */
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
 * `TradingClosed`, with where the token trades instead: a quote or a trade on a curve that has graduated.
 *
 * `fetchMarket` reads the market that is live, and quotes and trades take it as they take a curve.
 */
export class TradingMovedError extends ProgramError {
  constructor(
    /** `graduating`: the pool is not open yet. `unknown`: the operator has migrated the curve to a market of their choice. */
    readonly venue: 'graduating' | 'pool' | 'unknown',
    /** Address of the pool, open or still to be opened; undefined where only the operator knows it. */
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

/** An error of the Anchor framework, raised by the program's account and argument checks. */
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

/** Errors of other programs that traders meet, by program and code. */
const MEANINGS: Readonly<Record<string, string>> = {
  '11111111111111111111111111111111 1': ': the wallet has too little SOL',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA 1': ': the account has too few tokens',
};

/** An error of another program (a token program's, the System program's), or of the runtime. */
export class InstructionError extends TransactionError {
  constructor(
    /** The program that failed; undefined when neither logs nor instructions tell. */
    readonly programId: string | undefined,
    /** Its custom error code; undefined for an error of the runtime. */
    readonly code: number | undefined,
    /** The runtime's name of it: `Custom`, `InsufficientFunds`, `ComputationalBudgetExceeded`, ...; the AMM's name of its own. */
    reason: string,
    details: FailureDetails = {},
  ) {
    const what = code === undefined ? reason : `error ${code} (0x${code.toString(16)})`;
    const meaning = MEANINGS[`${programId} ${code}`] ?? '';
    super(reason, `${what} in program ${programId ?? '(unknown)'}${meaning}`, details);
    this.name = 'InstructionError';
  }
}

/** The blockhash of a transaction expired before it landed; it never will. */
export class TransactionExpiredError extends TransactionError {
  constructor(
    signature: string,
    lastValidBlockHeight: number,
    /** Why the last sending failed, when it did. */
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
 * The RPC node does not tell what became of a transaction: it may have landed, or still land. A caller that signs
 * a new one instead may do twice what was meant once.
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

/** A transaction whose record exists on chain, but not in what the RPC node told about it. */
export class IncompleteTransactionError extends CurvekitError {
  constructor(
    readonly signature: string,
    problem: string,
  ) {
    super(`transaction ${signature}: ${problem}`);
    this.name = 'IncompleteTransactionError';
  }
}

/** A transaction that the RPC node or this SDK cannot read: of a newer version, or of a structure that is not known. */
export class UnreadableTransactionError extends CurvekitError {
  constructor(
    readonly signature: string,
    /** Of the transaction's message; undefined when it is not known. */
    readonly version: number | undefined,
    /** What the node answered, in a few words. */
    readonly reason: string,
  ) {
    const kind = version === undefined ? '' : ` of version ${version}`;
    super(
      `transaction ${signature}${kind} cannot be read: ${reason}; ask an RPC node of a newer release, or update this SDK`,
    );
    this.name = 'UnreadableTransactionError';
  }
}

/** Records that do not follow from each other: at least one between them is missing, or out of order. */
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

/** Whether an error is the program's error of that name. */
export function isProgramError(error: unknown, name: ProgramErrorName): error is ProgramError {
  return error instanceof ProgramError && error.name === name;
}

function describe(message: string, instruction: FailedInstruction | undefined): string {
  if (instruction === undefined) return message;
  const name = instruction.name === undefined ? '' : ` (${instruction.name})`;
  return `instruction ${instruction.index}${name} failed: ${message}`;
}
