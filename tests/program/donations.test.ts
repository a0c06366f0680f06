// Anyone can send lamports and tokens to a curve and to its vault. Such donations must not change a price. threat: donated-price
import { NATIVE_MINT } from '@solana/spl-token';
import type { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  GRADUATION_VIRTUAL_TOKEN,
  quoteBuy,
  quoteSell,
  TOKEN_OWNER_DATA_SIZE,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES } from '@curvekit/testing';
import { rentOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { afterBuy, afterSell, holdings } from '#tests/program/holdings.js';
import { rawBuyToken, rawSellToken } from '#tests/program/raw-instructions.js';
import {
  buyTokens,
  curveState,
  launch,
  openOtherTokenAccount,
  openTokenAccount,
  transferTokens,
  WHOLE_CURVE_LAMPORTS,
  type Token,
} from '#tests/program/tokens.js';
import { SOL, TOKEN } from '#tests/constants.js';

describe('donations', () => {
  const cluster = useCluster();
  let trader: Keypair;
  /** A wallet that holds tokens to donate. */
  let donor: Keypair;

  before(async () => {
    [trader, donor] = (await cluster().fundedWallets(2, 1_000n * SOL)) as [Keypair, Keypair];
  });

  async function launchAndBuy(): Promise<Token> {
    const token = await launch(cluster());
    await buyTokens(cluster(), token, trader, 5n * SOL);
    await buyTokens(cluster(), token, donor, 20n * SOL);
    return token;
  }

  const DONATIONS: readonly (readonly [what: string, donate: (token: Token) => Promise<unknown>])[] = [
    ['a lamport to the curve', ({ curve }) => cluster().fund(curve.address, 1n)],
    ['500 SOL to the curve', ({ curve }) => cluster().fund(curve.address, 500n * SOL)],
    ['lamports to the vault', ({ vault }) => cluster().fund(vault.address, SOL)],
    ['a unit to the vault', ({ mint, vault }) => transferTokens(cluster(), mint, donor, vault.address, 1n)],
    [
      '100,000,000 tokens to the vault',
      ({ mint, vault }) => transferTokens(cluster(), mint, donor, vault.address, 100_000_000n * TOKEN),
    ],
    [
      'tokens to a second account of the curve',
      async ({ mint, curve }) => {
        const second = await openOtherTokenAccount(cluster(), curve.address, mint);
        await transferTokens(cluster(), mint, donor, second, 1_000_000n * TOKEN);
      },
    ],
    [
      'wrapped SOL to the curve',
      async ({ curve }) => {
        const wrapped = await openTokenAccount(cluster(), curve.address, NATIVE_MINT);
        await cluster().fund(wrapped, SOL);
      },
    ],
  ];

  for (const [what, donate] of DONATIONS) {
    it(`Given ${what}, when a trader buys and sells, then the prices are those quoted before the donation`, async () => {
      const { connection, payer } = cluster();
      const token = await launchAndBuy();
      const state = await curveState(cluster(), token);
      const bought = quoteBuy(state, SOL);
      const { virtualSol, virtualToken } = bought;
      const sold = quoteSell({ ...state, virtualSol, virtualToken }, 1_000_000n * TOKEN);
      const data = (await connection.getAccountInfo(token.curve.address))!.data;

      await donate(token);

      expect((await connection.getAccountInfo(token.curve.address))!.data).to.deep.equal(data);
      const before = await holdings(cluster(), token, trader.publicKey);
      const purchase = { args: { solToSpend: SOL, minTokenToReceive: bought.tokenOut } };
      await cluster().send([rawBuyToken(token.mint, trader.publicKey, purchase)], [payer, trader]);
      const between = await holdings(cluster(), token, trader.publicKey);
      expect(between).to.deep.equal(afterBuy(before, bought));

      const sale = { args: { tokenToSpend: sold.tokenToSpend, minSolToReceive: sold.solOut } };
      await cluster().send([rawSellToken(token.mint, trader.publicKey, sale)], [payer, trader]);
      const after = await holdings(cluster(), token, trader.publicKey);
      expect(after).to.deep.equal(afterSell(between, sold));
    });
  }

  it('invariant 3: Given donated SOL, when all holders sell all tokens, then the donation stays in the curve', async () => {
    const { connection } = cluster();
    const token = await launchAndBuy();
    const donation = 3n * SOL + 7n;
    await cluster().fund(token.curve.address, donation);
    for (const holder of [trader, donor]) {
      const { traderTokens: tokenToSpend } = await holdings(cluster(), token, holder.publicKey);
      const sale = rawSellToken(token.mint, holder.publicKey, { args: { tokenToSpend } });
      await cluster().send([sale], [holder]);
    }
    const { state, curveLamports } = await holdings(cluster(), token, trader.publicKey);
    const rent = await rentOf(connection, TOKEN_OWNER_DATA_SIZE);
    const { initialVirtualSol, initialVirtualToken } = DEFAULT_PROPERTIES;
    expect(state.virtualToken).to.equal(initialVirtualToken);
    expect(curveLamports).to.equal(rent + (state.virtualSol - initialVirtualSol) + donation);
  });

  it('invariant 7: Given donated tokens, when the curve sells out, then it graduates at the same point, and the vault keeps the donated tokens', async () => {
    const token = await launchAndBuy();
    const donation = 7_000_000n * TOKEN;
    await transferTokens(cluster(), token.mint, donor, token.vault.address, donation);
    const state = await curveState(cluster(), token);
    const available = state.virtualToken - GRADUATION_VIRTUAL_TOKEN;
    const before = await holdings(cluster(), token, trader.publicKey);
    await buyTokens(cluster(), token, trader, WHOLE_CURVE_LAMPORTS);
    const after = await holdings(cluster(), token, trader.publicKey);
    expect(after.state).to.include({ initialized: 2, virtualToken: GRADUATION_VIRTUAL_TOKEN });
    expect(after.traderTokens - before.traderTokens).to.equal(available);
    expect(after.vaultTokens).to.equal(before.vaultTokens - available);
    // With the default properties 207,000,000 tokens remain in the vault for the DEX.
    expect(after.vaultTokens).to.equal(207_000_000n * TOKEN + donation);
  });

  it('Given donated tokens, when the donor wants them back, then the donor must buy them like any trader', async () => {
    const token = await launchAndBuy();
    const { traderTokens: held } = await holdings(cluster(), token, donor.publicKey);
    await transferTokens(cluster(), token.mint, donor, token.vault.address, held);
    const account = associatedTokenAddress(donor.publicKey, token.mint).address;
    const quote = quoteBuy(await curveState(cluster(), token), SOL);
    await buyTokens(cluster(), token, donor, SOL);
    const { traderTokens } = await holdings(cluster(), token, donor.publicKey, account);
    expect(traderTokens).to.equal(quote.tokenOut);
  });
});
