// Topics that a client can follow.
import { ADDRESS_BYTES, decodeBase58 } from '../../base/base58.js';
import type { EventRow } from './feed.js';

export const MOST_TOPICS = 10;
const OF_THE_BOARD: ReadonlySet<string> = new Set<EventRow['type']>([
  'token',
  'update',
  'graduated',
  'migrated',
  'metadata',
]);
export const BOARD = 'board';

/** Whether text is `board`, `token:{mint}` or `wallet:{address}`. */
export function isTopic(text: string): boolean {
  if (text === BOARD) return true;
  const [, address] = /^(?:token|wallet):(.+)$/.exec(text) ?? [];
  return address !== undefined && decodeBase58(address, ADDRESS_BYTES) !== undefined;
}

/** The topics of an event; undefined when the event goes to all topics. */
export function topicsOf({ type, mint, wallet }: EventRow): readonly string[] | undefined {
  // A rare event that can concern any topic.
  if (type === 'reset' || type === 'dropped' || mint === null) return undefined;
  return [
    `token:${mint}`,
    ...(wallet === null ? [] : [`wallet:${wallet}`]),
    ...(OF_THE_BOARD.has(type) ? [BOARD] : []),
  ];
}
