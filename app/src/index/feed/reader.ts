// Reads the feed in a thread of its own: that takes as much time as writing what it brings, and answers of the database must not wait
// for it. This file is also the thread's program.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createDeployment, encodedRecords, type ConfirmedTransaction, type Deployment } from '@curvekit/sdk';
import { textOfBytes } from '../trades/key-text.js';
import { SIGNATURE_BYTES } from '../../base/base58.js';
import { subscribe, type FeedAddress, type FeedEnd, type FeedTimes } from './connection.js';
import {
  CONFIRMED,
  decodeLog,
  decodeMeta,
  decodeTransaction,
  numberOf,
  type FeedInstruction,
  type SubscribeUpdate,
} from './messages.js';

/** What the feed has told, without objects: copying those to another thread takes longer than reading them. */
export interface Told {
  /** Of each transaction, in the order of the feed: 64 bytes. */
  readonly signatures: Uint8Array<ArrayBuffer>;
  /** Of each transaction: slot, place in the block, number of records; −1 when it cannot be used. */
  readonly places: Float64Array;
  /** Of each record: index of the outer and of the inner instruction. */
  readonly positions: Int32Array;
  /** Where each record begins in `bytes`, and where the last ends. */
  readonly starts: Int32Array;
  /** Of all records. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Why transactions cannot be used, by their number. */
  readonly reasons: Readonly<Record<number, string>>;
  /** A slot that is confirmed after them. */
  readonly confirmed: number | undefined;
}

/** Why a connection ended. */
export interface Ended {
  readonly end: FeedEnd;
  readonly error: unknown;
}

export interface ReaderEvents {
  onTold(told: Told): void;
  onEnded(ended: Ended): void;
}

interface Order {
  readonly address: FeedAddress;
  readonly times: FeedTimes;
  readonly deployment: ReturnType<typeof textsOf>;
}

/** Transactions told at once: the database's answers wait for as many. */
const MOST_TOLD = 100;
/** Messages that wait for the main thread before no more is read: a second of a busy market. */
const MOST_UNREAD = 200;
const RESTART_MS = 1_000;

/** Starts the thread, again when it breaks. @returns what stops it */
export function readFeed(
  address: FeedAddress,
  times: FeedTimes,
  deployment: Deployment,
  events: ReaderEvents,
): () => void {
  let isStopped = false;
  let restart: NodeJS.Timeout | undefined;
  let thread: Worker;
  const start = () => {
    const order: Order = { address, times, deployment: textsOf(deployment) };
    thread = new Worker(import.meta.filename, { workerData: { feed: order }, name: 'feed' });
    thread.on('message', (message: Told | Ended) => {
      if (isStopped) return;
      if ('end' in message) return events.onEnded(message);
      events.onTold(message);
      thread.postMessage('read');
    });
    thread.on('error', (error) => {
      if (isStopped) return;
      events.onEnded({ end: 'disconnected', error });
      restart = setTimeout(start, RESTART_MS);
    });
  };
  start();
  return () => {
    isStopped = true;
    clearTimeout(restart);
    void thread.terminate();
  };
}

/** As text: keys are not copied to another thread. */
function textsOf({ programId, admin, feeReceiver, dexOwner, graduation }: Deployment) {
  return {
    ...{ programId: programId.toBase58(), admin: admin.toBase58() },
    ...{ feeReceiver: feeReceiver.toBase58(), dexOwner: dexOwner.toBase58() },
    graduation: { programId: graduation.programId.toBase58(), treasury: graduation.treasury.toBase58() },
  };
}

// What follows runs in the thread.

function run({ address, times, deployment: texts }: Order): void {
  const deployment = createDeployment(texts);
  const textsOfKeys = keyTexts(deployment);
  let next = new Telling();
  let unread = 0;
  let onRoom: (() => void) | undefined;
  parentPort!.on('message', () => {
    unread -= 1;
    onRoom?.();
    onRoom = undefined;
  });
  const tell = (confirmed?: number) => {
    const told = next.end(confirmed);
    next = new Telling();
    unread += 1;
    parentPort!.postMessage(told, [told.bytes.buffer, told.signatures.buffer]);
  };
  subscribe(
    address,
    texts.programId,
    {
      onUpdate: ({ slot: status, transaction: sent }) => {
        if (sent?.transaction) next.add(sent, deployment, textsOfKeys);
        if (status?.status === CONFIRMED) tell(numberOf(status.slot));
        else if (next.size === MOST_TOLD) tell();
        return unread < MOST_UNREAD ? undefined : new Promise((resolve) => (onRoom = resolve));
      },
      onEnd: (end, error) => {
        tell();
        parentPort!.postMessage({ end, error } satisfies Ended);
      },
    },
    times,
  );
}

type Sent = NonNullable<SubscribeUpdate['transaction']>;

/** The next message to the main thread. */
class Telling {
  readonly #signatures: Uint8Array[] = [];
  readonly #places: number[] = [];
  readonly #positions: number[] = [];
  readonly #parts: Uint8Array[] = [];
  readonly #reasons: Record<number, string> = {};

