// A real transaction as bytes of a Yellowstone feed, as a template for artificial ones: building each would take longer than
// everything measured.
import bs58 from 'bs58';
import { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { sent } from '#tests/node/yellowstone-server.js';
import type { JsonTransaction } from '#tests/node/record-transactions.js';
import type { Sample } from './transaction-template.js';

/** Their bytes are found in the message, and have the size of every slot and index when padded. */
const SLOT = 20_000_000_019;
const INDEX = 1_000_003;
const SLOT_BYTES = 5;
const INDEX_BYTES = 3;

const NAMES = ['call', 'signature', 'mint', 'trader'] as const;
/** Values of one transaction. */
export type FeedValues = Readonly<Record<(typeof NAMES)[number], Uint8Array>>;

/** @param index place in the block */
export type FeedTemplate = (values: FeedValues, slot: number, index: number) => Buffer;

export function feedTemplateOf(sample: Sample): FeedTemplate {
  const encoded = (json: string, slot: number, index: number) => {
    const update = sent({ ...(JSON.parse(json) as JsonTransaction), slot }, index);
    return Buffer.from(SubscribeUpdate.encode(update).finish());
  };
  const bytes = encoded(sample.json, SLOT, INDEX);
  const placesOf = (part: Uint8Array) => {
    const places: number[] = [];
    for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + 1)) places.push(at);
    if (places.length === 0) throw new Error('the sample lacks a value');
    return places;
  };
  const places = NAMES.map((name) => [name, placesOf(bs58.decode(sample[name]))] as const);
  const slots = placesOf(varint(SLOT, SLOT_BYTES));
  const indexes = placesOf(varint(INDEX, INDEX_BYTES));
  const callBytes = bs58.decode(sample.call).length;
  return (values, slot, index) => {
    if (values.call.length !== callBytes) {
      // A name has another length than the sample's.
      const filled = NAMES.reduce(
        (text, name) => text.replaceAll(sample[name], bs58.encode(values[name])),
        sample.json,
      );
      return encoded(filled, slot, index);
    }
    const filled = Buffer.from(bytes);
    for (const [name, all] of places) {
      for (const at of all) filled.set(values[name], at);
    }
    for (const at of slots) filled.set(varint(slot, SLOT_BYTES), at);
    for (const at of indexes) filled.set(varint(index, INDEX_BYTES), at);
    return filled;
  };
}

/** Padded to a size, which protobuf allows. */
function varint(value: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0, rest = value; at < size; at += 1, rest = Math.floor(rest / 128))
    bytes[at] = (rest % 128) + (at < size - 1 ? 128 : 0);
  return bytes;
}
