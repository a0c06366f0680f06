// The Yellowstone gRPC feed as a source. It is never believed about what exists: see docs/decisions/indexer.md.
import {
  decodeRecord,
  encodedRecords,
  recordMint,
  type ConfirmedTransaction,
  type RecordPosition,
} from '@curvekit/sdk';
import { getHeapStatistics } from 'node:v8';
import type { Context } from '../../context.js';
import { encodeBase58 } from '../../base/base58.js';
import { BoundedMap } from '../../base/bounded-map.js';
import { FeedBuffer } from './buffer.js';
import { FEED_TIMES, subscribe, type FeedAddress, type FeedTimes } from './connection.js';
import {
  CONFIRMED,
  numberOf,
  type SubscribeUpdate,
  decodeMeta,
  decodeTransaction,
  type FeedInstruction,
} from './messages.js';
import type { UnnumberedRecord } from '../records.js';
import type { News, NewestReserves, Source } from './source.js';
import { WakeUp } from './wake-up.js';
import { textOf, textOfBytes } from '../trades/key-text.js';

/** Of a trade in memory: 920 were measured. */
const BYTES_OF_ONE = 1_024;
/** What may wait in memory: a quarter of a million trades for each GiB of the heap. The RPC node is asked for the others. */
const MOST_TRANSACTIONS = Math.floor(getHeapStatistics().heap_size_limit / 4 / BYTES_OF_ONE);
const SIGNATURE_BYTES = 64;
/** Transactions written at once. */
const MOST_NEWS = 8_000;
/** Tokens whose newest record is kept, for their prices while the index is behind. */
const MOST_TOKENS = 20_000;

export interface YellowstoneOptions {
  /** Longest time between two wake-ups. */
  readonly intervalMs: number;
  readonly times?: FeedTimes;
  /** Transactions held in memory. */
  readonly most?: number;
  /** Transactions written at once, as far as they are not of one slot. */
  readonly atOnce?: number;
}

type Parts = Pick<Context, 'deployment' | 'logger' | 'metrics'>;

export class YellowstoneSource implements Source {
  readonly #parts: Parts;
  readonly #buffer: FeedBuffer;
  readonly #atOnce: number;
  readonly #wakeUp: WakeUp;
  readonly #unsubscribe: () => void;
  readonly #textsOf: KeyTexts;
  /** The newest record of each token since they were asked for, by the bytes of its mint. */
  readonly #newestOf = new BoundedMap<string, Newest>(MOST_TOKENS);
  #finalizedSlot = 0;

  constructor(
    parts: Parts,
    address: FeedAddress,
    { intervalMs, times = FEED_TIMES, most = MOST_TRANSACTIONS, atOnce = MOST_NEWS }: YellowstoneOptions,
  ) {
    this.#parts = parts;
    this.#textsOf = keyTexts(parts.deployment);
    this.#buffer = new FeedBuffer(most);
    this.#atOnce = atOnce;
    this.#wakeUp = new WakeUp(intervalMs);
    const { logger, metrics } = parts;
    metrics.feedDown.set(1);
    const events = {
      onUpdate: (update: SubscribeUpdate) => this.#onUpdate(update),
      isBehind: () => this.#buffer.size > this.#atOnce,
      onEnd: (reason: string, error: unknown) => {
        this.#buffer.disconnected();
        metrics.feedDown.set(1);
        metrics.feedDisconnects.inc({ reason });
        logger.warn({ err: error, reason }, 'the gRPC feed ended: reading from the RPC node instead');
      },
    };
    this.#unsubscribe = subscribe(address, parts.deployment.programId.toBase58(), events, times);
  }

  wait(signal: AbortSignal): Promise<void> {
    return this.#wakeUp.wait(signal);
  }

