import type { RecordSource } from './record.js';

/** Orders records of one transaction. */
export function comparePositions(
  { position: a }: Pick<RecordSource, 'position'>,
  { position: b }: Pick<RecordSource, 'position'>,
): number {
  return a.outer - b.outer || a.inner - b.inner;
}
