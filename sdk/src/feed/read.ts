// Turns a source's transactions into events of single transactions.
import { curveAddress } from '../addresses.js';
import { deriving } from '../chain.js';
import { DEFAULT_DEPLOYMENT } from '../deployment.js';
import { addressText } from '../records/address-text.js';
import { readRecords } from '../subscription/records.js';
import type { AnyRecord, FeedEvent, ReadingOptions, RecordFilter, RecordKind, RecordOf } from './options.js';
import type { FeedStart, SourceItem, TransactionSource } from './source.js';

/** A source that is being read. */
export interface Reading<R> {
  readonly ready: Promise<void>;
  readonly close: () => void;
  /** Call it once. It ends at `close`, and throws the reason of the options' signal. */
  readonly events: () => AsyncGenerator<FeedEvent<R>>;
}

/** Starts reading immediately. */
export function startReading<K extends RecordKind>(
  source: TransactionSource,
  options: ReadingOptions<K> & { readonly from: FeedStart; readonly live: boolean },
): Reading<RecordOf<K>> {
  const { from, live, commitment = 'confirmed', deployment = DEFAULT_DEPLOYMENT, onError, signal } = options;
  const controller = new AbortController();
  const close = () => controller.abort();
  const isWanted = filterOf(options);
  let onReady = () => undefined as void;
  const told = new Promise<void>((resolve) => (onReady = resolve));
  signal?.throwIfAborted();
  signal?.addEventListener('abort', close, { once: true });
  async function* read(): AsyncGenerator<SourceItem> {
    const mentions = await deriving(() =>
      (options.mints ?? []).map((mint) => curveAddress(mint, deployment).address),
    );
    yield* source.transactions({
      programId: deployment.programId,
      mentions,
      from,
      commitment,
      live,
      signal: controller.signal,
      onReady,
      onError: (error) => onError?.(error),
    });
  }
  const items = read();
  const first = items.next();
  const ready = Promise.race([told, first.then(() => undefined)]);
  // A caller that does not await `ready` gets the error from the iteration.
  ready.catch(() => undefined);

  function eventsOf(item: SourceItem): FeedEvent<RecordOf<K>>[] {
    if (item === 'caughtUp') return [{ type: item }];
    if ('undone' in item) return [{ type: 'undone', signature: item.undone, slot: item.slot }];
    const records = readRecords(item, { from, deployment, onError }).filter(isWanted) as RecordOf<K>[];
    return records.length === 0 ? [] : [{ type: 'records', records }];
  }

  async function* events(): AsyncGenerator<FeedEvent<RecordOf<K>>> {
    try {
      for (let next = first; ; next = items.next()) {
        const result = await unlessAborted(next, controller.signal);
        signal?.throwIfAborted();
        if (result === undefined || result.done === true) return;
        yield* eventsOf(result.value);
      }
    } finally {
      close();
      signal?.removeEventListener('abort', close);
    }
  }
  return { ready, close, events };
}

function filterOf({ kinds, mints }: RecordFilter<RecordKind>): (record: AnyRecord) => boolean {
  const wanted = mints && new Set(mints.map((mint) => addressText(mint)));
  return (record) =>
    (kinds === undefined ? record.kind !== 'unknown' : kinds.includes(record.kind)) &&
    (wanted === undefined || (record.kind !== 'unknown' && wanted.has(addressText(record.data.mint))));
}

/** The result of the work. Undefined as soon as the signal is aborted. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
