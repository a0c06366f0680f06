// An example source, similar to one for a gRPC stream: it pushes live transactions and has no history.
import type { Connection, Finality } from '@solana/web3.js';
import { fetchTransaction } from '@curvekit/sdk';
import type { QueueOptions, TransactionQueue, TransactionSource } from '@curvekit/sdk/feed';

/** Pushes each transaction that the cluster's websocket announces. */
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
