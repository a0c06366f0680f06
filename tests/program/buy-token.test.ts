import { expect } from 'chai'; // threat: last-tokens, sandwich
import {
  adminSetProperties,
  buy,
  encodeTokenOwnerData,
  GRADUATION_VIRTUAL_TOKEN,
  InvalidArgumentError,
  ProgramError,
  quoteBuy,
  quoteBuyExactOut,
  TOKEN_SUPPLY,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES } from '@curvekit/testing';
import { lamportsOf, rentOf } from '#tests/cluster/accounts.js';
import { rejection } from '#tests/mocha/failures.js';
import { afterBuy, holdings } from '#tests/program/holdings.js';
import { rawBuyToken, rawSellToken } from '#tests/program/raw-instructions.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import {
  buyTokens,
  curveState,
  launch,
  launchGraduated,
  openOtherTokenAccount,
  openTokenAccount,
  WHOLE_CURVE_LAMPORTS,
  type Token,
} from '#tests/program/tokens.js';
import { buyRecord, expectTradeRecords } from '#tests/program/trade-records.js';
import { SOL, U64_MAX } from '#tests/constants.js';
import { CLOSED, SLIPPAGE, LOGICAL } from '#tests/program/refusals.js';
import { useTrading } from '#tests/program/trading.js';

