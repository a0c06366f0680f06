// A Solana virtual machine in this process: the runtime without a validator, so that a transaction takes a fraction of
// a millisecond.
import { compile, type Call, type Key } from './call.js';
import { loadLiteSvm, type LiteSvm } from './litesvm.js';

export interface Program {
  readonly key: Key;
  readonly binary: Uint8Array;
}

export interface StoredAccount {
  readonly lamports: bigint;
  readonly owner: Uint8Array;
  readonly data: Uint8Array;
  readonly executable?: boolean;
}

/** The result of a transaction, except its accounts. */
export interface Outcome {
  /** The error and its program, or undefined on success. */
  readonly error: string | undefined;
  /** Every CPI in order: depth, program, accounts and data. */
  readonly calls: readonly string[];
  /** Data that programs logged with `sol_log_data`. */
  readonly logged: readonly string[];
  /** The error that Anchor's clients read from the log: the last one. */
  readonly explained: Explanation | undefined;
}

/** An error as Anchor logs it. */
export interface Explanation {
  /** The account with the error, if the line names one. */
  readonly account: string | undefined;
  /** Code, number and message. */
  readonly error: string;
}

/** The highest limit of a transaction, because the two builds use different amounts of compute units. */
const UNITS = 1_400_000n;

const litesvm = loadLiteSvm();

/** Errors without fields that can occur before any program runs, by number. */
const TRANSACTION_ERRORS: ReadonlyMap<number, string> = new Map([
  [2, 'AccountNotFound'],
  [3, 'ProgramAccountNotFound'],
  [4, 'InsufficientFundsForFee'],
  [5, 'InvalidAccountForFee'],
  [12, 'InvalidProgramForExecution'],
  [13, 'SanitizeFailure'],
  [21, 'TooManyAccountLocks'],
]);

export class Svm {
  readonly #svm: LiteSvm = new litesvm.LiteSvm();

  constructor(programs: readonly Program[]) {
    this.#svm.setSigverify(false);
    this.#svm.setBlockhashCheck(false);
    this.#svm.setTransactionHistory(0n);
    this.#svm.setLogBytesLimit();
    const budget = new litesvm.ComputeBudget();
    budget.computeUnitLimit = UNITS;
    this.#svm.setComputeBudget(budget);
    for (const { key, binary } of programs) this.#svm.addProgram(key.bytes, binary);
  }

  account(key: Key): StoredAccount | undefined {
    const account = this.#svm.getAccount(key.bytes);
    if (account === null) return undefined;
    return {
      lamports: account.lamports(),
      owner: account.owner(),
      data: account.data(),
      executable: account.executable(),
    };
  }

  /** 0 where there is no account. */
  lamports(key: Key): bigint {
    return this.#svm.getBalance(key.bytes) ?? 0n;
  }

  setAccount(key: Key, { lamports, owner, data, executable = false }: StoredAccount): void {
    this.#svm.setAccount(key.bytes, new litesvm.Account(lamports, data, owner, executable, 0n));
  }

  /** Sets the rent exemption per byte: lamports multiplied by the threshold. */
  setRent(lamportsPerByte: bigint, threshold: number): void {
    this.#svm.setRent(new litesvm.Rent(lamportsPerByte, threshold, 50));
  }

  /** @param unixTimestamp seconds */
  setTime(unixTimestamp: bigint): void {
    const clock = this.#svm.getClock();
    clock.unixTimestamp = unixTimestamp;
    this.#svm.setClock(clock);
  }

  /** Keeps no logs, which makes transactions faster. Errors then do not name their program. */
  keepNoLogs(): void {
    this.#svm.setLogBytesLimit(0n);
  }

  /**
   * Sends a transaction in wire format, and looks at nothing but its error.
   *
   * @returns the number of a program's own error, the name of any other, or undefined on success
   */
  run(transaction: Uint8Array): string | undefined {
    const result = this.#svm.sendLegacyTransaction(transaction);
    return result instanceof litesvm.FailedTransactionMetadata ? nameOf(result.err(), []) : undefined;
  }

  send(calls: readonly Call[], feePayer: Key): Outcome {
    return this.observe(compile(calls, feePayer));
  }

  observe(transaction: Uint8Array): Outcome {
    const result = this.#svm.sendLegacyTransaction(transaction);
    const failed = result instanceof litesvm.FailedTransactionMetadata;
    const metadata = failed ? result.meta() : result;
    const logs = metadata.logs();
    return {
      error: failed ? nameOf(result.err(), logs) : undefined,
      calls: metadata.innerInstructions().flatMap((calls) =>
        calls.map((inner) => {
          const call = inner.instruction();
          const accounts = Array.from(call.accounts()).join(',');
          return `${inner.stackHeight()} ${call.programIdIndex()} [${accounts}] ${hex(call.data())}`;
        }),
      ),
      explained: logs.flatMap(explanationIn).at(-1),
      logged: [
        ...logs.filter((line) => line.startsWith('Program data: ')),
        hex(metadata.returnData().data()),
      ],
    };
  }
}

function explanationIn(line: string): Explanation[] {
  const [, account, error] =
    /^Program log: AnchorError (?:caused by account: (\w+)|thrown in .*?|occurred)\. (Error Code: .*)$/.exec(
      line,
    ) ?? [];
  return error === undefined ? [] : [{ account, error }];
}

/** `6003 of Curvtsj6…`, `InsufficientFundsForRent { account_index: 1 }`. */
function nameOf(error: number | { toString(): string }, logs: readonly string[]): string {
  if (typeof error === 'number') return TRANSACTION_ERRORS.get(error) ?? `transaction error ${error}`;
  const text = error.toString();
  const inInstruction = /index: (\d+), error: (?:InstructionErrorCustom \{ code: (\d+) \}|(.*)) \}$/.exec(
    text,
  );
  if (inInstruction === null) return text.replace(/^TransactionError/, '');
  const reason = inInstruction[2] ?? inInstruction[3] ?? text;
  // The innermost failed program is the first to log its failure.
  const where = logs
    .map((line) => /^Program (\w+) failed: /.exec(line)?.[1])
    .find((program) => program !== undefined);
  return where === undefined ? reason : `${reason} of ${where}`;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}
