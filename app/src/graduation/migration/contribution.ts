// Reads from the chain what a migration owes the community storages, and what was paid. Several RPC nodes can share one
// URL, and some may lag. A transaction that one of them listed, or that this service saw finalized, must be found:
// otherwise the service would pay twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { PublicKey, type Connection } from '@solana/web3.js';
import {
  BASIS_POINTS,
  curveAddress,
  decodeRecords,
  fetchTransaction,
  tokenAddresses,
  UnreadableTransactionError,
  type ConfirmedTransaction,
  type Deployment,
  type GraduateRecord,
  type MigrateRecord,
  type TokenBalance,
} from '@curvekit/sdk';
import { askNode } from '../../chain/connection.js';
import { UNKNOWN_PLACE } from '../../chain/node-errors.js';
import { ExplainedError } from '../../base/errors.js';

/** SOL and tokens. Lamports and token units. */
export interface Amounts {
  readonly sol: bigint;
  readonly token: bigint;
}

export interface MigrationOnChain {
  readonly signature: string;
  readonly record: MigrateRecord;
  /** Whether the graduation program migrated the curve. It pays the share in the same transaction. */
  readonly graduation: GraduateRecord | undefined;
}

/** Facts that this service has about a migration. */
export interface KnownTransactions {
  /** Signatures of transactions that this service saw finalized. */
  readonly finalized: readonly string[];
  readonly signal: AbortSignal;
}

const PAGE = 1_000;
/** How long to wait for an RPC node that lacks a finalized transaction. */
const BEHIND_MS = 15_000;
const PAUSE_MS = 500;

/** The storages' share of a migration, rounded down. */
export function contributionOf({ sol, token }: Amounts, afterMigrationFeeBps: number): Amounts {
  const share = (amount: bigint) => (amount * BigInt(afterMigrationFeeBps)) / BigInt(BASIS_POINTS);
  return { sol: share(sol), token: share(token) };
}

/**
 * The finalized migration of a token; undefined when the RPC node has none.
 *
 * @throws MigrationError when the RPC node lacks a finalized transaction
 */
