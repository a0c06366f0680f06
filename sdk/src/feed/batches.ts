// Combines the records of several transactions into one event.
import { sleep } from '../time/sleep.js';
import type { Batching, FeedEvent } from './options.js';

/** How long a slot's batch waits for another transaction of the slot. Nodes announce a slot's transactions together. */
const SLOT_PAUSE_MS = 100;

/** Combines the events of single transactions into batches. */
export async function* batches<R extends { readonly slot: number }>(
  events: AsyncIterator<FeedEvent<R>>,
  batch: Exclude<Batching, 'transaction'>,
): AsyncGenerator<FeedEvent<R>> {
  let held: R[] = [];
  const take = (): FeedEvent<R> => {
    const records = held;
    held = [];
    return { type: 'records', records };
  };
  const fits = (records: readonly R[]) =>
    batch === 'slot' ? records[0]!.slot === held[0]!.slot : held.length + records.length <= batch;
  let next = ask(events);
  for (;;) {
    const pauseMs = batch === 'slot' ? SLOT_PAUSE_MS : 0;
    const step = held.length === 0 ? await next : await Promise.race([next, sleep(pauseMs)]);
    if (step === undefined) {
      yield take();
      continue;
    }
    const { value } = step;
    const joins = value?.type === 'records' && (held.length === 0 || fits(value.records));
    if (!joins && held.length > 0) yield take();
    if (step.error !== undefined) throw step.error.cause;
    if (value === undefined) return;
    next = ask(events);
    if (value.type === 'records') held.push(...value.records);
    else yield value;
    if (typeof batch === 'number' && held.length >= batch) yield take();
  }
}

interface Step<E> {
  /** Undefined at the end of the stream. */
  readonly value?: E | undefined;
  readonly error?: { readonly cause: unknown };
}

/** Asks for the next event. A failure is stored until the reader reaches it. */
async function ask<E>(events: AsyncIterator<E>): Promise<Step<E>> {
  try {
    const { done, value } = (await events.next()) as IteratorResult<E, undefined>;
    return done === true ? {} : { value };
  } catch (cause) {
    return { error: { cause } };
  }
}
