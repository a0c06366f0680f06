import { expect } from 'chai';
import {
  associatedTokenAddress,
  encodeTokenOwnerData,
  InvalidArgumentError,
  quoteSell,
  quoteSellExactOut,
  sell,
  TOKEN_OWNER_DATA_SIZE,
  TOKEN_SUPPLY,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES } from '@curvekit/testing';
import { lamportsOf, rentOf } from '#tests/cluster/accounts.js';
import { rejection } from '#tests/mocha/failures.js';
import { afterSell, holdings } from '#tests/program/holdings.js';
import { rawBuyToken, rawSellToken } from '#tests/program/raw-instructions.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import {
  curveState,
  launch,
  launchGraduated,
  openOtherTokenAccount,
  openTokenAccount,
  transferTokens,
  type Token,
} from '#tests/program/tokens.js';
import { expectTradeRecords, sellRecord } from '#tests/program/trade-records.js';
import { SOL, TOKEN, U64_MAX } from '#tests/constants.js';
import { CLOSED, SLIPPAGE, LOGICAL } from '#tests/program/refusals.js';
import { useTrading } from '#tests/program/trading.js';

describe('sellToken', () => {
  const { cluster, trader, tokensOfTrader, launchAndBuy, expectSell, expectSellRefused } = useTrading();
  /** A trading curve. Tests of refusals share it, because a refused transaction does not change it. */
  let quiet: Token;

  before(async () => {
    quiet = await launchAndBuy();
  });

  describe('Given a curve that trades, when a trader sells', () => {
    it('invariant 10: then tokens, SOL, fee and reserves change exactly as quoted', async () => {
      const token = await launchAndBuy();
      for (const tokenToSpend of [TOKEN, 1_234_567_891n, 1_000_000n * TOKEN + 1n]) {
        await expectSell(token, tokenToSpend);
      }
    });

    it('then the curve account holds exactly the new state, and keeps its address and owner', async () => {
      const token = await launchAndBuy();
      const { quote, before } = await expectSell(token, 5_000n * TOKEN);
      const { virtualSol, virtualToken } = quote;
      const account = await cluster().connection.getAccountInfo(token.curve.address);
      const expected = encodeTokenOwnerData({ ...before.state, virtualSol, virtualToken });
      expect(account!.data.toString('hex')).to.equal(Buffer.from(expected).toString('hex'));
      expect(account!.owner.toBase58()).to.equal(cluster().programId.toBase58());
    });

    it('invariant 3: then the curve keeps its rent and at least its initial SOL when the trader sells everything back', async () => {
      const token = await launchAndBuy();
      const { after } = await expectSell(token, await tokensOfTrader(token));
      const rent = await rentOf(cluster().connection, TOKEN_OWNER_DATA_SIZE);
      const { initialVirtualSol, initialVirtualToken } = DEFAULT_PROPERTIES;
      expect(after.state.virtualToken).to.equal(initialVirtualToken);
      expect(after.state.virtualSol >= initialVirtualSol).to.equal(true);
      expect(after.curveLamports).to.equal(rent + after.state.virtualSol - initialVirtualSol);
    });

    it('invariant 2: then buying and selling back is a loss for the trader, in one sell and in parts', async () => {
      const { connection, payer } = cluster();
      for (const parts of [1n, 7n]) {
        const token = await launch(cluster());
        await openTokenAccount(cluster(), trader().publicKey, token.mint);
        const before = await lamportsOf(connection, trader().publicKey);
        const args = { solToSpend: SOL };
        const instruction = rawBuyToken(token.mint, trader().publicKey, { args });
        await cluster().send([instruction], [payer, trader()]);
        const bought = await tokensOfTrader(token);
        for (let part = 1n; part <= parts; part += 1n) {
          const left = await tokensOfTrader(token);
          await expectSell(token, part === parts ? left : bought / parts);
        }
        const lost = before - (await lamportsOf(connection, trader().publicKey));
        // 1 % on the buy, 1 % on the sell, and rounding.
        expect(lost >= 19_900_000n && lost < 19_900_100n, String(lost)).to.equal(true);
      }
    });

    it('invariant 4: then vault and trader together hold the whole supply', async () => {
      const token = await launchAndBuy();
      const { after } = await expectSell(token, 123_456n * TOKEN);
      expect(after.vaultTokens + after.traderTokens).to.equal(TOKEN_SUPPLY);
    });

    it('invariant 5: then the fee, rounded up, and the SOL for the trader add up to the SOL that leaves the curve', async () => {
      const token = await launchAndBuy();
      for (const wanted of [990_000n, 990_001n, 990_099n]) {
        const { tokenToSpend } = quoteSellExactOut(await curveState(cluster(), token), wanted);
        const { before, after } = await expectSell(token, tokenToSpend);
        const gross = before.curveLamports - after.curveLamports;
        const fee = after.feeLamports - before.feeLamports;
        expect(after.traderLamports - before.traderLamports).to.equal(gross - fee);
        expect(fee).to.equal((gross + 99n) / 100n);
      }
    });

    it('then the SDK closes the empty token account on request, and the trader gets its rent back', async () => {
      const { connection, payer } = cluster();
      const token = await launchAndBuy();
      const quote = quoteSell(await curveState(cluster(), token), await tokensOfTrader(token));
      const account = associatedTokenAddress(trader().publicKey, token.mint).address;
      const rent = await lamportsOf(connection, account);
      const before = await lamportsOf(connection, trader().publicKey);
      const instructions = sell({
        mint: token.mint,
        payer: trader().publicKey,
        tokenToSpend: quote.tokenToSpend,
        minSolToReceive: quote.minSolToReceive,
        closeTokenAccount: true,
      });
      await cluster().send(instructions, [payer, trader()]);
      expect(await connection.getAccountInfo(account)).to.equal(null);
      expect(await lamportsOf(connection, trader().publicKey)).to.equal(before + quote.solOut + rent);
    });

    it('then the trader can sell from its own token account that is not the associated one', async () => {
      const { payer } = cluster();
      const token = await launchAndBuy();
      const account = await openOtherTokenAccount(cluster(), trader().publicKey, token.mint);
      await transferTokens(cluster(), token.mint, trader(), account, 1_000n * TOKEN);
      const quote = quoteSell(await curveState(cluster(), token), 1_000n * TOKEN);
      const before = await holdings(cluster(), token, trader().publicKey, account);
      const instructions = sell({
        mint: token.mint,
        payer: trader().publicKey,
        tokenToSpend: quote.tokenToSpend,
        minSolToReceive: quote.solOut,
        userTokenAccount: account,
      });
      await cluster().send(instructions, [payer, trader()]);
      const after = await holdings(cluster(), token, trader().publicKey, account);
      expect(after).to.deep.equal(afterSell(before, quote));
    });
  });

  describe('Given a minimum number of lamports to receive', () => {
    it('invariant 6: when the sell yields exactly the minimum, then it succeeds', async () => {
      const token = await launchAndBuy();
      const { solOut } = quoteSell(await curveState(cluster(), token), 777n * TOKEN);
      await expectSell(token, 777n * TOKEN, solOut);
    });

    it('invariant 6: when the sell yields one lamport less, then the whole sell fails', async () => {
      const { solOut } = quoteSell(await curveState(cluster(), quiet), 777n * TOKEN);
      const args = { tokenToSpend: 777n * TOKEN, minSolToReceive: solOut + 1n };
      await expectSellRefused(quiet, args, SLIPPAGE);
    });

    it('when the minimum is 2^64 − 1, then the whole sell fails', () =>
      expectSellRefused(quiet, { tokenToSpend: TOKEN, minSolToReceive: U64_MAX }, SLIPPAGE));

    it('when the sell yields no lamports, then it fails with the slippage error', () =>
      expectSellRefused(quiet, { tokenToSpend: 1n, minSolToReceive: 1n }, SLIPPAGE));
  });

  describe('Given invalid amounts', () => {
    it('when no tokens are sold, then it is refused', () =>
      expectSellRefused(quiet, { tokenToSpend: 0n }, LOGICAL));

    it('when no tokens are sold and there is a minimum, then the zero amount is the error', () =>
      expectSellRefused(quiet, { tokenToSpend: 0n, minSolToReceive: 1n }, LOGICAL));

    it('when the tokens are worth less than a lamport, then it is refused', () =>
      expectSellRefused(quiet, { tokenToSpend: 1n }, LOGICAL));

    it('when the fee takes the only lamport, then it is refused', async () => {
      const state = await curveState(cluster(), quiet);
      // The fewest base units worth one lamport. The fee, rounded up, takes this lamport.
      const tokenToSpend = state.virtualToken / (state.virtualSol - 1n) + 1n;
      expect((state.virtualSol * tokenToSpend) / (state.virtualToken + tokenToSpend)).to.equal(1n);
      await expectSellRefused(quiet, { tokenToSpend }, LOGICAL);
    });

    it('when the amount is one base unit more than the trader has, then the token program refuses', async () => {
      const tokenToSpend = (await tokensOfTrader(quiet)) + 1n;
      await expectSellRefused(quiet, { tokenToSpend }, 'Token 1');
    });

    it('when the amount is the most that the reserve can take, then the token program refuses', async () => {
      const { virtualToken } = await curveState(cluster(), quiet);
      await expectSellRefused(quiet, { tokenToSpend: U64_MAX - virtualToken }, 'Token 1');
    });

    it('when the amount is more than the reserve can take, then the program refuses', async () => {
      const { virtualToken } = await curveState(cluster(), quiet);
      for (const tokenToSpend of [U64_MAX - virtualToken + 1n, U64_MAX]) {
        await expectSellRefused(quiet, { tokenToSpend }, LOGICAL);
      }
    });

    it('when an amount is out of range, then the SDK refuses and names the argument', async () => {
      const params = {
        mint: quiet.mint,
        payer: trader().publicKey,
        tokenToSpend: TOKEN,
        minSolToReceive: 0n,
      };
      for (const [argument, value] of [
        ['tokenToSpend', 0n],
        ['tokenToSpend', -1n],
        ['tokenToSpend', U64_MAX + 1n],
        ['minSolToReceive', -1n],
        ['minSolToReceive', U64_MAX + 1n],
      ] as const) {
        const building = Promise.resolve().then(() => sell({ ...params, [argument]: value }));
        expect(await rejection(building, InvalidArgumentError)).to.have.property('argument', argument);
      }
    });
  });

  describe('Given a curve that has graduated', () => {
    it('invariant 7: when a holder sells, then it is refused', async () => {
      const { payer } = cluster();
      const token = await launchGraduated(cluster());
      for (const tokenToSpend of [TOKEN, 1n, U64_MAX]) {
        const instruction = rawSellToken(token.mint, payer.publicKey, { args: { tokenToSpend } });
        await expectRefused(cluster(), [instruction], [], CLOSED);
      }
    });
  });

  describe('Given several trades in one transaction', () => {
    it('invariant 9: when two sells succeed, then there are two records, and the second starts where the first ended', async () => {
      const { payer } = cluster();
      const token = await launchAndBuy();
      const tokenToSpend = 1_000n * TOKEN;
      const before = await holdings(cluster(), token, trader().publicKey);
      const instructions = [
        rawSellToken(token.mint, trader().publicKey, { args: { tokenToSpend } }),
        rawSellToken(token.mint, trader().publicKey, { args: { tokenToSpend } }),
      ];
      const state = await curveState(cluster(), token);
      const first = quoteSell(state, tokenToSpend);
      const { virtualSol, virtualToken } = first;
      const second = quoteSell({ ...state, virtualSol, virtualToken }, tokenToSpend);
      const sent = await cluster().send(instructions, [payer, trader()]);
      const records = [first, second].map((quote) => sellRecord(token, trader().publicKey, quote));
      await expectTradeRecords(cluster(), sent, records);
      const after = await holdings(cluster(), token, trader().publicKey);
      expect(after).to.deep.equal(afterSell(afterSell(before, first), second));
    });
  });
});
