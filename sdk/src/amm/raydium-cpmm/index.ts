/** Raydium's CPMM: its addresses, accounts and swap instruction. Its maths is in `maths.ts`. */
import type { Amm } from '../amm.js';
import { accounts, decode, openingFee } from './accounts.js';
import { addresses, PROGRAM_ID } from './addresses.js';
import type { CpmmPool } from './maths.js';
import { openingAccounts } from './opening.js';
import { swap } from './swap.js';
import { swaps } from './swaps.js';

/** Raydium's own errors, from code 6000. */
const ERRORS = [
  'NotApproved',
  'InvalidOwner',
  'EmptySupply',
  'InvalidInput',
  'IncorrectLpMint',
  'ExceededSlippage',
  'ZeroTradingTokens',
  'NotSupportMint',
  'InvalidVault',
  'InitLpAmountTooLess',
  'TransferFeeCalculateNotMatch',
] as const;

export const RAYDIUM_CPMM: Amm<CpmmPool> = {
  programId: PROGRAM_ID,
  addresses,
  accounts,
  decode,
  openingAccounts,
  openingFee,
  swap,
  swaps,
  pageOf: (mint) => `https://raydium.io/swap/?inputMint=sol&outputMint=${mint.toBase58()}`,
  errorName: (code) => ERRORS[code - 6000],
  isSlippage: (code) => ERRORS[code - 6000] === 'ExceededSlippage',
};