export async function findMigration(
  connection: Connection,
  mint: PublicKey,
  deployment: Deployment,
  { finalized, signal }: KnownTransactions,
): Promise<MigrationOnChain | undefined> {
  const migrationIn = async (signature: string): Promise<MigrationOnChain | undefined> => {
    const transaction = await transactionOf(connection, signature, signal);
    if (transaction === undefined) return undefined;
    const ofMint = decodeRecords(transaction, { deployment }).filter(({ data }) => data.mint.equals(mint));
    const migration = ofMint.find((record) => record.kind === 'migrate');
    const graduation = ofMint.find((record) => record.kind === 'graduate')?.data;
    return migration && { signature, record: migration.data, graduation };
  };
  for (const signature of finalized) {
    const found = await migrationIn(signature);
    if (found !== undefined) return found;
  }
  // After a migration a curve only receives donations, so the record is among the newest.
  for await (const signature of signaturesOf(connection, curveAddress(mint, deployment).address, undefined)) {
    const found = await migrationIn(signature);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Payments are counted by their signer. With another key, an earlier contribution would not count and would be paid again.
 *
 * @throws MigrationError when another fee receiver than the configured one migrated the curve
 */
export function requireOwnMigration({ record }: MigrationOnChain, { feeReceiver }: Deployment): void {
  if (record.feeAccount.equals(feeReceiver)) return;
  const right = record.feeAccount.toBase58();
  const fix = PublicKey.isOnCurve(record.feeAccount.toBytes())
    ? `Set FEE_RECEIVER_KEYPAIR to the key of ${right}`
    : `${right} is the address of a program and has no key: set GRADUATION_PROGRAM_ID to that program`;
  throw new MigrationError(
    `the fee receiver ${right} migrated ${record.mint.toBase58()}, but FEE_RECEIVER_KEYPAIR is the key of ${feeReceiver.toBase58()}; nothing was paid. ${fix}`,
  );
}

/**
 * Amounts that the fee receiver has paid into the storages, since the migration's transaction. Payments by other wallets do
 * not count.
 *
 * @throws MigrationError when the RPC node lacks a finalized transaction
 */
export async function contributedSince(
  connection: Connection,
  mint: PublicKey,
  deployment: Deployment,
  { signature }: MigrationOnChain,
  { finalized, signal }: KnownTransactions,
): Promise<Amounts> {
  const { communityWsolStorage, communityTokenStorage } = tokenAddresses(mint, deployment);
  const storages = [communityWsolStorage.address, communityTokenStorage.address] as const;
  const signatures = new Set([signature, ...finalized]);
  for (const storage of storages) {
    for await (const later of signaturesOf(connection, storage, signature)) signatures.add(later);
  }
  let sol = 0n;
  let token = 0n;
  for (const candidate of signatures) {
    const transaction = await transactionOf(connection, candidate, signal);
    if (transaction === undefined || !isSignedBy(transaction, deployment.feeReceiver)) continue;
    sol += increase(transaction, storages[0]);
    token += increase(transaction, storages[1]);
  }
  return { sol, token };
}

/** Signatures of successful finalized transactions that contain an address, newest first, back to `until`. */
async function* signaturesOf(
  connection: Connection,
  address: PublicKey,
  until: string | undefined,
): AsyncGenerator<string> {
  let before: string | undefined;
  for (;;) {
    const options = {
      limit: PAGE,
      ...(before === undefined ? {} : { before }),
      ...(until === undefined ? {} : { until }),
    };
    const page = await askNode(connection.getSignaturesForAddress(address, options, 'finalized')).catch(
      (cause: unknown) => {
        if ((cause as { code?: unknown }).code !== UNKNOWN_PLACE) throw cause;
        throw new MigrationError(
          `the node does not know transaction ${before ?? until ?? ''}, since which payments are counted; run it again with an RPC_URL whose node keeps the history`,
          { cause },
        );
      },
    );
    for (const { signature, err } of page) if (err === null) yield signature;
    before = page.at(-1)?.signature;
    if (page.length < PAGE) return;
  }
}

/**
 * A finalized transaction. Waits for an RPC node that lags. Undefined when it is unreadable: then this service did not make
 * it, because it only signs transactions that it can read.
 *
 * @throws MigrationError when the RPC node still lacks it after the wait
 */
async function transactionOf(
  connection: Connection,
  signature: string,
  signal: AbortSignal,
): Promise<ConfirmedTransaction | undefined> {
  const until = performance.now() + BEHIND_MS;
  for (;;) {
    signal.throwIfAborted();
    const transaction = await askNode(readable(connection, signature));
    if (transaction === undefined) return undefined;
    if (transaction?.transaction.signatures[0] === signature && transaction.meta !== null) return transaction;
    if (performance.now() > until) {
      throw new MigrationError(
        `the node does not have the finalized transaction ${signature}; run it again in half a minute, or with an RPC_URL whose node keeps the history`,
      );
    }
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

/** Null when the RPC node lacks it, undefined when it is unreadable. */
async function readable(
  connection: Connection,
  signature: string,
): Promise<ConfirmedTransaction | null | undefined> {
  try {
    return await fetchTransaction(connection, signature, 'finalized');
  } catch (error) {
    if (error instanceof UnreadableTransactionError) return undefined;
    throw error;
  }
}

/** The first keys of a message are its signers, one per signature. */
function isSignedBy({ transaction }: ConfirmedTransaction, key: PublicKey): boolean {
  return staticKeys(transaction).slice(0, transaction.signatures.length).includes(key.toBase58());
}

function staticKeys({ message }: ConfirmedTransaction['transaction']): string[] {
  const keys = 'accountKeys' in message ? message.accountKeys : message.staticAccountKeys;
  return keys.map(String);
}

/** Units that a token account gained in a transaction; 0 without a gain. */
function increase({ transaction, meta }: ConfirmedTransaction, account: PublicKey): bigint {
  const keys = [
    ...staticKeys(transaction),
    ...(meta?.loadedAddresses?.writable ?? []).map(String),
    ...(meta?.loadedAddresses?.readonly ?? []).map(String),
  ];
  const index = keys.indexOf(account.toBase58());
  const balance = (balances: readonly TokenBalance[]) =>
    BigInt(balances.find(({ accountIndex }) => accountIndex === index)?.uiTokenAmount.amount ?? 0);
  const grown = balance(meta?.postTokenBalances ?? []) - balance(meta?.preTokenBalances ?? []);
  return grown > 0n ? grown : 0n;
}

/** A migration is impossible. The message says why and what to do. */
export class MigrationError extends ExplainedError {
  override readonly name = 'MigrationError';
}
