import { PublicKey } from '@solana/web3.js';
import { curveAddress, PROGRAM_ADDRESS, TOKEN_OWNER_SEED, type AddressWithBump } from '@curvekit/sdk';

/** The address that a curve's seeds derive with the next lower bump that derives one at all. */
export function nonCanonicalCurve(mint: PublicKey): AddressWithBump {
  for (let bump = curveAddress(mint).bump - 1; bump >= 0; bump -= 1) {
    try {
      const seeds = [TOKEN_OWNER_SEED, mint.toBytes(), Uint8Array.of(bump)];
      return { address: PublicKey.createProgramAddressSync(seeds, PROGRAM_ADDRESS), bump };
    } catch {
      // This one lies on the ed25519 curve.
    }
  }
  throw new Error(`the curve of ${mint.toBase58()} has one bump only`);
}
