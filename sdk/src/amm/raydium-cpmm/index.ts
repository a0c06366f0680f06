/** Raydium's CPMM: its addresses, accounts and swap instruction. Its maths is in `maths.ts`. */
import type { PublicKey } from '../../chain/types.js';

export { accounts, decode, openingFee, opensPools } from './accounts.js';
export { addresses, PROGRAM_ID as programId } from './addresses.js';
export { openingAccounts } from './opening.js';
export { swap } from './swap.js';
export { swaps } from './swaps.js';

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

export function pageOf(mint: PublicKey): string {
  return `https://raydium.io/swap/?inputMint=sol&outputMint=${mint.toBase58()}`;
}

export function errorName(code: number): string | undefined {
  return ERRORS[code - 6000];
}

export function isSlippage(code: number): boolean {
  return errorName(code) === 'ExceededSlippage';
}
