import { PublicKey } from '@solana/web3.js';
import { PROGRAM_ADDRESS, TOKEN_OWNER_SEED, type AddressWithBump } from '@curvekit/sdk';

/** The address that a program's seeds derive with the highest bump below the canonical one. */
export function nonCanonicalAddress(
  seeds: readonly Uint8Array[],
  program = PROGRAM_ADDRESS,
): AddressWithBump {
  const [, canonical] = PublicKey.findProgramAddressSync([...seeds], program);
  for (let bump = canonical - 1; bump >= 0; bump -= 1) {
    try {
      const address = PublicKey.createProgramAddressSync([...seeds, Uint8Array.of(bump)], program);
      return { address, bump };
    } catch {
      // This address lies on the ed25519 curve.
    }
  }
  throw new Error('these seeds derive one address only');
}

export function nonCanonicalCurve(mint: PublicKey): AddressWithBump {
  return nonCanonicalAddress([TOKEN_OWNER_SEED, mint.toBytes()]);
}
