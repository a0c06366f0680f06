// Addresses of keys that are checked. `addresses.ts` checks those of callers.
import type { PublicKey } from '../chain/types.js';
import { ATA_PROGRAM_ADDRESS, TOKEN_OWNER_SEED, TOKEN_PROGRAM_ADDRESS } from '../generated/program.js';
import { deriveAddress, type AddressWithBump, type Deployment } from './deployment.js';

export function curveOf(mint: PublicKey, { programId }: Deployment): AddressWithBump {
  return deriveAddress([TOKEN_OWNER_SEED, mint.toBytes()], programId);
}

export function accountOf(owner: PublicKey, mint: PublicKey): AddressWithBump {
  return deriveAddress(
    [owner.toBytes(), TOKEN_PROGRAM_ADDRESS.toBytes(), mint.toBytes()],
    ATA_PROGRAM_ADDRESS,
  );
}
