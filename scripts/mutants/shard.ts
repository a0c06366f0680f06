import { wholeNumber } from '../command-line.js';

/** A part of a night's work: `K/N`. */
export function shardOf(text: string): [part: number, parts: number] {
  const [, part = '', parts = ''] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const of = wholeNumber('--shard', parts, 1, 1_000);
  return [wholeNumber('--shard', part, 1, of), of];
}
