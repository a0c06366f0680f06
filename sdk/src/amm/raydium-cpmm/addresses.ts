import { deriveAddress } from '../../accounts/deployment.js';
import { PublicKey } from '../../chain/keys.js';
import { keyBytes } from '../../checks/keys.js';
import { NATIVE_MINT_ADDRESS } from '../../generated/program.js';
import { encodeUtf8 } from '../../platform/utf8.js';
import type { PoolAddresses } from '../amm.js';

export const PROGRAM_ID = /* @__PURE__ */ new PublicKey('CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C');

/** Fee tier 0, which the graduation program is built with: PDA `["amm_config", 0u16]`. */
export const CONFIG = /* @__PURE__ */ new PublicKey('D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2');

/** PDA `["vault_and_lp_mint_auth_seed"]`. */
const AUTHORITY = /* @__PURE__ */ new PublicKey('GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL');

export function addresses(pool: PublicKey, mint: PublicKey): PoolAddresses {
  const poolKey = keyBytes('pool', pool);
  const derived = (seed: string, ...rest: Uint8Array[]): PublicKey =>
    deriveAddress([encodeUtf8(seed), poolKey, ...rest], PROGRAM_ID).address;
  return {
    mint,
    pool,
    authority: AUTHORITY,
    config: CONFIG,
    observation: derived('observation'),
    liquidityMint: derived('pool_lp_mint'),
    vaults: {
      sol: derived('pool_vault', NATIVE_MINT_ADDRESS.toBytes()),
      token: derived('pool_vault', keyBytes('mint', mint)),
    },
  };
}
