// A worker process: plays the batches that its parent sends.
import type { Program } from '../differential/svm.js';
import { playBatch, Worlds, type Batch, type Files } from './batch.js';

export interface Start {
  readonly files: Files;
  readonly called: readonly Program[];
}

// The SDK's refusals are expected, and their stacks cost more than a transaction.
Error.stackTraceLimit = 0;
let worlds: Worlds | undefined;

process.on('message', (message: Start | Batch) => {
  if ('files' in message) {
    worlds = new Worlds(message.files, message.called);
    return;
  }
  void playBatch(worlds!, message).then(
    (result) => process.send!(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