  take({
    signature,
    slot,
  }: {
    readonly signature: string;
    readonly slot: number;
  }): readonly UnnumberedRecord[] | undefined {
    const { metrics } = this.#parts;
    const arrival = this.#buffer.find(signature);
    if (arrival === undefined && this.#buffer.covers(slot))
      metrics.feedTransactions.inc({ outcome: 'missed' });
    if (arrival?.records === undefined) return undefined;
    if (arrival.slot === slot) return arrival.records();
    this.#onMismatch(signature, new Error(`it is in slot ${slot}, not in ${arrival.slot}`));
    return undefined;
  }

  confirmedAfter(slot: number): News | undefined {
    const found = this.#buffer.after(slot, this.#atOnce);
    if (found === undefined) return undefined;
    const { arrivals: places, to, isAll } = found;
    // What is shown now is the newest.
    if (isAll) this.#newestOf.clear();
    // A feed that is behind what is finalized saves no time, unless that is because its transactions wait here.
    const isBehind = (this.#buffer.newest ?? 0) < this.#finalizedSlot;
    return isBehind && places.length === 0 ? undefined : { places, to, isAll };
  }

  newestReserves(shown: number): NewestReserves {
    const records = [...this.#newestOf.values()].filter(({ slot }) => slot > shown);
    this.#newestOf.clear();
    return new Map(
      records
        .map(({ text }) => decodeRecord(Buffer.from(text, 'latin1')))
        .flatMap(({ kind, data }) => (kind === 'trade' ? [[textOf(data.mint), data]] : [])),
    );
  }

  /** The newest confirmed slot that it has told; undefined while it is down. */
  newest(): number | undefined {
    return this.#buffer.newest;
  }

  wholeAfter(): number | undefined {
    return this.#buffer.wholeAfter;
  }

  shown(slot: number): void {
    this.#buffer.shown(slot);
  }

  compare(finalizedSlot: number): void {
    this.#finalizedSlot = finalizedSlot;
    const newest = this.#buffer.newest;
    if (newest !== undefined) this.#parts.metrics.feedBehindSlots.set(Math.max(0, finalizedSlot - newest));
  }

  stop(): void {
    this.#unsubscribe();
    this.#parts.metrics.feedDown.set(0);
    this.#parts.metrics.feedBehindSlots.set(0);
  }

  #onUpdate({ slot: status, transaction: sent }: SubscribeUpdate): void {
    const { metrics } = this.#parts;
    if (status && status.status === CONFIRMED) {
      this.#buffer.confirm(numberOf(status.slot));
      metrics.feedDown.set(0);
      this.#wakeUp.notify();
    }
    if (!sent?.transaction) return;
    const slot = numberOf(sent.slot);
    if (sent.transaction.signature.length !== SIGNATURE_BYTES) throw new Error('a signature has 64 bytes');
    const signature = encodeBase58(sent.transaction.signature);
    if (!this.#buffer.isNew(signature, slot)) return metrics.feedTransactions.inc({ outcome: 'repeated' });
    const { transaction, meta, index, signature: signatureBytes } = sent.transaction;
    const place = { slot, index: numberOf(index) };
    const packed = this.#packed({ signature, signatureBytes, slot, transaction, meta });
    for (const { mint, text } of packed ?? []) {
      if (mint === undefined) continue;
      const known = this.#newestOf.get(mint);
      if (known === undefined || known.slot < slot || (known.slot === slot && known.index <= place.index))
        this.#newestOf.set(mint, { ...place, text });
    }
    const records = packed && (() => unpacked(packed, signature, slot));
    this.#buffer.add({ signature, ...place, records, isEmpty: packed?.length === 0 });
  }

  /**
   * Keeps records as text of their bytes, which takes a fifth of the memory of what is decoded from them, and no time of the garbage
   * collector.
   */
  #packed(body: Body): readonly Packed[] | undefined {
    const { deployment, metrics } = this.#parts;
    try {
      const found = encodedRecords(toTransaction(body, this.#textsOf), { deployment });
      metrics.feedTransactions.inc({ outcome: 'used' });
      return found.map(({ position, bytes }) => ({
        ...{ position, mint: mintOf(bytes), text: latin1(bytes) },
      }));
    } catch (error) {
      this.#onMismatch(body.signature, error);
      return undefined;
    }
  }

  #onMismatch(signature: string, error: unknown): void {
    this.#parts.metrics.feedTransactions.inc({ outcome: 'mismatched' });
    this.#parts.logger.warn(
      { err: error, signature },
      'the gRPC feed sent a transaction that is not as listed: the RPC node is asked for it',
    );
  }
}

/** A record as text of its bytes. */
interface Packed {
  readonly position: RecordPosition;
  /** As its bytes; undefined for a record of a later version. */
  readonly mint: string | undefined;
  readonly text: string;
}

interface Newest {
  readonly slot: number;
  readonly index: number;
  readonly text: string;
}

const latin1 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

function mintOf(bytes: Uint8Array): string | undefined {
  const mint = recordMint(bytes);
  return mint && latin1(mint);
}

function unpacked(packed: readonly Packed[], signature: string, slot: number): UnnumberedRecord[] {
  return packed.map(({ position, text }) => ({
    ...decodeRecord(Buffer.from(text, 'latin1')),
    ...{ signature, slot, position },
  }));
}

// Turns the bytes of a feed's transaction into what the SDK reads records from. Instruction data stay bytes.

/** A transaction of the feed, not decoded yet. */
interface Body {
  readonly signature: string;
  readonly signatureBytes: Uint8Array;
  readonly slot: number;
  readonly transaction: Uint8Array;
  readonly meta: Uint8Array;
}

const DATA_LINE = Buffer.from('Program data: ');

/** @throws an error for a transaction that failed, that lacks a part, or that is another one */
function toTransaction(
  { signature, signatureBytes, slot, transaction, meta }: Body,
  textsOf: KeyTexts,
): ConfirmedTransaction<string | Uint8Array> {
  const { signatures, message } = decodeTransaction(transaction);
  const parts = decodeMeta(meta);
  if (message === null || message === undefined) throw new Error('it has no message');
  if (signatures[0] === undefined || Buffer.compare(signatures[0], signatureBytes) !== 0)
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
      signatures: [signature],
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
      logMessages: logLines(parts.logMessages),
      loadedAddresses: { writable, readonly },
    },
  };
}

type Keys = readonly Uint8Array[];
type Three<T> = readonly [T, T, T];
type KeyTexts = (lists: Three<Keys>) => Three<string[]>;

/**
 * The texts of a transaction's keys, as far as its records are found by them: those of a trade by the program and its log authority
 * alone. Most transactions have a few new keys, and base58 is slow.
 */
function keyTexts({ programId, logAuthority, graduation }: Context['deployment']): KeyTexts {
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

/** Records are only read from lines with data, which few transactions have. */
function logLines(lines: readonly Uint8Array[]): string[] {
  const hasData = lines.some(
    (line) => line[0] === DATA_LINE[0] && DATA_LINE.equals(line.subarray(0, DATA_LINE.length)),
  );
  return hasData ? lines.map((line) => Buffer.from(line).toString('utf8')) : [];
}

/** The indexes stay bytes: they are read like numbers of an array, and there are many. */
function instruction({ programIdIndex, accounts, data }: FeedInstruction) {
  return { programIdIndex, accounts: accounts as unknown as readonly number[], data };
}
