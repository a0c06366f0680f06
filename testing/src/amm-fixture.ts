// Raydium's CPMM on a local cluster: the hashes of known binaries, and two accounts that only Raydium's admin can
// create. The binary itself is not part of this package.
import { AMM, NATIVE_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '@curvekit/sdk';
import type { GenesisAccount } from './backend.js';

/** Source of the addresses that all pools share. */
const ANY_POOL = AMM.addresses(AMM.programId, NATIVE_MINT_ADDRESS);
const { config: CONFIG } = ANY_POOL;
const { poolFeeReceiver: POOL_FEE_RECEIVER } = AMM.openingAccounts(ANY_POOL, AMM.programId);
const PROGRAM_ID = AMM.programId;

/** Fee tier 0 on mainnet: a fee of 0.25 % per trade, and 0.15 SOL to create a pool. */
const CONFIG_DATA =
  '2vQhaMvLK2//AAAAxAkAAAAAAADA1AEAAAAAAECcAAAAAAAAgNHwCAAAAAAF2xU6D/SH9pzeiQAf7ExGlbbUIV6iRLh71Otyh/hXqNcGSjj20XsRPl9m3PtjuHN//OJkSr8KALmLNDVtY4WDAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
/** A WSOL account on mainnet. */
const POOL_FEE_RECEIVER_DATA =
  'BpuIV/6rgYT7aH9jRhjANdrEOdwa6ztVmKDwAAAAAAHltitlyzu9pvVoiOZv7o5k3FVgGZwPiLEf4nO9BZ6KoYCwfDpYAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQEAAADwHR8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

export const AMM_FIXTURE = {
  name: "Raydium's CPMM",
  programId: PROGRAM_ID,
  /** Prefix of the file names in the cache. */
  file: 'raydium_cp_swap',
  /** Environment variable with the path of a binary. */
  variable: 'CURVEKIT_CPMM_SO',
  /** The known binaries, the default one first. */
  builds: [
    {
      version: '2025-02',
      sha256: '4ec452fc44ad608c638a08355b8f964c92109a646f63ab481f98ee5e90c00e7b',
      bytes: 535_664,
    },
    {
      version: '2025-12',
      sha256: 'f5240fbb7eee981eed1426725d2470127da66cfc252666d03fa86a1eaf5d3939',
      bytes: 742_632,
    },
  ],
  accounts: [
    { address: CONFIG, owner: PROGRAM_ID, lamports: 2_533_440n, data: CONFIG_DATA },
    {
      address: POOL_FEE_RECEIVER,
      owner: TOKEN_PROGRAM_ADDRESS,
      lamports: 1_478_452_039_280n,
      data: POOL_FEE_RECEIVER_DATA,
    },
  ] satisfies readonly GenesisAccount[],
} as const;
