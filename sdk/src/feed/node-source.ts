// RPC nodes as a source: what they announce by websocket, read from their list of transactions.
import type { Connection } from '@solana/web3.js';
import { nodeOptions, type NodeSourceOptions } from '../subscription/options.js';
import { NodeTransactions } from '../subscription/transactions.js';
import { processedTransactions } from './processed.js';
import type { SourceItem, SourceRequest, TransactionSource } from './source.js';

/**
 * The transactions as an RPC node and its websocket tell them. A lost notification, a reconnect or a node that is away lose
 * nothing. A reader that is slow slows it: at most `concurrency` transactions are fetched ahead, and at most 11,000 listed.
 *
 * @throws InvalidArgumentError for an option out of range
 */
export function nodeSource(connection: Connection, options: NodeSourceOptions = {}): TransactionSource {
  nodeOptions(options);
  return { transactions: (request) => read(connection, options, request) };
}

async function* read(
  connection: Connection,
  options: NodeSourceOptions,
  { programId, mentions, from, commitment, live, signal, onReady, onError }: SourceRequest,
): AsyncGenerator<SourceItem> {
  // A node lists the transactions of one address.
  const address = mentions.length === 1 ? mentions[0]! : programId;
  const isEarly = commitment === 'processed';
  const listed = new NodeTransactions(connection, {
    ...nodeOptions({ ...options, from, onError }),
    // Nodes list nothing sooner.
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
