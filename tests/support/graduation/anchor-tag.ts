import { createHash } from 'node:crypto';

/** What the data of an Anchor program's instruction begins with. */
export function anchorTag(instruction: string): Buffer {
  return createHash('sha256').update(`global:${instruction}`).digest().subarray(0, 8);
}
