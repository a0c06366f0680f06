// Reads the transactions of an account from the cluster's listing.
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  ConfirmedSignatureInfo,
  Connection,
  PublicKey,
  VersionedTransactionResponse,
} from '@solana/web3.js';
import { DemoError } from './step.js';

/** Maximum wait for the cluster to list its latest transactions. */
const LISTING_TIMEOUT_MS = 10_000;
const LISTING_INTERVAL_MS = 50;
const PAGE_SIZE = 1_000;

/**
 * Every successful transaction that mentions an account, oldest first.
 *
 * @param lastSignature the newest transaction, for which this waits: clusters list transactions with a delay
 */
export async function transactionsOf(
  connection: Connection,
  account: PublicKey,
  lastSignature: string,
): Promise<VersionedTransactionResponse[]> {
  const listed = await listUntil(connection, account, lastSignature);
  const transactions: VersionedTransactionResponse[] = [];
  for (const { signature, err } of listed) {
    if (err !== null) continue;
    const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
    const transaction = await connection.getTransaction(signature, options);
    if (transaction === null) throw new DemoError(`the cluster lists ${signature}, but does not have it`);
    transactions.push(transaction);
  }
  return transactions;
}

async function listUntil(
  connection: Connection,
  account: PublicKey,
  lastSignature: string,
): Promise<ConfirmedSignatureInfo[]> {
  const deadline = Date.now() + LISTING_TIMEOUT_MS;
  for (;;) {
    const listed = await list(connection, account);
    if (listed.some(({ signature }) => signature === lastSignature)) return listed;
    if (Date.now() > deadline) throw new DemoError(`the cluster does not list ${lastSignature}`);
    await sleep(LISTING_INTERVAL_MS);
  }
}

/** The listed signatures, oldest first. */
async function list(connection: Connection, account: PublicKey): Promise<ConfirmedSignatureInfo[]> {
  const newestFirst: ConfirmedSignatureInfo[] = [];
  for (let before: string | undefined; ;) {
    const options = { limit: PAGE_SIZE, ...(before === undefined ? {} : { before }) };
    const page = await connection.getSignaturesForAddress(account, options, 'confirmed');
    newestFirst.push(...page);
    if (page.length < PAGE_SIZE) return newestFirst.reverse();
    before = page.at(-1)?.signature;
  }
}
