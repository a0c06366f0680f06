// Accounts and bumps of buyToken and sellToken: unusual ones that the program accepts, and wrong ones that it refuses.
// threat: second-vault, one-account-twice
import { NATIVE_MINT, createApproveInstruction } from '@solana/spl-token';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  buy,
  InvalidArgumentError,
  KEY_HELD_DEPLOYMENT,
  LOGGING_AUTHORITY_BUMP,
  quoteBuy,
  quoteSell,
} from '@curvekit/sdk';
import { rejection } from '#tests/mocha/failures.js';
import { afterBuy, holdings, afterSell } from '#tests/program/holdings.js';
import { wrongNonces } from '#tests/program/non-canonical.js';
import { rawInstructions } from '#tests/program/raw-instructions.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import {
  curveState,
  launch,
  openOtherTokenAccount,
  openTokenAccount,
  type Token,
  transferTokens,
} from '#tests/program/tokens.js';
import { buyRecord, expectTradeRecords, sellRecord } from '#tests/program/trade-records.js';
import { SOL, TOKEN } from '#tests/constants.js';
import { MATCH, LOGICAL } from '#tests/program/refusals.js';
import { useTrading } from '#tests/program/trading.js';

const { rawBuyToken, rawSellToken } = rawInstructions(KEY_HELD_DEPLOYMENT);

