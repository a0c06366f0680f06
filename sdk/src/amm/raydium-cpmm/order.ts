import type { PublicKey } from '../../chain/types.js';

/** The AMM orders the two mints of a pool by their bytes. */
export function sortsBefore(a: PublicKey, b: PublicKey): boolean {
  const [left, right] = [a.toBytes(), b.toBytes()];
  const differs = left.findIndex((byte, index) => byte !== right[index]);
  return differs >= 0 && left[differs]! < right[differs]!;
}
