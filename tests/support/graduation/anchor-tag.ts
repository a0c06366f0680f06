import { createHash } from 'node:crypto';

/** The first 8 bytes of an Anchor instruction's data. */
export function anchorTag(instruction: string): Buffer {
  return createHash('sha256').update(`global:${instruction}`).digest().subarray(0, 8);
}
