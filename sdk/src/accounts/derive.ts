// Program-derived addresses as bytes: this needs no Solana library.
import { sha256 } from '../platform/sha256.js';
import { encodeUtf8 } from '../platform/utf8.js';

const P = 2n ** 255n - 19n;
/** The curve is −x² + y² = 1 + Dx²y², modulo P. */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/** The first address of the seeds that is no point of the curve, with its bump. */
export function findProgramAddress(
  seeds: readonly Uint8Array[],
  programId: Uint8Array,
): { readonly address: Uint8Array; readonly bump: number } {
  for (let bump = 255; ; bump -= 1) {
    const parts = [...seeds, [bump], programId, encodeUtf8('ProgramDerivedAddress')];
    const address = sha256(Uint8Array.from(parts.flatMap((part) => [...part])));
    if (!isOnCurve(address)) return { address, bump };
  }
}

/** Whether the bytes are a point of ed25519: the 255 bits of y, for which x² = (y² − 1) / (Dy² + 1) has a root. */
function isOnCurve(bytes: Uint8Array): boolean {
  const y = bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n) % 2n ** 255n;
  const product = ((y * y - 1n) * (D * y * y + 1n)) % P;
  return product === 0n || power(product, (P - 1n) / 2n) === 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base, left = exponent; left > 0n; left /= 2n, square = (square * square) % P)
    if (left % 2n === 1n) result = (result * square) % P;
  return result;
}
