import { associatedTokenAddress } from '../../accounts/addresses.js';
import { PublicKey } from '../../chain/keys.js';
import { NATIVE_MINT_ADDRESS } from '../../generated/program.js';
import type { OpeningAccounts, PoolAddresses } from '../amm.js';
import { PROGRAM_ID } from './addresses.js';
import { sortsBefore } from './order.js';

/** Receives Raydium's fee for a new pool. */
export const POOL_FEE_RECEIVER = /* @__PURE__ */ new PublicKey(
  'DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8',
);

export function openingAccounts(addresses: PoolAddresses, creator: PublicKey): OpeningAccounts {
  const { mint, pool, authority, config, observation, liquidityMint, vaults } = addresses;
  const [poolVault0, poolVault1] = sortsBefore(mint, NATIVE_MINT_ADDRESS)
    ? [vaults.token, vaults.sol]
    : [vaults.sol, vaults.token];
  return {
    ammProgram: PROGRAM_ID,
    ammConfig: config,
    ammAuthority: authority,
    pool,
    lpMint: liquidityMint,
    lpTokens: associatedTokenAddress(creator, liquidityMint).address,
    poolVault0,
    poolVault1,
    poolFeeReceiver: POOL_FEE_RECEIVER,
    observation,
  };
}
