// The Yellowstone gRPC feed as a source. It is never believed about what exists: see docs/decisions/indexer.md.
import { decodeEveryRecord, type ConfirmedTransaction } from '@curvekit/sdk';
import bs58 from 'bs58';
import type { Context } from '../../context.js';
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
import type { News, Source } from './source.js';
import { WakeUp } from './wake-up.js';
import { textOfBytes } from '../trades/key-text.js';

/** About 100 MiB, and six seconds of 10,000 trades each. Beyond it, the RPC node is asked. */
const MOST_TRANSACTIONS = 60_000;

export interface YellowstoneOptions {
  /** Longest time between two wake-ups. */
  readonly intervalMs: number;
  readonly times?: FeedTimes;
  /** Transactions held in memory. */
  readonly most?: number;
}

type Parts = Pick<Context, 'deployment' | 'logger' | 'metrics'>;

export class YellowstoneSource implements Source {
  readonly #parts: Parts;
  readonly #buffer: FeedBuffer;
  readonly #wakeUp: WakeUp;
  readonly #unsubscribe: () => void;
  #finalizedSlot = 0;

  constructor(
    parts: Parts,
    address: FeedAddress,
    { intervalMs, times = FEED_TIMES, most = MOST_TRANSACTIONS }: YellowstoneOptions,
  ) {
    this.#parts = parts;
    this.#buffer = new FeedBuffer(most);
    this.#wakeUp = new WakeUp(intervalMs);
    const { logger, metrics } = parts;
    metrics.feedDown.set(1);
    const events = {
      onUpdate: (update: SubscribeUpdate) => this.#onUpdate(update),
      onEnd: (reason: string, error: unknown) => {
        this.#buffer.reset();
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
    const arrival = this.#buffer.take(signature);
    if (arrival === undefined && this.#buffer.covers(slot))
      metrics.feedTransactions.inc({ outcome: 'missed' });
    if (arrival?.records === undefined) return undefined;
    if (arrival.slot === slot) return arrival.records;
    this.#onMismatch(signature, new Error(`it is in slot ${slot}, not in ${arrival.slot}`));
    return undefined;
  }

  confirmedAfter(slot: number): News | undefined {
    const to = this.#buffer.newest;
    // A feed that is behind what is finalized saves no time.
    if (to === undefined || to < this.#finalizedSlot) return undefined;
    const places = this.#buffer.after(slot);
    return places === undefined ? undefined : { places, to };
  }

  newest(): number | undefined {
    return this.#buffer.newest;
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
    const signature = bs58.encode(sent.transaction.signature);
    if (!this.#buffer.isNew(signature, slot)) return metrics.feedTransactions.inc({ outcome: 'repeated' });
    const { transaction, meta, index, signature: signatureBytes } = sent.transaction;
    const records = this.#recordsOf({ signature, signatureBytes, slot, transaction, meta });
    this.#buffer.add({ signature, slot, index: numberOf(index), records });
  }

  /** Decoded at once: the records take a tenth of the memory of the transaction. */
  #recordsOf(body: Body): readonly UnnumberedRecord[] | undefined {
    const { deployment, metrics } = this.#parts;
    try {
      const records = decodeEveryRecord(toTransaction(body), { deployment });
      metrics.feedTransactions.inc({ outcome: 'used' });
      return records;
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
function toTransaction({
  signature,
  signatureBytes,
  slot,
  transaction,
  meta,
}: Body): ConfirmedTransaction<string | Uint8Array> {
  const { signatures, message } = decodeTransaction(transaction);
  const parts = decodeMeta(meta);
  if (message === null || message === undefined) throw new Error('it has no message');
  if (signatures[0] === undefined || Buffer.compare(signatures[0], signatureBytes) !== 0)
    throw new Error('it is another transaction');
  if (parts.err.length > 0) throw new Error('it failed');
  if (parts.innerInstructionsNone || parts.logMessagesNone)
    throw new Error('it has no inner instructions, or no log');
  return {
    slot,
    version: message.versioned ? 0 : 'legacy',
    transaction: {
      signatures: [signature],
      message: {
        accountKeys: message.accountKeys.map(textOfBytes),
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
      loadedAddresses: {
        writable: parts.loadedWritable.map(textOfBytes),
        readonly: parts.loadedReadonly.map(textOfBytes),
      },
    },
  };
}

/** Records are only read from lines with data, which few transactions have. */
function logLines(lines: readonly Uint8Array[]): string[] {
  const hasData = lines.some((line) => DATA_LINE.equals(line.subarray(0, DATA_LINE.length)));
  return hasData ? lines.map((line) => Buffer.from(line).toString('utf8')) : [];
}

function instruction({ programIdIndex, accounts, data }: FeedInstruction) {
  return { programIdIndex, accounts: [...accounts], data };
}