describe('buyToken', () => {
  const { cluster, trader, launchFor, expectBuy, expectBuyRefused } = useTrading();
  /** A trading curve. Tests of refusals share it, because a refused transaction does not change it. */
  let quiet: Token;

  before(async () => {
    quiet = await launchFor();
  });

  describe('Given a curve that trades, when a trader buys', () => {
    it('invariant 10: then tokens, SOL, fee and reserves change exactly as quoted', async () => {
      const token = await launchFor();
      for (const solToSpend of [SOL, 1_234_567_891n, 7n * SOL + 1n]) await expectBuy(token, solToSpend);
    });

    it('then the curve account holds exactly the new state, and keeps its address and owner', async () => {
      const token = await launchFor();
      const { quote, before } = await expectBuy(token, SOL);
      const { virtualSol, virtualToken } = quote;
      const account = await cluster().connection.getAccountInfo(token.curve.address);
      const expected = encodeTokenOwnerData({ ...before.state, initialized: 1, virtualSol, virtualToken });
      expect(account!.data.toString('hex')).to.equal(Buffer.from(expected).toString('hex'));
      expect(account!.owner.toBase58()).to.equal(cluster().programId.toBase58());
    });

    it('invariant 4: then vault and trader together hold the whole supply', async () => {
      const token = await launchFor();
      const { after } = await expectBuy(token, 3n * SOL);
      expect(after.vaultTokens + after.traderTokens).to.equal(TOKEN_SUPPLY);
    });

    it('invariant 5: then the fee, rounded up, and the net amount add up to the SOL spent', async () => {
      const token = await launchFor();
      // 1 % of these: a whole number, a hundredth above one, and a hundredth below one.
      for (const [solToSpend, fee] of [
        [1_000_000n, 10_000n],
        [1_000_001n, 10_001n],
        [1_000_099n, 10_001n],
      ] as const) {
        const { before, after } = await expectBuy(token, solToSpend);
        expect(after.feeLamports - before.feeLamports).to.equal(fee);
        expect(after.curveLamports - before.curveLamports).to.equal(solToSpend - fee);
      }
    });

    it('then the trader can use its own token account that is not the associated one', async () => {
      const { payer } = cluster();
      const token = await launch(cluster());
      const account = await openOtherTokenAccount(cluster(), trader().publicKey, token.mint);
      const quote = quoteBuy(await curveState(cluster(), token), SOL);
      const before = await holdings(cluster(), token, trader().publicKey, account);
      const instructions = buy({
        mint: token.mint,
        payer: trader().publicKey,
        solToSpend: SOL,
        minTokenToReceive: quote.tokenOut,
        userTokenAccount: account,
      });
      await cluster().send(instructions, [payer, trader()]);
      const after = await holdings(cluster(), token, trader().publicKey, account);
      expect(after).to.deep.equal(afterBuy(before, quote));
    });

    it('then the SDK creates the missing token account, and the trader pays the rent', async () => {
      const { connection, payer } = cluster();
      const token = await launch(cluster());
      const before = await lamportsOf(connection, trader().publicKey);
      const instructions = buy({
        mint: token.mint,
        payer: trader().publicKey,
        solToSpend: SOL,
        minTokenToReceive: 0n,
      });
      await cluster().send(instructions, [payer, trader()]);
      const paid = before - (await lamportsOf(connection, trader().publicKey));
      expect(paid).to.equal(SOL + (await rentOf(connection, 165)));
    });
  });

  describe('Given a minimum number of tokens to receive', () => {
    it('invariant 6: when the buy yields exactly the minimum, then it succeeds', async () => {
      const token = await launchFor();
      const { tokenOut } = quoteBuy(await curveState(cluster(), token), SOL);
      await expectBuy(token, SOL, tokenOut);
    });

    it('invariant 6: when the buy yields one base unit less, then the whole buy fails', async () => {
      const { tokenOut } = quoteBuy(await curveState(cluster(), quiet), SOL);
      await expectBuyRefused(quiet, { solToSpend: SOL, minTokenToReceive: tokenOut + 1n }, SLIPPAGE);
    });

    it('when the minimum is 2^64 − 1, then the whole buy fails', () =>
      expectBuyRefused(quiet, { solToSpend: SOL, minTokenToReceive: U64_MAX }, SLIPPAGE));

    it('when the buy yields no tokens, then it fails with the slippage error', () =>
      expectBuyRefused(quiet, { solToSpend: 1n, minTokenToReceive: 1n }, SLIPPAGE));

    it('when another wallet buys between quote and buy, then the quoted minimum protects the trader', async () => {
      const token = await launchFor();
      const { minTokenToReceive } = quoteBuy(await curveState(cluster(), token), SOL, 50);
      await buyTokens(cluster(), token, cluster().payer, SOL);
      await expectBuyRefused(token, { solToSpend: SOL, minTokenToReceive }, SLIPPAGE);
    });
  });

  describe('Given invalid amounts', () => {
    it('when no lamports are spent, then it is refused', () =>
      expectBuyRefused(quiet, { solToSpend: 0n }, LOGICAL));

    it('when no lamports are spent and there is a minimum, then the zero amount is the error', () =>
      expectBuyRefused(quiet, { solToSpend: 0n, minTokenToReceive: 1n }, LOGICAL));

    it('when the fee takes all the lamports, then the buy would yield no tokens and is refused', () =>
      expectBuyRefused(quiet, { solToSpend: 1n }, LOGICAL));

    it('when the lamports exceed what the trader has, then the System program refuses', async () => {
      const poor = await cluster().fundedWallet(SOL);
      await openTokenAccount(cluster(), poor.publicKey, quiet.mint);
      for (const solToSpend of [SOL + 1n, U64_MAX]) {
        const instruction = rawBuyToken(quiet.mint, poor.publicKey, { args: { solToSpend } });
        await expectRefused(cluster(), [instruction], [poor], 'System 1');
      }
    });

    it('when the lamports are 2^64 − 1 and the trader can pay for the whole curve, then the buy is clipped to it', async () => {
      const token = await launchFor();
      const { quote, before, after } = await expectBuy(token, U64_MAX);
      expect(quote).to.include({ clipped: true, graduates: true });
      expect(before.traderLamports - after.traderLamports).to.equal(quote.solSpent);
    });

    it('when an amount is out of range, then the SDK refuses and names the argument', async () => {
      const params = { mint: quiet.mint, payer: trader().publicKey, solToSpend: SOL, minTokenToReceive: 0n };
      for (const [argument, value] of [
        ['solToSpend', 0n],
        ['solToSpend', -1n],
        ['solToSpend', U64_MAX + 1n],
        ['minTokenToReceive', -1n],
        ['minTokenToReceive', U64_MAX + 1n],
      ] as const) {
        const building = Promise.resolve().then(() => buy({ ...params, [argument]: value }));
        expect(await rejection(building, InvalidArgumentError)).to.have.property('argument', argument);
      }
    });
  });

  describe('Given the last tokens above the graduation reserve', () => {
    it('invariant 7: when a buy asks for more, then it is clipped, the trader keeps the excess SOL, and the curve is finalized', async () => {
      const token = await launchFor();
      await expectBuy(token, 60n * SOL);
      const { quote, before, after } = await expectBuy(token, WHOLE_CURVE_LAMPORTS);
      expect(quote.clipped).to.equal(true);
      expect(after.state).to.include({ initialized: 2, virtualToken: GRADUATION_VIRTUAL_TOKEN });
      const kept = WHOLE_CURVE_LAMPORTS - (before.traderLamports - after.traderLamports);
      expect(kept).to.equal(WHOLE_CURVE_LAMPORTS - quote.net - quote.fee);
      expect(kept > 60n * SOL).to.equal(true);
    });

    it('invariant 7: when a buy reaches the reserve exactly, then it is not clipped, and the curve is finalized', async () => {
      const { admin } = cluster();
      // From 28 SOL the whole curve costs a whole number of lamports. From the default 30 no buy ends exactly there.
      await cluster().send(adminSetProperties({ ...DEFAULT_PROPERTIES, initialVirtualSol: 28n * SOL }), [
        admin,
      ]);
      const token = await launchFor();
      await cluster().send(adminSetProperties(DEFAULT_PROPERTIES), [admin]);
      const state = await curveState(cluster(), token);
      const available = state.virtualToken - GRADUATION_VIRTUAL_TOKEN;
      const { solToSpend } = quoteBuyExactOut(state, available);
      const { quote, after } = await expectBuy(token, solToSpend, available);
      expect(quote).to.include({
        clipped: false,
        graduates: true,
        tokenOut: available,
        solSpent: solToSpend,
      });
      expect(after.state).to.include({ initialized: 2, virtualToken: GRADUATION_VIRTUAL_TOKEN });
    });

    it('invariant 7: when a buy stops just before the reserve, then the curve keeps trading until the last base unit', async () => {
      const token = await launchFor();
      const state = await curveState(cluster(), token);
      const available = state.virtualToken - GRADUATION_VIRTUAL_TOKEN;
      const { solToSpend } = quoteBuyExactOut(state, available);
      const { quote, after } = await expectBuy(token, solToSpend - 1n);
      expect(quote.tokenOut < available).to.equal(true);
      expect(after.state.initialized).to.equal(1);
      const last = await expectBuy(token, SOL);
      expect(last.quote.tokenOut).to.equal(available - quote.tokenOut);
      expect(last.after.state.initialized).to.equal(2);
    });

    it('invariant 6: when a buy is clipped, then the minimum limits its price instead of its amount', async () => {
      const token = await launchFor();
      const solToSpend = WHOLE_CURVE_LAMPORTS;
      const { tokenOut, solSpent } = quoteBuy(await curveState(cluster(), token), solToSpend);
      const highest = (tokenOut * solToSpend) / solSpent;
      expect(highest > tokenOut).to.equal(true);
      await expectBuyRefused(token, { solToSpend, minTokenToReceive: highest + 1n }, SLIPPAGE);
      await expectBuyRefused(token, { solToSpend, minTokenToReceive: U64_MAX }, SLIPPAGE);
      await expectBuy(token, solToSpend, highest);
    });

    it('invariant 7: when the curve is finalized, then late trades are refused', async () => {
      const token = await launchGraduated(cluster());
      await openTokenAccount(cluster(), trader().publicKey, token.mint);
      await expectBuyRefused(token, { solToSpend: SOL }, CLOSED);
      await expectBuyRefused(token, { solToSpend: U64_MAX, minTokenToReceive: U64_MAX }, CLOSED);
      const { payer } = cluster();
      const sell = rawSellToken(token.mint, payer.publicKey);
      await expectRefused(cluster(), [sell], [], CLOSED);
    });
  });

  describe('Given several trades in one transaction', () => {
    it('invariant 9: when two buys succeed, then there are two records, and the second starts where the first ended', async () => {
      const { payer } = cluster();
      const token = await launchFor();
      const state = await curveState(cluster(), token);
      const first = quoteBuy(state, SOL);
      const { virtualSol, virtualToken } = first;
      const second = quoteBuy({ ...state, virtualSol, virtualToken }, 2n * SOL);
      const instructions = [SOL, 2n * SOL].map((solToSpend) =>
        rawBuyToken(token.mint, trader().publicKey, { args: { solToSpend } }),
      );
      const sent = await cluster().send(instructions, [payer, trader()]);
      const expected = [first, second].map((quote) => buyRecord(token, trader().publicKey, quote));
      await expectTradeRecords(cluster(), sent, expected);
    });

    it('when the second buy fails, then the first is rolled back', async () => {
      const instructions = [SOL, 0n].map((solToSpend) =>
        rawBuyToken(quiet.mint, trader().publicKey, { args: { solToSpend } }),
      );
      const error = await expectRefused(cluster(), instructions, [trader()], LOGICAL);
      expect(error).to.be.instanceOf(ProgramError);
      expect(error.instruction?.index).to.equal(1);
    });
  });
});
