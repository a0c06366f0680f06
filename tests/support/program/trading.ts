// A trader whose trades must match the SDK's quote exactly, and whose refused trades must change nothing.
import type { Keypair, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  quoteBuy,
  quoteSell,
  type BuyTokenArgs,
  type SellTokenArgs,
} from '@curvekit/sdk';
import { SOL } from '#tests/constants.js';
import { useCluster, useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { afterBuy, afterSell, holdings } from './holdings.js';
import { rawInstructions } from './raw-instructions.js';
import { buyTokens, curveState, launch, openTokenAccount, tokensOf, type Token } from './tokens.js';
import { buyRecord, expectTradeRecords, sellRecord } from './trade-records.js';

/** Starts a cluster with a funded trader for the surrounding `describe`. */
export function useTrading({ isKeyHeld = false } = {}) {
  const cluster = isKeyHeld ? useKeyHeldCluster() : useCluster();
  const raw = () => rawInstructions(cluster().deployment);
  let wallet: Keypair;

  before('fund the trader', async () => {
    wallet = await cluster().fundedWallet(1_000n * SOL);
  });

  const trader = () => wallet;
  const tokensOfTrader = ({ mint }: Token): Promise<bigint> =>
    tokensOf(cluster().connection, associatedTokenAddress(wallet.publicKey, mint).address);

  /** A token for which the wallet already has an account, so that a buy changes only the trade's balances. */
  async function launchFor({ publicKey } = wallet): Promise<Token> {
    const token = await launch(cluster());
    await openTokenAccount(cluster(), publicKey, token.mint);
    return token;
  }

  /** A token of which the trader has bought for ten SOL. */
  async function launchAndBuy(): Promise<Token> {
    const token = await launch(cluster());
    await buyTokens(cluster(), token, wallet, 10n * SOL);
    return token;
  }

  /** Buys, and expects the chain to match the SDK's quote exactly. The cluster's own wallet pays the network fee. */
  async function expectBuy(token: Token, solToSpend: bigint, minTokenToReceive = 0n) {
    const quote = quoteBuy(await curveState(cluster(), token), solToSpend);
    const args = { solToSpend, minTokenToReceive };
    const moved = await send(token, raw().rawBuyToken(token.mint, wallet.publicKey, { args }));
    expect(moved.after).to.deep.equal(afterBuy(moved.before, quote));
    await expectTradeRecords(cluster(), moved.sent, [buyRecord(token, wallet.publicKey, quote)]);
    return { quote, ...moved };
  }

  /** Sells, with the same expectations. */
  async function expectSell(token: Token, tokenToSpend: bigint, minSolToReceive = 0n) {
    const quote = quoteSell(await curveState(cluster(), token), tokenToSpend);
    const args = { tokenToSpend, minSolToReceive };
    const moved = await send(token, raw().rawSellToken(token.mint, wallet.publicKey, { args }));
    expect(moved.after).to.deep.equal(afterSell(moved.before, quote));
    await expectTradeRecords(cluster(), moved.sent, [sellRecord(token, wallet.publicKey, quote)]);
    return { quote, ...moved };
  }

  async function send(token: Token, instruction: TransactionInstruction) {
    const before = await holdings(cluster(), token, wallet.publicKey);
    const sent = await cluster().send([instruction], [cluster().payer, wallet]);
    return { before, sent, after: await holdings(cluster(), token, wallet.publicKey) };
  }

  async function expectBuyRefused({ mint }: Token, args: Partial<BuyTokenArgs>, expected: string) {
    const instruction = raw().rawBuyToken(mint, wallet.publicKey, { args });
    const error = await expectRefused(cluster(), [instruction], [wallet], expected);
    expect(error.instruction).to.deep.equal({ index: 0, name: 'buyToken' });
  }

  async function expectSellRefused({ mint }: Token, args: Partial<SellTokenArgs>, expected: string) {
    const instruction = raw().rawSellToken(mint, wallet.publicKey, { args });
    const error = await expectRefused(cluster(), [instruction], [wallet], expected);
    expect(error.instruction).to.deep.equal({ index: 0, name: 'sellToken' });
  }

  return {
    cluster,
    trader,
    tokensOfTrader,
    launchFor,
    launchAndBuy,
    expectBuy,
    expectSell,
    expectBuyRefused,
    expectSellRefused,
  };
}
