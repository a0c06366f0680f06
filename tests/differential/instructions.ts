// Valid trades of a token. Steps alter them.
import type { PublicKey } from '@solana/web3.js';
import { rawBuyToken, rawSellToken } from '#tests/program/raw-instructions.js';
import type { AddressedToken } from '../fuzz/keys.js';
import { callOf, type Call } from './call.js';

export function tradeCall(
  name: 'buy' | 'sell',
  { mint }: AddressedToken,
  payer: PublicKey,
  userTokenAccount: PublicKey,
  amount = 0n,
): Call {
  const accounts = { userTokenAccount };
  const instruction =
    name === 'buy'
      ? rawBuyToken(mint, payer, { accounts, args: { solToSpend: amount, minTokenToReceive: 0n } })
      : rawSellToken(mint, payer, { accounts, args: { tokenToSpend: amount, minSolToReceive: 0n } });
  return callOf(instruction);
}
