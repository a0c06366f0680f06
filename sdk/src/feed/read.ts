// Turns a source's transactions into events of single transactions.
import { associatedTokenAddress, curveAddress } from '../accounts/addresses.js';
import { DEFAULT_DEPLOYMENT, type Deployment } from '../accounts/deployment.js';
import type { PublicKey } from '../chain/types.js';
import { graduatesByItself } from '../graduation/addresses.js';
import { throwIfAborted } from '../platform/abort.js';
import { addressText } from '../records/address-text.js';
import { comparePositions } from '../records/order.js';
import { laterThan, readRecords } from './node/records.js';
import type { AnyRecord, FeedEvent, ReadingOptions, RecordFilter, RecordKind, RecordOf } from './options.js';
import type { FeedStart, SourceItem, TransactionSource } from './source.js';
import { decodeSwaps } from './swaps.js';

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
  throwIfAborted(signal);
  signal?.addEventListener('abort', close, { once: true });
  async function* read(): AsyncGenerator<SourceItem> {
    yield* source.transactions({
      programId: deployment.programId,
      mentions: mentionsOf(options, deployment),
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
    const read: AnyRecord[] = readRecords(item, { from, deployment, onError });
    if (hasSwaps(options)) {
      read.push(...laterThan(from, decodeSwaps(item, { deployment, mints: options.mints })));
      read.sort(comparePositions);
    }
    const records = read.filter(isWanted) as RecordOf<K>[];
    return records.length === 0 ? [] : [{ type: 'records', records }];
  }

  async function* events(): AsyncGenerator<FeedEvent<RecordOf<K>>> {
    try {
      for (let next = first; ; next = items.next()) {
        const result = await unlessAborted(next, controller.signal);
        throwIfAborted(signal);
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

/** Whether the source's transactions have trades in pools. Nothing lists those of all tokens. */
function hasSwaps({ kinds, mints, trader }: RecordFilter<RecordKind>): boolean {
  return (trader !== undefined || mints?.length === 1) && (kinds === undefined || kinds.includes('swap'));
}

/** The addresses of which each wanted transaction has one. */
function mentionsOf(filter: RecordFilter<RecordKind>, deployment: Deployment): PublicKey[] {
  const { mints = [], trader } = filter;
  const [mint] = mints;
  if (trader !== undefined) {
    const isOfOne = mints.length === 1 && mint !== undefined;
    return [isOfOne ? associatedTokenAddress(trader, mint).address : trader];
  }
  // A pool's trades mention the token, but not its curve.
  if (hasSwaps(filter) && graduatesByItself(deployment)) return [...mints];
  return mints.map((each) => curveAddress(each, deployment).address);
}

function filterOf({ kinds, mints, trader }: RecordFilter<RecordKind>): (record: AnyRecord) => boolean {
  const wanted = mints && new Set(mints.map((mint) => addressText(mint)));
  const wallet = trader && addressText(trader);
  return (record) =>
    (kinds === undefined ? record.kind !== 'unknown' : kinds.includes(record.kind)) &&
    (wanted === undefined || (record.kind !== 'unknown' && wanted.has(addressText(record.data.mint)))) &&
    (wallet === undefined || wallet === walletOf(record));
}

/** The wallet that traded or created. */
function walletOf(record: AnyRecord): string | undefined {
  if (record.kind === 'trade' || record.kind === 'swap') return addressText(record.data.trader);
  return record.kind === 'create' ? addressText(record.data.creator) : undefined;
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
