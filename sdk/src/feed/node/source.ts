// RPC nodes as a source: their websocket announces transactions, their transaction list fills the gaps.
import type { Connection } from '../../chain/types.js';
import { requireKnown } from '../../checks/options.js';
import { requireConnection } from '../../rpc/reading.js';
import type { SourceItem, SourceRequest, TransactionSource } from '../source.js';
import { NODE_SOURCE_OPTIONS, nodeOptions, type NodeSourceOptions } from './options.js';
import { processedTransactions } from './processed.js';
import { NodeTransactions } from './transactions.js';

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
