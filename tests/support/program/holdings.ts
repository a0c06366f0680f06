// Reads every balance that a trade changes, at one slot.
import { unpackAccount } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import {
  associatedTokenAddress,
  decodeTokenOwnerData,
  type BuyQuote,
  type SellQuote,
  type TokenOwnerData,
} from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import type { Token } from './tokens.js';

/** Balances around one curve and one trader, in lamports and token base units. */
export interface Holdings {
  readonly state: TokenOwnerData;
  readonly curveLamports: bigint;
  readonly traderLamports: bigint;
  readonly feeLamports: bigint;
  readonly vaultTokens: bigint;
  readonly traderTokens: bigint;
}

/** Reads the holdings. The trader's token account defaults to the associated one. */
export async function holdings(
  { connection, deployment }: LocalCluster,
  { mint, curve, vault }: Pick<Token, 'mint' | 'curve' | 'vault'>,
  trader: PublicKey,
  traderAccount = associatedTokenAddress(trader, mint).address,
): Promise<Holdings> {
  const addresses = [curve.address, trader, deployment.feeReceiver, vault.address, traderAccount];
  const accounts = await connection.getMultipleAccountsInfo(addresses);
  const lamports = accounts.map((account) => BigInt(account?.lamports ?? 0));
  const tokens = (index: number): bigint => {
    const account = accounts[index];
    return account === null || account === undefined ? 0n : unpackAccount(addresses[index]!, account).amount;
  };
  return {
    state: decodeTokenOwnerData(accounts[0]!.data),
    curveLamports: lamports[0]!,
    traderLamports: lamports[1]!,
    feeLamports: lamports[2]!,
    vaultTokens: tokens(3),
    traderTokens: tokens(4),
  };
}

/** The expected holdings after a buy by a trader who pays no transaction fee. */
export function afterBuy(before: Holdings, quote: BuyQuote): Holdings {
  const { tokenOut, net, fee, virtualSol, virtualToken, graduates } = quote;
  return {
    state: { ...before.state, virtualSol, virtualToken, initialized: graduates ? 2 : 1 },
    curveLamports: before.curveLamports + net,
    traderLamports: before.traderLamports - net - fee,
    feeLamports: before.feeLamports + fee,
    vaultTokens: before.vaultTokens - tokenOut,
    traderTokens: before.traderTokens + tokenOut,
  };
}

/** The expected holdings after a sell by a trader who pays no transaction fee. */
export function afterSell(before: Holdings, quote: SellQuote): Holdings {
  const { tokenToSpend, gross, fee, solOut, virtualSol, virtualToken } = quote;
  return {
    state: { ...before.state, virtualSol, virtualToken },
    curveLamports: before.curveLamports - gross,
    traderLamports: before.traderLamports + solOut,
    feeLamports: before.feeLamports + fee,
    vaultTokens: before.vaultTokens + tokenToSpend,
    traderTokens: before.traderTokens - tokenToSpend,
  };
}
