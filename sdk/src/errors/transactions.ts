// The errors of transactions and accounts: what a chain or a node answered.
import type { PublicKey } from '../chain/types.js';
import {
  PROGRAM_ERRORS as GRADUATION_ERRORS,
  type ProgramErrorCode as GraduationErrorCode,
  type ProgramErrorName as GraduationErrorName,
} from '../generated/graduation/errors.js';
import { CurvekitError, TransactionError, type FailureDetails } from './quotes.js';

/** An account that exists but has an unexpected owner, discriminator or length. */
export class UnexpectedAccountError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'UnexpectedAccountError';
  constructor(
    readonly address: PublicKey,
    problem: string,
  ) {
    super(`account ${address.toBase58()} ${problem}`);
  }
}

/** Bytes that end before their layout does. */
export class DecodeError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'DecodeError';
  constructor(message: string) {
    super(message);
  }
}

/** One of the graduation program's own errors. `name` and `code` are literal types. */
export class GraduationError extends TransactionError {
  static override readonly '@curvekit/sdk/class': string = 'GraduationError';
  declare readonly name: GraduationErrorName;
  override readonly code: GraduationErrorCode;

  constructor(code: GraduationErrorCode, details: FailureDetails = {}) {
    const { name, message } = GRADUATION_ERRORS[code];
    super(name, `${name} (${code}): ${message}`, details);
    Object.defineProperty(this, 'name', { value: name, configurable: true, writable: true });
    this.code = code;
  }
}

/** An error of the Anchor framework, from the program's account and argument checks. */
export class FrameworkError extends TransactionError {
  static override readonly '@curvekit/sdk/class': string = 'FrameworkError';
  constructor(
    override readonly code: number,
    /** Anchor's name of the error, such as `ConstraintSeeds`. */
    readonly errorName: string,
    details: FailureDetails = {},
  ) {
    super(errorName, `Anchor ${errorName} (${code})`, details);
  }
}

/** Common errors of other programs, by program and code. */
const MEANINGS: Readonly<Record<string, string>> = {
  '11111111111111111111111111111111 1': ': the wallet has too little SOL',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA 1': ': the account has too few tokens',
};

/** An error of another program (the Token program, the System program), or of the runtime. */
export class InstructionError extends TransactionError {
  static override readonly '@curvekit/sdk/class': string = 'InstructionError';
  constructor(
    /** The program that failed. Undefined when neither logs nor instructions show it. */
    readonly programId: string | undefined,
    /** Its custom error code; undefined for an error of the runtime. */
    override readonly code: number | undefined,
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
  }
}

/** The blockhash of a transaction expired, or its nonce advanced, before the transaction landed. It will never land. */
export class TransactionExpiredError extends TransactionError {
  static override readonly '@curvekit/sdk/class': string = 'TransactionExpiredError';
  constructor(
    signature: string,
    lastValidBlockHeight: number,
    /** The error of the last send, if it failed. */
    cause?: unknown,
  ) {
    super(
      'Expired',
      `transaction ${signature} did not land ${lastValidBlockHeight === Number.MAX_SAFE_INTEGER ? 'before its nonce advanced; sign it again with the new nonce' : `by block height ${lastValidBlockHeight}; sign it again with a new blockhash`}`,
      { signature, cause },
    );
  }
}

/**
 * The RPC node does not say what happened to a transaction: it may have landed, or may still land. If the caller signs
 * a new transaction instead, both may take effect.
 */
export class OutcomeUnknownError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'OutcomeUnknownError';
  constructor(
    readonly signature: string,
    problem: string,
    cause?: unknown,
  ) {
    const first = signature.startsWith('(')
      ? 'look at the wallet’s own list of transactions'
      : 'send the same signed transaction again, which can not land twice, or look its signature up,';
    super(
      `transaction ${signature} may have landed: ${problem}; ${first} before you sign another`,
      cause === undefined ? {} : { cause },
    );
  }
}

/** A transaction whose record exists on chain, but is missing from the RPC node's answer. */
export class IncompleteTransactionError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'IncompleteTransactionError';
  constructor(
    readonly signature: string,
    problem: string,
  ) {
    super(`transaction ${signature}: ${problem}`);
  }
}

/** A transaction that the RPC node or this SDK cannot read, because of a newer version or an unknown structure. */
export class UnreadableTransactionError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'UnreadableTransactionError';
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
  }
}

/** Consecutive records that do not match: at least one record between them is missing or out of order. */
export class RecordGapError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'RecordGapError';
  constructor(
    /** Address of the token whose records have the gap. */
    readonly mint: string,
    problem: string,
  ) {
    super(`records of ${mint}: ${problem}`);
  }
}
