// Valid calls for a token. Steps alter them.
import type { CreateTokenArgs, TokenAddresses } from '@curvekit/sdk';
import type { PublicKey } from '@solana/web3.js';
import {
  rawAdminSetProperties,
  rawBuyToken,
  rawCreateToken,
  rawMigrate,
  rawSellToken,
  rawValidateLogRecord,
} from '#tests/program/raw-instructions.js';
import { callOf, type Call } from './call.js';

export interface AddressedToken extends TokenAddresses {
  readonly mint: PublicKey;
}

interface TradeArgs {
  readonly amount: bigint;
  readonly minimum: bigint;
}

type Terms = Partial<CreateTokenArgs>;

export function createCall({ mint }: AddressedToken, payer: PublicKey, args: Terms): Call {
  return callOf(rawCreateToken(mint, payer, { args }));
}

export function buyCall(
  { mint }: AddressedToken,
  payer: PublicKey,
  userTokenAccount: PublicKey,
  { amount, minimum }: TradeArgs,
): Call {
  const args = { solToSpend: amount, minTokenToReceive: minimum };
  return callOf(rawBuyToken(mint, payer, { accounts: { userTokenAccount }, args }));
}

export function sellCall(
  { mint }: AddressedToken,
  payer: PublicKey,
  userTokenAccount: PublicKey,
  { amount, minimum }: TradeArgs,
): Call {
  const args = { tokenToSpend: amount, minSolToReceive: minimum };
  return callOf(rawSellToken(mint, payer, { accounts: { userTokenAccount }, args }));
}

/** @param feeTokenAccount the fee receiver's */
export function migrateCall({ mint }: AddressedToken, feeTokenAccount: PublicKey): Call {
  return callOf(rawMigrate(mint, { accounts: { feeTokenAccount } }));
}

export const logCall = (): Call => callOf(rawValidateLogRecord());

export function propertiesCall(args: NonNullable<Parameters<typeof rawAdminSetProperties>[0]>['args']): Call {
  return callOf(rawAdminSetProperties({ args: args! }));
}