  get size(): number {
    return this.#signatures.length;
  }

  /** @throws an error for what is no transaction */
  add({ slot, transaction: sent }: Sent, deployment: Deployment, textsOfKeys: KeyTexts): void {
    const { signature: bytes, index, transaction, meta } = sent!;
    if (bytes.length !== SIGNATURE_BYTES) throw new Error('a signature has 64 bytes');
    const body = { signature: bytes, slot: numberOf(slot), transaction, meta };
    let count = -1;
    try {
      const found = encodedRecords(toTransaction(body, textsOfKeys), { deployment });
      for (const { position, bytes: record } of found) {
        this.#positions.push(position.outer, position.inner);
        this.#parts.push(record);
      }
      count = found.length;
    } catch (error) {
      this.#reasons[this.size] = (error as Error).message;
    }
    this.#signatures.push(bytes);
    this.#places.push(body.slot, numberOf(index), count);
  }

  end(confirmed: number | undefined): Told {
    return {
      signatures: joined(this.#signatures).bytes,
      places: Float64Array.from(this.#places),
      positions: Int32Array.from(this.#positions),
      ...joined(this.#parts),
      reasons: this.#reasons,
      confirmed,
    };
  }
}

/** In memory of its own, which can be handed over. */
function joined(parts: readonly Uint8Array[]): Pick<Told, 'starts' | 'bytes'> {
  const starts = new Int32Array(parts.length + 1);
  for (const [nth, part] of parts.entries()) starts[nth + 1] = starts[nth]! + part.length;
  const bytes = new Uint8Array(starts[parts.length]!);
  for (const [nth, part] of parts.entries()) bytes.set(part, starts[nth]);
  return { starts, bytes };
}

// Turns the bytes of a feed's transaction into what the SDK reads records from. Instruction data stay bytes.

/** A transaction of the feed, not decoded yet. */
interface Body {
  readonly signature: Uint8Array;
  readonly slot: number;
  readonly transaction: Uint8Array;
  readonly meta: Uint8Array;
}

const DATA_LINE = Buffer.from('Program data: ');

/** @throws an error for a transaction that failed, that lacks a part, or that is another one */
function toTransaction(
  { signature, slot, transaction, meta }: Body,
  textsOf: KeyTexts,
): ConfirmedTransaction<string | Uint8Array> {
  const { signatures, message } = decodeTransaction(transaction);
  const parts = decodeMeta(meta);
  if (message === null || message === undefined) throw new Error('it has no message');
  if (signatures[0] === undefined || Buffer.compare(signatures[0], signature) !== 0)
    throw new Error('it is another transaction');
  if (parts.err.length > 0) throw new Error('it failed');
  if (parts.innerInstructionsNone || parts.logMessagesNone)
    throw new Error('it has no inner instructions, or no log');
  const lists = [message.accountKeys, parts.loadedWritable, parts.loadedReadonly] as const;
  const [accountKeys, writable, readonly] = textsOf(lists);
  return {
    slot,
    version: message.versioned ? 0 : 'legacy',
    transaction: {
      // It would only be repeated in what is thrown.
      signatures: [],
      message: {
        accountKeys,
        instructions: message.instructions.map(instruction),
      },
    },
    meta: {
      err: null,
      innerInstructions: parts.innerInstructions.map(({ index, instructions }) => ({
        index,
        instructions: instructions.map(instruction),
      })),
      // Records are only read from lines with data, which few transactions have.
      logMessages: viewOf(meta).includes(DATA_LINE) ? decodeLog(meta).logMessages : [],
      loadedAddresses: { writable, readonly },
    },
  };
}

const viewOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

type Keys = readonly Uint8Array[];
type Three<T> = readonly [T, T, T];
type KeyTexts = (lists: Three<Keys>) => Three<string[]>;

/**
 * The texts of a transaction's keys, as far as its records are found by them: those of a trade by the program and its log authority
 * alone. Most transactions have a few new keys, and base58 is slow.
 */
function keyTexts({ programId, logAuthority, graduation }: Deployment): KeyTexts {
  const known = [programId, logAuthority.address].map((key) => [key.toBytes(), key.toBase58()] as const);
  const graduating = graduation.programId.toBytes();
  const knownText = (bytes: Uint8Array) => known.find(([key]) => isSame(key, bytes))?.[1] ?? '';
  return (lists) => {
    const graduates = lists.some((keys) => keys.some((key) => isSame(key, graduating)));
    const [first, second, third] = lists.map((keys) => keys.map(graduates ? textOfBytes : knownText));
    return [first!, second!, third!];
  };
}

/** Faster than a buffer's comparison for keys, most of which differ at once. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return a.length === b.length;
}

/** The indexes stay bytes: they are read like numbers of an array, and there are many. */
function instruction({ programIdIndex, accounts, data }: FeedInstruction) {
  return { programIdIndex, accounts: accounts as unknown as readonly number[], data };
}

const order = (workerData as { readonly feed?: Order } | null)?.feed;
if (!isMainThread && order !== undefined) run(order);
