// Types for the parts of LiteSVM's native addon that are used here. The platform packages have no typings, and the main
// package would install a hundred dependencies.
import { createRequire } from 'node:module';

interface Account {
  lamports(): bigint;
  data(): Uint8Array;
  owner(): Uint8Array;
  executable(): boolean;
}

interface ComputeBudget {
  computeUnitLimit: bigint;
}

interface Clock {
  slot: bigint;
  unixTimestamp: bigint;
}

interface InnerInstruction {
  instruction(): { programIdIndex(): number; accounts(): Uint8Array; data(): Uint8Array };
  stackHeight(): number;
}

interface TransactionMetadata {
  logs(): string[];
  innerInstructions(): InnerInstruction[][];
  returnData(): { data(): Uint8Array };
}

interface FailedTransactionMetadata {
  /** A number for an error without fields: its index in the runtime's enum. */
  err():
    | number
    | { readonly err?: () => number | { readonly code?: number; toString(): string }; toString(): string };
  meta(): TransactionMetadata;
}

export interface LiteSvm {
  setSigverify(on: boolean): void;
  setBlockhashCheck(on: boolean): void;
  /** 0 keeps no history, so the same transaction can run twice. */
  setTransactionHistory(capacity: bigint): void;
  /** Maximum bytes of log lines per transaction. Without a limit all are kept. */
  setLogBytesLimit(limit?: bigint): void;
  setComputeBudget(budget: ComputeBudget): void;
  addProgram(address: Uint8Array, binary: Uint8Array): void;
  getAccount(address: Uint8Array): Account | null;
  getBalance(address: Uint8Array): bigint | null;
  setAccount(address: Uint8Array, account: Account): void;
  setRent(rent: object): void;
  minimumBalanceForRentExemption(bytes: bigint): bigint;
  getClock(): Clock;
  setClock(clock: Clock): void;
  sendLegacyTransaction(bytes: Uint8Array): TransactionMetadata | FailedTransactionMetadata;
}

export interface LiteSvmAddon {
  readonly LiteSvm: new () => LiteSvm;
  readonly Account: new (
    lamports: bigint,
    data: Uint8Array,
    owner: Uint8Array,
    executable: boolean,
    rentEpoch: bigint,
  ) => Account;
  readonly Rent: new (lamportsPerByteYear: bigint, exemptionThreshold: number, burnPercent: number) => object;
  readonly ComputeBudget: new () => ComputeBudget;
  readonly FailedTransactionMetadata: abstract new () => FailedTransactionMetadata;
  readonly InstructionErrorFieldless: Readonly<Record<string, number>>;
  readonly TransactionErrorFieldless: Readonly<Record<string, number>>;
}

/** @throws Error that names the package, when this platform has none or it is not installed */
export function loadLiteSvm(): LiteSvmAddon {
  const name = `litesvm-${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`;
  try {
    return createRequire(import.meta.url)(name) as LiteSvmAddon;
  } catch (cause) {
    throw new Error(`${name} does not load (${(cause as Error).message}); install it with \`npm install\``, {
      cause,
    });
  }
}
