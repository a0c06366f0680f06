import { createToken } from '@curvekit/sdk';
import { Keypair, PublicKey } from '@solana/web3.js';
import type { MarketConfig } from '../market/types.js';
import { chainOf } from './connection.js';
import { send } from './send.js';
import type { Sign, Steps } from './types.js';

export interface LaunchOrder {
  readonly wallet: string;
  readonly mint: Keypair;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly terms: {
    readonly feeBps: number;
    readonly burnBps: number;
    readonly holdersBps: number;
    readonly lpBps: number;
  };
  readonly firstBuy: { readonly solToSpend: bigint; readonly minTokenToReceive: bigint } | undefined;
  readonly sign: Sign;
  readonly steps: Steps;
}

/** A new key for a token's mint. */
export const newMint = () => Keypair.generate();

export async function launch(config: MarketConfig, order: LaunchOrder): Promise<string> {
  const chain = chainOf(config);
  const payer = new PublicKey(order.wallet);
  const { mint, name, symbol, uri, terms, firstBuy, sign, steps } = order;
  const instructions = createToken({
    payer,
    mint: mint.publicKey,
    name,
    symbol,
    uri,
    afterMigrationFee: terms.feeBps,
    afterMigrationBurnBp: terms.burnBps,
    afterMigrationHoldersBp: terms.holdersBps,
    afterMigrationLpBp: terms.lpBps,
    firstBuy,
    deployment: chain.deployment,
  });
  return send(chain, { payer, instructions, sign, steps, cosigner: mint });
}
