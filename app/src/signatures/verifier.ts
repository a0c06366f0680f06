// Verifies ed25519 signatures on separate threads, so that requests do not wait for each other's. Concurrent signatures are sent as one
// message: a message for each would wake a thread for each.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES, verifySignature } from './verify.mjs';

const MOST_THREADS = 4;
/** Maximum signatures per message. Small, so that some requests continue while the thread verifies the rest. */
const MOST_IN_MESSAGE = 16;

interface Signed {
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
  readonly resolve: (good: boolean) => void;
}

interface Thread {
  readonly worker: Worker;
  /** Signatures sent and not answered yet, by message id. */
  readonly pending: Map<number, readonly Signed[]>;
}

/** Starts its threads when they are first needed. Close it when done. */
export class Verifier {
  readonly #threads: (Thread | undefined)[];
  #waiting: Signed[] = [];
  #messages = 0;
  #closed = false;

  /** @param threads the default is the number of cores minus one, which leaves a core for requests */
  constructor(threads = Math.min(MOST_THREADS, Math.max(1, availableParallelism() - 1))) {
    this.#threads = Array.from({ length: threads }, () => undefined);
  }

  /** Whether the signature is valid. False also for a key or signature of the wrong length. */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
    if (publicKey.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES)
      return Promise.resolve(false);
    return new Promise((resolve) => {
      // Collects all signatures of one turn of the event loop and sends them together.
      if (this.#waiting.length === 0) setImmediate(() => this.#send());
      this.#waiting.push({ publicKey, message, signature, resolve });
    });
  }

  /** Stops the threads. Unanswered signatures are still verified. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#threads.flatMap((thread) => thread?.worker.terminate() ?? []));
  }

  #send(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    if (this.#closed) return verifyHere(batch);
    const size = Math.min(MOST_IN_MESSAGE, Math.ceil(batch.length / this.#threads.length));
    for (let from = 0; from < batch.length; from += size) {
      this.#messages += 1;
      const part = batch.slice(from, from + size);
      const { worker, pending } = this.#thread(this.#messages % this.#threads.length);
      const { packed, lengths } = pack(part);
      pending.set(this.#messages, part);
      worker.postMessage({ id: this.#messages, packed, lengths }, [packed.buffer as ArrayBuffer]);
    }
  }

  #thread(index: number): Thread {
    return (this.#threads[index] ??= this.#start(index));
  }

  #start(index: number): Thread {
    const worker = new Worker(new URL('./verifier-thread.mjs', import.meta.url), { execArgv: [], env: {} });
    const pending = new Map<number, readonly Signed[]>();
    worker.unref();
    worker.on('message', ({ id, results }: { id: number; results: Uint8Array }) => {
      for (const [place, { resolve }] of (pending.get(id) ?? []).entries()) resolve(results[place] === 1);
      pending.delete(id);
    });
    // When a thread ends, its unanswered signatures are verified here, and the next ones start a new thread. After an
    // error, the exit event follows.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      this.#threads[index] = undefined;
      for (const part of pending.values()) verifyHere(part);
      pending.clear();
    });
    return { worker, pending };
  }
}

function verifyHere(signed: readonly Signed[]): void {
  for (const { publicKey, message, signature, resolve } of signed) {
    resolve(verifySignature(publicKey, message, signature));
  }
}

/** Packs keys, signatures and messages into one buffer, with the lengths of the messages. */
function pack(signed: readonly Signed[]): { packed: Uint8Array; lengths: number[] } {
  const lengths = signed.map(({ message }) => message.length);
  const fixed = signed.length * (PUBLIC_KEY_BYTES + SIGNATURE_BYTES);
  const packed = new Uint8Array(lengths.reduce((sum, length) => sum + length, fixed));
  let at = 0;
  for (const { publicKey, message, signature } of signed) {
    for (const part of [publicKey, signature, message]) {
      packed.set(part, at);
      at += part.length;
    }
  }
  return { packed, lengths };
}
