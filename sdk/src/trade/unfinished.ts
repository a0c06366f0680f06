// A trade whose outcome is not known survives a crash or a reload, so that nothing is bought twice.
import type { Connection } from '@solana/web3.js';
import { InvalidArgumentError, TransactionError } from '../errors.js';
import type { SignedTransaction } from '../landing/landing.js';
import { lookForLanding } from '../landing/look.js';
import { UnfinishedTransactionError } from './errors.js';

/** Keeps text by key: `localStorage`, for example. */
export interface TextStore {
  /** The key's text; null when the key has no text. */
  getItem(key: string): string | null;
  /** Replaces the key's text. */
  setItem(key: string, text: string): void;
  /** Does nothing when the key has no text. */
  removeItem(key: string): void;
}

/** Where the signed transaction is kept until its outcome is known. */
export interface TransactionMemory {
  readonly store: TextStore;
  /** One transaction at a time is under way for each key. */
  readonly key: string;
}

/** How a remembered transaction ended. `pending`: nobody can tell yet. `none`: no transaction is remembered. */
export type RememberedOutcome = 'none' | 'pending' | 'succeeded' | 'failed' | 'expired';

/** @throws InvalidArgumentError unless the memory can keep a transaction */
export function requireMemory({ store, key }: TransactionMemory): void {
  const methods = ['getItem', 'setItem', 'removeItem'] as const;
  const given = Object(store) as Partial<TextStore>;
  if (methods.some((method) => typeof given[method] !== 'function'))
    throw new InvalidArgumentError('remember.store', `must have ${methods.join(', ')}, as localStorage has`);
  if (typeof key !== 'string' || key === '')
    throw new InvalidArgumentError('remember.key', 'must be a text that is not empty');
}

/** The transaction whose outcome is not known; undefined when there is none. */
export function rememberedTransaction({ store, key }: TransactionMemory): SignedTransaction | undefined {
  try {
    const kept = JSON.parse(store.getItem(key) ?? 'null') as SignedTransaction | null;
    return typeof kept?.signature === 'string' ? kept : undefined;
  } catch {
    // Not written by this module.
    return undefined;
  }
}

/** Forgets the transaction. A program that trades again before the outcome is known may trade twice. */
export function forgetTransaction({ store, key }: TransactionMemory): void {
  store.removeItem(key);
}

/**
 * Looks once for the remembered transaction, and forgets it when its outcome is known.
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
  // A processed block can still be lost.
  const isKnown =
    landing.kind === 'expired' || (landing.kind === 'landed' && landing.commitment !== 'processed');
  if (!isKnown) return 'pending';
  forgetTransaction(memory);
  if (landing.kind === 'expired') return 'expired';
  return landing.err === null ? 'succeeded' : 'failed';
}

/** @throws UnfinishedTransactionError when the outcome of an earlier transaction is not known */
export function requireFinished(memory: TransactionMemory | undefined): void {
  const kept = memory && rememberedTransaction(memory);
  if (kept !== undefined) throw new UnfinishedTransactionError(kept.signature);
}

/** Sends, and remembers the transaction until its outcome is known. */
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
    // These errors say that it has failed or will never land; any other leaves the outcome open.
    if (error instanceof TransactionError) forgetTransaction(memory);
    throw error;
  }
}
