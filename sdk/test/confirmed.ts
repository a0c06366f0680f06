// Confirmed transactions as an RPC node would return them, and the records in them, for tests of the decoders.
import { Keypair, Message, MessageV0, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { DEFAULT_DEPLOYMENT } from '../src/accounts/deployment.js';
import { MIGRATE_DISCRIMINATOR, VALIDATE_LOG_RECORD_DISCRIMINATOR } from '../src/generated/instructions.js';
import {
  encodeCreateRecord,
  encodeMigrateRecord,
  encodeTradeRecord,
  type CreateRecord,
  type MigrateRecord,
  type TradeRecord,
} from '../src/generated/records.js';
import type { ConfirmedTransaction } from '../src/records/transaction.js';

/** One call and its inner calls, in the order of execution. */
interface Call {
  readonly program: PublicKey;
  readonly accounts?: readonly PublicKey[];
  readonly data?: Uint8Array;
  readonly inner?: readonly Omit<Call, 'inner'>[];
}

interface Shape {
  readonly calls: readonly Call[];
  readonly logs?: readonly string[] | null;
  readonly err?: unknown;
  readonly slot?: number;
  readonly signature?: string;
}

export const SIGNATURE = bs58.encode(new Uint8Array(64).fill(7));
export const { programId: PROGRAM, logAuthority: LOG_AUTHORITY } = DEFAULT_DEPLOYMENT;
export const STRANGER = Keypair.generate().publicKey;

export function recordCall(record: Uint8Array): Required<Omit<Call, 'inner'>> {
  const data = Uint8Array.from([...VALIDATE_LOG_RECORD_DISCRIMINATOR, LOG_AUTHORITY.bump, ...record]);
  return { program: PROGRAM, accounts: [LOG_AUTHORITY.address], data };
}

const mint = Keypair.generate().publicKey;
export const trade: TradeRecord = {
  mint,
  trader: STRANGER,
  isBuy: true,
  solAmount: 1_000n,
  tokenAmount: 2_000n,
  fee: 10n,
  virtualSol: 30_000_000_990n,
  virtualToken: 1_072_999_999_998_000n,
  finalized: false,
  timestamp: 1_700_000_000n,
};
export const create: CreateRecord = {
  mint,
  creator: STRANGER,
  tokenOwnerPda: LOG_AUTHORITY.address,
  name: 'Curve 🌊',
  symbol: 'CRV',
  uri: 'https://example.org',
  afterMigrationFee: 100,
  burnBp: 1,
  holdersBp: 2,
  lpBp: 3,
  virtualSol: 30_000_000_000n,
  virtualToken: 1_073_000_000_000_000n,
  platformFeeBps: 100,
  timestamp: 1_700_000_000n,
};
export const migration: MigrateRecord = {
  mint,
  feeAccount: STRANGER,
  solAmount: 85n,
  tokenAmount: 207n,
  timestamp: -1n,
};
export const TRADE = encodeTradeRecord(trade);
export const CREATE = encodeCreateRecord(create);
export const MIGRATION = encodeMigrateRecord(migration);
export const FUTURE = Uint8Array.from({ length: 20 }, (_, index) => index);

export const tradeCall = { program: PROGRAM, inner: [{ program: STRANGER }, recordCall(TRADE)] };
export const migrateCall = {
  program: PROGRAM,
  accounts: [mint],
  data: MIGRATE_DISCRIMINATOR,
  inner: [{ program: STRANGER }],
};
export const source = (outer: number, inner: number) => ({
  signature: SIGNATURE,
  slot: 5,
  position: { outer, inner },
});

/** Log lines of a call of `program` that logs `datas`. */
export function logLines(program: PublicKey, ...datas: Uint8Array[]): string[] {
  const id = program.toBase58();
  const data = datas.map((bytes) => `Program data: ${Buffer.from(bytes).toString('base64')}`);
  return [`Program ${id} invoke [1]`, ...data, `Program ${id} success`];
}

export function asJson({
  calls,
  logs = [],
  err = null,
  slot = 5,
  signature = SIGNATURE,
}: Shape): ConfirmedTransaction {
  const keys = keysOf(calls);
  const instruction = (call: Omit<Call, 'inner'>) => ({
    programIdIndex: keys.indexOf(call.program.toBase58()),
    accounts: (call.accounts ?? []).map((account) => keys.indexOf(account.toBase58())),
    data: bs58.encode(call.data ?? new Uint8Array()),
  });
  return {
    slot,
    transaction: {
      signatures: [signature],
      message: { accountKeys: keys, instructions: calls.map(instruction) },
    },
    meta: {
      err,
      innerInstructions: calls.flatMap(({ inner = [] }, index) =>
        inner.length === 0 ? [] : [{ index, instructions: inner.map(instruction) }],
      ),
      logMessages: logs,
    },
  };
}

export function asLegacy(shape: Shape): ConfirmedTransaction {
  const json = asJson(shape);
  const { accountKeys, instructions } = jsonMessage(json);
  const message = new Message({
    header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 },
    accountKeys: [...accountKeys],
    instructions: instructions.map((item) => ({ ...item, accounts: [...item.accounts] })),
    recentBlockhash: PublicKey.default.toBase58(),
  });
  return { ...json, transaction: { ...json.transaction, message } };
}

/** The transaction as web3.js returns a v0 transaction. The last `loaded` keys come from lookup tables. */
export function asV0(shape: Shape, loaded: number): ConfirmedTransaction {
  const json = asJson(shape);
  const { accountKeys, instructions } = jsonMessage(json);
  const keys = accountKeys.map((key) => new PublicKey(key));
  const fixed = keys.slice(0, keys.length - loaded);
  const rest = keys.slice(keys.length - loaded);
  const message = new MessageV0({
    header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 },
    staticAccountKeys: fixed,
    compiledInstructions: instructions.map(({ programIdIndex, accounts, data }) => ({
      programIdIndex,
      accountKeyIndexes: [...accounts],
      data: bs58.decode(data),
    })),
    addressTableLookups: [],
    recentBlockhash: PublicKey.default.toBase58(),
  });
  const half = Math.ceil(rest.length / 2);
  const loadedAddresses = { writable: rest.slice(0, half), readonly: rest.slice(half) };
  return { ...json, transaction: { ...json.transaction, message }, meta: { ...json.meta!, loadedAddresses } };
}

function jsonMessage({ transaction }: ConfirmedTransaction) {
  if (!('accountKeys' in transaction.message) || transaction.message instanceof Message)
    throw new Error('not JSON');
  return transaction.message;
}

/** The payer, then programs, then the rest: programs never come from lookup tables. */
function keysOf(calls: readonly Call[]): string[] {
  const all = calls.flatMap((call) => [call, ...(call.inner ?? [])]);
  const programs = all.map(({ program }) => program);
  const accounts = all.flatMap((call) => call.accounts ?? []);
  return [...new Set([STRANGER, ...programs, ...accounts].map((key) => key.toBase58()))];
}
