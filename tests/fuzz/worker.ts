// A worker process: plays the batches that its parent sends.
import { readFileSync } from 'node:fs';
import { keyOf } from '../differential/call.js';
import { playBatch, Worlds, type Batch, type Files } from './batch.js';

export interface Start {
  readonly files: Files;
  /** Addresses (hex) and files of the programs that are called. */
  readonly called: readonly (readonly [address: string, file: string])[];
}

// The SDK's refusals are expected, and their stacks cost more than a transaction.
Error.stackTraceLimit = 0;
let worlds: Worlds | undefined;

process.on('message', (message: Start | Batch) => {
  if ('files' in message) {
    const called = message.called.map(([address, file]) => ({
      key: keyOf(Buffer.from(address, 'hex')),
      binary: readFileSync(file),
    }));
    worlds = new Worlds(message.files, called);
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