describe('the accounts of buyToken and sellToken', () => {
  const { cluster, trader, launchFor, launchAndBuy, expectBuyRefused, expectSellRefused } = useTrading({
    isKeyHeld: true,
  });
  /** A trading curve. Tests of refusals share it, because a refused transaction does not change it. */
  let quiet: Token;

  before(async () => {
    quiet = await launchAndBuy();
  });

  describe('Given unusual accounts in buyToken', () => {
    it('when the fee receiver buys, then it receives its own fee', async () => {
      const { payer, feeReceiver } = cluster();
      const token = await launchFor(feeReceiver);
      const quote = quoteBuy(await curveState(cluster(), token), SOL);
      const before = await holdings(cluster(), token, feeReceiver.publicKey);
      const instruction = rawBuyToken(token.mint, feeReceiver.publicKey, { args: { solToSpend: SOL } });
      const sent = await cluster().send([instruction], [payer, feeReceiver]);
      const after = await holdings(cluster(), token, feeReceiver.publicKey);
      const lamports = before.traderLamports - quote.net;
      expect(after).to.deep.equal({
        ...afterBuy(before, quote),
        traderLamports: lamports,
        feeLamports: lamports,
      });
      await expectTradeRecords(cluster(), sent, [buyRecord(token, feeReceiver.publicKey, quote)]);
    });

    it('when the trader has no token account, then it is refused', async () => {
      const { mint } = await launch(cluster());
      const instruction = rawBuyToken(mint, trader().publicKey);
      await expectRefused(cluster(), [instruction], [trader()], '3012 AccountNotInitialized');
    });

    it('when the vault is passed as the token account of the trader too, then it is refused', async () => {
      const accounts = { userTokenAccount: quiet.vault.address };
      const instruction = rawBuyToken(quiet.mint, trader().publicKey, { accounts });
      await expectRefused(cluster(), [instruction], [trader()], '2040 ConstraintDuplicateMutableAccount');
    });

    it("when the trader's token account is passed as the vault too, then it is refused", async () => {
      const ownerTokenAccount = associatedTokenAddress(trader().publicKey, quiet.mint).address;
      const instruction = rawBuyToken(quiet.mint, trader().publicKey, { accounts: { ownerTokenAccount } });
      await expectRefused(cluster(), [instruction], [trader()], '6000 BondingCurveDoesNotMatchMint');
    });

    it('when the mint is wrapped SOL, which has no curve, then it is refused', async () => {
      await openTokenAccount(cluster(), trader().publicKey, NATIVE_MINT);
      const instruction = rawBuyToken(NATIVE_MINT, trader().publicKey);
      await expectRefused(cluster(), [instruction], [trader()], '3012 AccountNotInitialized');
    });
  });

  describe('Given unusual accounts in sellToken', () => {
    it('when the fee receiver sells, then it receives its own fee', async () => {
      const { payer, feeReceiver } = cluster();
      const token = await launchAndBuy();
      const account = await openTokenAccount(cluster(), feeReceiver.publicKey, token.mint);
      await transferTokens(cluster(), token.mint, trader(), account, 1_000n * TOKEN);
      const quote = quoteSell(await curveState(cluster(), token), 1_000n * TOKEN);
      const before = await holdings(cluster(), token, feeReceiver.publicKey);
      const args = { tokenToSpend: 1_000n * TOKEN };
      const instruction = rawSellToken(token.mint, feeReceiver.publicKey, { args });
      const sent = await cluster().send([instruction], [payer, feeReceiver]);
      const after = await holdings(cluster(), token, feeReceiver.publicKey);
      const lamports = before.traderLamports + quote.gross;
      expect(after).to.deep.equal({
        ...afterSell(before, quote),
        traderLamports: lamports,
        feeLamports: lamports,
      });
      await expectTradeRecords(cluster(), sent, [sellRecord(token, feeReceiver.publicKey, quote)]);
    });

    it('when a second token account of the curve replaces the vault, then it is refused', async () => {
      const ownerTokenAccount = await openOtherTokenAccount(cluster(), quiet.curve.address, quiet.mint);
      const instruction = rawSellToken(quiet.mint, trader().publicKey, { accounts: { ownerTokenAccount } });
      await expectRefused(cluster(), [instruction], [trader()], MATCH);
    });

    it('when the vault is passed as the token account of the trader too, then it is refused', async () => {
      const accounts = { userTokenAccount: quiet.vault.address };
      const instruction = rawSellToken(quiet.mint, trader().publicKey, { accounts });
      await expectRefused(cluster(), [instruction], [trader()], '2015 ConstraintTokenOwner');
    });

    it("when the trader's token account is passed as the vault too, then it is refused", async () => {
      const ownerTokenAccount = associatedTokenAddress(trader().publicKey, quiet.mint).address;
      const instruction = rawSellToken(quiet.mint, trader().publicKey, { accounts: { ownerTokenAccount } });
      await expectRefused(cluster(), [instruction], [trader()], MATCH);
    });

    it('when a delegate of a token account sells from it, then it is refused', async () => {
      const { payer } = cluster();
      const account = associatedTokenAddress(trader().publicKey, quiet.mint).address;
      const approve = createApproveInstruction(account, payer.publicKey, trader().publicKey, 1_000n * TOKEN);
      await cluster().send([approve], [trader()]);
      const accounts = { userTokenAccount: account };
      const instruction = rawSellToken(quiet.mint, payer.publicKey, { accounts });
      await expectRefused(cluster(), [instruction], [], '2015 ConstraintTokenOwner');
    });
  });

  describe('Given bumps that are not canonical', () => {
    for (const [name, refused] of [
      ['buyToken', expectBuyRefused],
      ['sellToken', expectSellRefused],
    ] as const) {
      it(`when pdaTokenNonce of ${name} is not canonical, then the curve does not match the mint`, async () => {
        for (const pdaTokenNonce of wrongNonces(quiet)) await refused(quiet, { pdaTokenNonce }, MATCH);
      });

      for (const loggingAccountBump of [LOGGING_AUTHORITY_BUMP - 1, 0]) {
        it(`when loggingAccountBump of ${name} is ${loggingAccountBump}, then it is refused`, () =>
          refused(quiet, { loggingAccountBump }, LOGICAL));
      }
    }

    it('when the SDK gets another nonce, then it refuses and names the argument', async () => {
      const params = { mint: quiet.mint, payer: trader().publicKey, solToSpend: SOL, minTokenToReceive: 0n };
      const building = Promise.resolve().then(() => buy({ ...params, pdaTokenNonce: quiet.curve.bump - 1 }));
      expect(await rejection(building, InvalidArgumentError)).to.have.property('argument', 'pdaTokenNonce');
    });
  });
});
