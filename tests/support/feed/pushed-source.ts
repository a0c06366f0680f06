// A source in one file, as one for a gRPC stream would be: transactions are pushed as they happen, and there is no past.
import type { Connection, Finality } from '@solana/web3.js';
import { fetchTransaction } from '@curvekit/sdk';
import type { QueueOptions, TransactionQueue, TransactionSource } from '@curvekit/sdk/feed';

/** What a cluster's websocket announces, pushed on as fast as it comes. */
export function pushedSource(
  connection: Connection,
  Queue: typeof TransactionQueue,
  options: QueueOptions = {},
): TransactionSource {
  return {
    async *transactions({ programId, commitment, signal, onReady, onError }) {
      const queue = new Queue(options);
      const push = async (signature: string) => {
        const transaction = await fetchTransaction(connection, signature, commitment as Finality);
        if (transaction !== null) queue.push(transaction);
      };
      let last = Promise.resolve();
      const listener = connection.onLogs(
        programId,
        ({ signature }) => {
          last = last.then(() => push(signature)).catch(onError);
        },
        commitment,
      );
      signal.addEventListener('abort', () => queue.close(), { once: true });
      queue.push('caughtUp');
      onReady();
      try {
        yield* queue;
      } finally {
        await connection.removeOnLogsListener(listener);
      }
    },
  };
}
