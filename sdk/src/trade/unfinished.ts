// Remembers a transaction with unknown outcome across a crash or a reload, so that nothing is bought twice.
import type { Connection } from '@solana/web3.js';
import { InvalidArgumentError, TransactionError } from '../errors.js';
import type { SignedTransaction } from '../landing/landing.js';
import { lookForLanding } from '../landing/look.js';
import { UnfinishedTransactionError } from './errors.js';

/** Stores text by key, for example `localStorage`. */
export interface TextStore {
  /** The key's text; null when the key has no text. */
  getItem(key: string): string | null;
  /** Replaces the key's text. */
  setItem(key: string, text: string): void;
  /** Does nothing when the key has no text. */
  removeItem(key: string): void;
}

/** Stores the signed transaction until its outcome is known. */
export interface TransactionMemory {
  readonly store: TextStore;
  /** Each key has at most one transaction in progress. */
  readonly key: string;
}

/** The outcome of a remembered transaction. `pending`: not known yet. `none`: no transaction is remembered. */
export type RememberedOutcome = 'none' | 'pending' | 'succeeded' | 'failed' | 'expired';

/** @throws InvalidArgumentError unless the memory can store a transaction */
export function requireMemory({ store, key }: TransactionMemory): void {
  const methods = ['getItem', 'setItem', 'removeItem'] as const;
  const given = Object(store) as Partial<TextStore>;
  if (methods.some((method) => typeof given[method] !== 'function'))
    throw new InvalidArgumentError('remember.store', `must have ${methods.join(', ')}, as localStorage has`);
  if (typeof key !== 'string' || key === '')
    throw new InvalidArgumentError('remember.key', 'must be a text that is not empty');
}

/** The transaction whose outcome is unknown. Undefined when there is none. */
export function rememberedTransaction({ store, key }: TransactionMemory): SignedTransaction | undefined {
  try {
    const kept = JSON.parse(store.getItem(key) ?? 'null') as SignedTransaction | null;
    return typeof kept?.signature === 'string' ? kept : undefined;
  } catch {
    // The text was not written by this module.
    return undefined;
  }
}

/** Forgets the transaction. A program that trades again before the outcome is known may trade twice. */
export function forgetTransaction({ store, key }: TransactionMemory): void {
  store.removeItem(key);
}

/**
 * Looks up the remembered transaction once, and forgets it when its outcome is known.
 *
 * @throws the error of the RPC node
 */
export async function lookUpRemembered(
  connection: Connection,
  memory: TransactionMemory,
): Promise<RememberedOutcome> {
  const kept = rememberedTransaction(memory);
  if (kept === undefined) return 'none';
  const { landing } = await lookForLanding(connection, kept);
  // A reorg can still drop a processed block.
  const isKnown =
    landing.kind === 'expired' || (landing.kind === 'landed' && landing.commitment !== 'processed');
  if (!isKnown) return 'pending';
  forgetTransaction(memory);
  if (landing.kind === 'expired') return 'expired';
  return landing.err === null ? 'succeeded' : 'failed';
}

/** @throws UnfinishedTransactionError when the outcome of an earlier transaction is unknown */
export function requireFinished(memory: TransactionMemory | undefined): void {
  const kept = memory && rememberedTransaction(memory);
  if (kept !== undefined) throw new UnfinishedTransactionError(kept.signature);
}

/** Sends a transaction, and remembers it until its outcome is known. */
export async function remembering<T>(
  memory: TransactionMemory | undefined,
  transaction: SignedTransaction,
  send: () => Promise<T>,
): Promise<T> {
  if (memory === undefined) return send();
  const { signature, lastValidBlockHeight } = transaction;
  memory.store.setItem(memory.key, JSON.stringify({ signature, lastValidBlockHeight }));
  try {
    const result = await send();
    forgetTransaction(memory);
    return result;
  } catch (error) {
    // These errors say that the transaction has failed or will never land. Any other error leaves the outcome unknown.
    if (error instanceof TransactionError) forgetTransaction(memory);
    throw error;
  }
}
