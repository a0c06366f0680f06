// Remembers a transaction with unknown outcome across a crash or a reload, so that nothing is bought twice.
import type { Connection } from '../chain/types.js';
import { requireKnown } from '../checks/options.js';
import { InvalidArgumentError, TransactionError } from '../errors/index.js';
import { expiryAfter } from '../landing/after-blockhash.js';
import { askedSearch } from '../landing/asked.js';
import { limited, lookForLanding } from '../landing/look.js';
import { UnfinishedTransactionError } from './errors.js';
import { MEMORY, type TextStore, type TransactionMemory } from './options.js';
import type { RememberedOutcome, RememberedTransaction } from './result.js';

/** In place of the signature that a wallet has not told. */
export const UNKNOWN_SIGNATURE = '(unknown)';

/** @throws InvalidArgumentError unless the memory can store a transaction */
export function requireMemory(memory: TransactionMemory): void {
  requireKnown('remember', memory, MEMORY);
  const { store, key } = memory;
  const methods = ['getItem', 'setItem', 'removeItem'] as const;
  const given = Object(store) as Partial<TextStore>;
  if (methods.some((method) => typeof given[method] !== 'function'))
    throw new InvalidArgumentError('remember.store', `must have ${methods.join(', ')}, as localStorage has`);
  if (typeof key !== 'string' || key === '')
    throw new InvalidArgumentError('remember.key', 'must be a text that is not empty');
}

/**
 * The remembered transaction, or undefined. Its signature is `(unknown)` until a wallet that sends by itself has returned
 * it.
 */
export function rememberedTransaction(memory: TransactionMemory): RememberedTransaction | undefined {
  requireMemory(memory);
  const { store, key } = memory;
  try {
    const kept = JSON.parse(store.getItem(key) ?? 'null') as RememberedTransaction | null;
    return typeof kept?.signature === 'string' ? kept : undefined;
  } catch {
    // The text was not written by this module.
    return undefined;
  }
}

/** Forgets the transaction. A program that trades again before the outcome is known may trade twice. */
export function forgetTransaction(memory: TransactionMemory): void {
  requireMemory(memory);
  memory.store.removeItem(memory.key);
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
  const { landing } =
    kept.asked === undefined
      ? await lookForLanding(connection, kept, {
          proof: expiryAfter(connection, kept),
        })
      : await askedSearch(connection, kept.asked)(limited);
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

/** Thrown inside {@link remembering} when nothing was sent after all. The caller gets the cause. */
export class NothingSent extends Error {
  constructor(override readonly cause: unknown) {
    super('nothing was sent', { cause });
  }
}

/** Sends a transaction, and remembers it until its outcome is known. */
export async function remembering<T>(
  memory: TransactionMemory | undefined,
  { signature, lastValidBlockHeight, blockhashSlot, asked, nonce }: RememberedTransaction,
  send: () => Promise<T>,
): Promise<T> {
  memory?.store.setItem(
    memory.key,
    JSON.stringify({ signature, lastValidBlockHeight, blockhashSlot, asked, nonce }),
  );
  try {
    const result = await send();
    if (memory !== undefined) forgetTransaction(memory);
    return result;
  } catch (error) {
    // These errors say that the transaction has failed or will never land. Any other error leaves the outcome unknown.
    const isOver = error instanceof TransactionError || error instanceof NothingSent;
    if (isOver && memory !== undefined) forgetTransaction(memory);
    throw error instanceof NothingSent ? error.cause : error;
  }
}
