// RPC nodes as a source: their websocket announces transactions, their transaction list fills the gaps.
import type { Connection, Finality, PublicKey } from '../../chain/types.js';
import { requireKnown } from '../../checks/options.js';
import { requireConnection } from '../../rpc/reading.js';
import type { SourceItem, SourceRequest, TransactionSource } from '../source.js';
import { NODE_SOURCE_OPTIONS, nodeOptions, type NodeSourceOptions } from './options.js';
import { NodeTransactions } from './transactions.js';
import { CurvekitError } from '../../errors/index.js';
import { fetchTransaction } from '../../records/fetch.js';
import type { ConfirmedTransaction } from '../../records/transaction.js';
import { lastingRefusal } from '../../rpc/refusals.js';

/**
 * Reads transactions from an RPC node and its websocket. A lost notification, a reconnect or a node outage loses no
 * transaction. A slow reader slows the source: it fetches at most `concurrency` transactions ahead and lists at most
 * 11,000.
 *
 * @throws InvalidArgumentError for an option out of range
 */
export function nodeSource(connection: Connection, options: NodeSourceOptions = {}): TransactionSource {
  requireConnection(connection);
  requireKnown('options', options, NODE_SOURCE_OPTIONS);
  nodeOptions(options);
  return { transactions: (request) => read(connection, options, request) };
}

async function* read(
  connection: Connection,
  options: NodeSourceOptions,
  { programId, mentions, from, commitment, live, signal, onReady, onError }: SourceRequest,
): AsyncGenerator<SourceItem> {
  // A node lists transactions by one address only.
  const address = mentions.length === 1 ? mentions[0]! : programId;
  const isEarly = commitment === 'processed';
  const listed = new NodeTransactions(connection, {
    ...nodeOptions({ ...options, from, onError }),
    // Nodes do not list transactions at `processed`.
    commitment: commitment === 'finalized' ? commitment : 'confirmed',
    address,
    live,
  });
  const close = () => void listed.close();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  try {
    await listed.ready;
    onReady();
    const run = listed.run();
    yield* isEarly ? processedTransactions(connection, address, run, onError) : run;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', close);
    await listed.close();
  }
}

// Delivers transactions as soon as a node has processed them, and checks them against the node's confirmed
// transactions.

/** A transaction that is still not confirmed this many slots later was dropped in a reorg. */
const SLOTS_TO_DOUBT = 64;
/** The most transactions that wait to be read early. The rest are delivered when they are confirmed. */
const MOST_ANNOUNCED = 1_000;
const FETCHED_AHEAD = 8;
const NO_SIGNATURE = '1'.repeat(64);

interface Announced {
  readonly signature: string;
  readonly slot: number;
  fetched?: Promise<ConfirmedTransaction | undefined>;
}

/**
 * Delivers the announced `processed` transactions early, and later the confirmed ones that were not delivered early.
 *
 * @throws CurvekitError when the node does not return transactions before they are confirmed
 */
async function* processedTransactions(
  connection: Connection,
  address: PublicKey,
  confirmed: AsyncIterator<ConfirmedTransaction | 'caughtUp'>,
  onError: (error: unknown) => void,
): AsyncGenerator<SourceItem> {
  const announced: Announced[] = [];
  const delivered = new Map<string, { readonly slot: number; isConfirmed: boolean }>();
  let isLive = false;
  let wake = () => undefined as void;
  const fetchEarly = async (signature: string): Promise<ConfirmedTransaction | undefined> => {
    const transaction = await fetchProcessed(connection, signature).catch(onError);
    const isRight = transaction?.transaction.signatures[0] === signature && transaction.meta !== null;
    return isRight ? transaction : undefined;
  };

  await requireProcessed(connection, onError);
  const listener = connection.onLogs(
    address,
    ({ signature, err }, { slot }) => {
      if (err !== null || !isLive || announced.length >= MOST_ANNOUNCED) return;
      announced.push({ signature, slot });
      wake();
    },
    'processed',
  );
  let next = ask(confirmed);
  try {
    for (;;) {
      for (const one of announced.slice(0, FETCHED_AHEAD)) one.fetched ??= fetchEarly(one.signature);
      // Confirmed transactions come first, so that a busy program cannot delay the report of undone ones.
      const early = next.isHere ? undefined : announced.shift();
      if (early !== undefined) {
        const { signature, slot, fetched } = early;
        const transaction = await fetched;
        if (transaction === undefined || delivered.has(signature)) continue;
        delivered.set(signature, { slot, isConfirmed: false });
        yield transaction;
        continue;
      }
      const result = await Promise.race([next.item, new Promise<void>((resolve) => (wake = resolve))]);
      if (result === undefined) continue;
      if (result.done === true) return;
      next = ask(confirmed);
      const { value } = result;
      if (value === 'caughtUp') {
        isLive = true;
        yield value;
        continue;
      }
      const [signature = ''] = value.transaction.signatures;
      const known = delivered.get(signature);
      if (known === undefined) {
        delivered.set(signature, { slot: value.slot, isConfirmed: true });
        yield value;
      } else known.isConfirmed = true;
      yield* undoneBefore(delivered, value.slot - SLOTS_TO_DOUBT);
    }
  } finally {
    await connection.removeOnLogsListener(listener);
  }
}

/** Forgets the transactions before a slot, and reports those that were never confirmed. */
function* undoneBefore(
  delivered: Map<string, { readonly slot: number; readonly isConfirmed: boolean }>,
  oldest: number,
): Generator<SourceItem> {
  for (const [signature, { slot, isConfirmed }] of delivered) {
    if (slot >= oldest) return;
    delivered.delete(signature);
    if (!isConfirmed) yield { undone: signature, slot };
  }
}

async function requireProcessed(connection: Connection, onError: (error: unknown) => void): Promise<void> {
  try {
    await fetchProcessed(connection, NO_SIGNATURE);
  } catch (error) {
    if (lastingRefusal(error) === undefined) return onError(error);
    throw new CurvekitError(
      `the RPC node gives no transactions before they are confirmed (${(error as Error).message}); take the commitment ` +
        '`confirmed`, or another source, such as a gRPC stream',
      { cause: error },
    );
  }
}

function fetchProcessed(connection: Connection, signature: string): Promise<ConfirmedTransaction | null> {
  // web3.js's type excludes `processed`, but some nodes support it.
  return fetchTransaction(connection, signature, 'processed' as Finality, { retries: 0 });
}

/** Asks for the next item and notes when it has arrived. A failure is stored until the reader reaches it. */
function ask<T>(items: AsyncIterator<T>): { readonly item: Promise<IteratorResult<T>>; isHere: boolean } {
  const next = { item: items.next(), isHere: false };
  const arrived = () => void (next.isHere = true);
  next.item.then(arrived, arrived);
  return next;
}
