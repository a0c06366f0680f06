// One Solana virtual machine in this process: the runtime's own, without a validator around it, so that a transaction
// takes a fraction of a millisecond.
import * as litesvm from 'litesvm/dist/internal.js';
import { compile, type Call, type Key } from './call.js';

/** A program's address and its binary. */
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

/** What a transaction did, but for the accounts. */
export interface Outcome {
  /** The runtime's error; none where the transaction succeeded. */
  readonly error: string | undefined;
  /** Every call of another program, in order: depth, program, accounts and data. */
  readonly calls: readonly string[];
  /** What programs logged with `sol_log_data`. */
  readonly logged: readonly string[];
}

const UNITS = 1_400_000n;

export class Svm {
  readonly #svm = new litesvm.LiteSvm();

  constructor(programs: readonly Program[]) {
    this.#svm.setSigverify(false);
    this.#svm.setBlockhashCheck(false);
    this.#svm.setTransactionHistory(0n);
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

  setAccount(key: Key, { lamports, owner, data, executable = false }: StoredAccount): void {
    this.#svm.setAccount(key.bytes, new litesvm.Account(lamports, data, owner, executable, 0n));
  }

  /** @param lamportsPerByte what the cluster asks for each byte of an account to be exempt from rent */
  setRent(lamportsPerByte: bigint): void {
    this.#svm.setRent(new litesvm.Rent(lamportsPerByte, 1, 50));
  }

  send(calls: readonly Call[], feePayer: Key): Outcome {
    const result = this.#svm.sendLegacyTransaction(compile(calls, feePayer));
    const failed = result instanceof litesvm.FailedTransactionMetadata;
    const metadata = failed ? result.meta() : result;
    return {
      error: failed ? nameOf(result.err()) : undefined,
      calls: metadata.innerInstructions().flat().map(describeInner),
      logged: metadata.logs().filter((line) => line.startsWith('Program data: ')),
    };
  }
}

function describeInner(inner: litesvm.InnerInstruction): string {
  const call = inner.instruction();
  const accounts = Array.from(call.accounts()).join(',');
  return `${inner.stackHeight()} ${call.programIdIndex()} [${accounts}] ${Buffer.from(call.data()).toString('hex')}`;
}

function nameOf(error: ReturnType<litesvm.FailedTransactionMetadata['err']>): string {
  if (typeof error === 'number') return TRANSACTION_ERRORS.get(error) ?? `transaction error ${error}`;
  if (!(error instanceof litesvm.TransactionErrorInstructionError)) return error.toString();
  const reason = error.err();
  if (typeof reason === 'number') return INSTRUCTION_ERRORS.get(reason) ?? `instruction error ${reason}`;
  return reason instanceof litesvm.InstructionErrorCustom ? String(reason.code) : reason.toString();
}

// The package declares them as constant enums, which a module compiled on its own cannot read.
const TRANSACTION_ERRORS = namesOf('TransactionErrorFieldless');
const INSTRUCTION_ERRORS = namesOf('InstructionErrorFieldless');

function namesOf(enumeration: string): ReadonlyMap<number, string> {
  const values = (litesvm as unknown as Record<string, Record<string, number>>)[enumeration] ?? {};
  return new Map(Object.entries(values).map(([name, value]) => [value, name]));
}
