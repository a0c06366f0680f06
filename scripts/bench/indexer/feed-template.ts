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

/** Writes a transaction at a place of a buffer. @param index place in the block @returns its length */
export type FeedTemplate = (
  buffer: Buffer,
  at: number,
  values: FeedValues,
  slot: number,
  index: number,
) => number;

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
  const slots = placesOf(writeVarint(new Uint8Array(SLOT_BYTES), 0, SLOT, SLOT_BYTES));
  const indexes = placesOf(writeVarint(new Uint8Array(INDEX_BYTES), 0, INDEX, INDEX_BYTES));
  const callBytes = bs58.decode(sample.call).length;
  return (buffer, at, values, slot, index) => {
    if (values.call.length !== callBytes) {
      // A name has another length than the sample's.
      const filled = NAMES.reduce(
        (text, name) => text.replaceAll(sample[name], bs58.encode(values[name])),
        sample.json,
      );
      return encoded(filled, slot, index).copy(buffer, at);
    }
    buffer.set(bytes, at);
    for (const [name, all] of places) {
      for (const place of all) buffer.set(values[name], at + place);
    }
    for (const place of slots) writeVarint(buffer, at + place, slot, SLOT_BYTES);
    for (const place of indexes) writeVarint(buffer, at + place, index, INDEX_BYTES);
    return bytes.length;
  };
}

/** Padded to a size, which protobuf allows. */
function writeVarint(buffer: Uint8Array, from: number, value: number, size: number): Uint8Array {
  for (let at = 0, rest = value; at < size; at += 1, rest = Math.floor(rest / 128))
    buffer[from + at] = (rest % 128) + (at < size - 1 ? 128 : 0);
  return buffer;
}
