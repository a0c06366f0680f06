// Buys and sells on a cluster, to the base unit. The player of tests/fuzz takes random ones, and tests/differential those with
// a fault. threat: last-tokens
import type { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  buy,
  decodeRecords,
  encodeTokenOwnerData,
  GRADUATION_VIRTUAL_TOKEN,
  quoteBuy,
  quoteSell,
  sell,
  TOKEN_SUPPLY,
  type CurveState,
} from '@curvekit/sdk';
import { type SentTransaction } from '@curvekit/testing';
import { useCluster } from '#tests/cluster/cluster.js';
import { expectRefused, LOGICAL, SLIPPAGE } from '#tests/cluster/refusals.js';
import { SOL, TOKEN, U64_MAX } from '#tests/constants.js';
import { afterBuy, afterSell, holdings, type Holdings } from '#tests/program/holdings.js';
import { rawBuyToken, rawSellToken } from '#tests/program/raw-instructions.js';
import {
  buyTokens,
  curveState,
  launch,
  openOtherTokenAccount,
  transferTokens,
  WHOLE_CURVE_LAMPORTS,
  type Token,
} from '#tests/program/tokens.js';

interface Quoted {
  readonly out: bigint;
  readonly after: (before: Holdings) => Holdings;
  readonly record: object;
  readonly state: CurveState;
}

function quoteOf(name: 'buyToken' | 'sellToken', state: CurveState, amount: bigint): Quoted {
  const isBuy = name === 'buyToken';
  const quote = isBuy ? quoteBuy(state, amount) : quoteSell(state, amount);
  const { virtualSol, virtualToken, fee } = quote;
  const common = { isBuy, fee, virtualSol, virtualToken };
  const then = { ...state, virtualSol, virtualToken };
  if ('tokenOut' in quote) {
    const { tokenOut, net, graduates } = quote;
    const record = { ...common, solAmount: net + fee, tokenAmount: tokenOut, finalized: graduates };
    return { out: tokenOut, after: (before) => afterBuy(before, quote), record, state: then };
  }
  const record = { ...common, solAmount: quote.solOut, tokenAmount: amount, finalized: false };
  return { out: quote.solOut, after: (before) => afterSell(before, quote), record, state: then };
}

describe('trades', () => {
  const cluster = useCluster();
  let trader: Keypair;

  before(async () => (trader = await cluster().fundedWallet(1_000n * SOL)));

  async function launchAndBuy(): Promise<Token> {
    const token = await launch(cluster());
    await buyTokens(cluster(), token, trader, 10n * SOL);
    return token;
  }

  const raw = (name: 'buyToken' | 'sellToken', { mint }: Token, amount: bigint, minimum = 0n) =>
    name === 'buyToken'
      ? rawBuyToken(mint, trader.publicKey, { args: { solToSpend: amount, minTokenToReceive: minimum } })
      : rawSellToken(mint, trader.publicKey, { args: { tokenToSpend: amount, minSolToReceive: minimum } });

  /** Sends trades. The cluster's own wallet pays the network fee. */
  async function send(token: Token, instructions: readonly TransactionInstruction[], account?: PublicKey) {
    const before = await holdings(cluster(), token, trader.publicKey, account);
    const sent = await cluster().send([...instructions], [cluster().payer, trader]);
    return { before, sent, after: await holdings(cluster(), token, trader.publicKey, account) };
  }

  async function expectRecords(
    { transaction, signature, slot }: SentTransaction,
    expected: readonly object[],
  ) {
    const { unixTimestamp } = await cluster().clock();
    const records = decodeRecords(transaction);
    for (const record of records) {
      expect(record).to.include({ signature, slot, kind: 'trade' });
      const { timestamp } = record.data;
      expect(timestamp <= unixTimestamp && timestamp > unixTimestamp - 60n).to.equal(true);
    }
    const contents = records.map(({ data }) => ({ ...data, timestamp: undefined }));
    expect(contents).to.deep.equal(expected.map((content) => ({ ...content, timestamp: undefined })));
  }

  /** Trades, and expects the chain to match the SDK's quote exactly. */
  async function expectTrade(name: 'buyToken' | 'sellToken', token: Token, amount: bigint, minimum?: bigint) {
    const quoted = quoteOf(name, await curveState(cluster(), token), amount);
    const moved = await send(token, [raw(name, token, amount, minimum ?? quoted.out)]);
    expect(moved.after).to.deep.equal(quoted.after(moved.before));
    await expectRecords(moved.sent, [{ mint: token.mint, trader: trader.publicKey, ...quoted.record }]);
    return moved;
  }

  for (const [name, amounts] of [
    // 1 % of the last three: a whole number, a hundredth above one, and a hundredth below one.
    ['buyToken', [SOL, 1_234_567_891n, 1_000_000n, 1_000_001n, 1_000_099n]],
    ['sellToken', [TOKEN, 1_234_567_891n, 1_000_000n * TOKEN + 1n]],
  ] as const) {
    const [amount] = amounts;

    describe(name, () => {
      it('invariants 4, 5, 6, 9 and 10: balances, reserves and record are exactly as quoted, with the highest minimum', async () => {
        const token = await launchAndBuy();
        for (const each of amounts) {
          const { before, after } = await expectTrade(name, token, each);
          expect(after.vaultTokens + after.traderTokens).to.equal(TOKEN_SUPPLY);
          const fee = after.feeLamports - before.feeLamports;
          const moved = after.curveLamports - before.curveLamports;
          const gross = moved > 0n ? moved + fee : -moved;
          expect(fee).to.equal((gross + 99n) / 100n);
          const account = await cluster().connection.getAccountInfo(token.curve.address);
          expect(account!.data).to.deep.equal(Buffer.from(encodeTokenOwnerData(after.state)));
          expect(account!.owner.equals(cluster().programId)).to.equal(true);
        }
      });

      it('takes a token account of the trader that is not the associated one, by the SDK', async () => {
        const token = await launchAndBuy();
        const userTokenAccount = await openOtherTokenAccount(cluster(), trader.publicKey, token.mint);
        await transferTokens(cluster(), token.mint, trader, userTokenAccount, 1_000n * TOKEN);
        const quoted = quoteOf(name, await curveState(cluster(), token), amount);
        const common = { mint: token.mint, payer: trader.publicKey, userTokenAccount };
        const instructions =
          name === 'buyToken'
            ? buy({ ...common, solToSpend: amount, minTokenToReceive: quoted.out })
            : sell({ ...common, tokenToSpend: amount, minSolToReceive: quoted.out });
        const { before, after } = await send(token, instructions, userTokenAccount);
        expect(after).to.deep.equal(quoted.after(before));
      });

      it('invariant 9: leaves two records of two trades in a transaction; when the second fails, then neither happens', async () => {
        const token = await launchAndBuy();
        const first = quoteOf(name, await curveState(cluster(), token), amount);
        const second = quoteOf(name, first.state, 2n * amount);
        const { sent, before, after } = await send(token, [
          raw(name, token, amount),
          raw(name, token, 2n * amount),
        ]);
        expect(after).to.deep.equal(second.after(first.after(before)));
        const whose = { mint: token.mint, trader: trader.publicKey };
        await expectRecords(sent, [
          { ...whose, ...first.record },
          { ...whose, ...second.record },
        ]);
        const error = await expectRefused(
          cluster(),
          [raw(name, token, amount), raw(name, token, 0n)],
          [trader],
          LOGICAL,
        );
        expect(error.instruction).to.deep.equal({ index: 1, name });
      });
    });
  }

  it('invariant 7: when a buy asks for more than the last tokens above the graduation reserve, then it is clipped, the minimum limits its price, and the rest of the SOL stays', async () => {
    const token = await launchAndBuy();
    const { tokenOut, solSpent, clipped } = quoteBuy(
      await curveState(cluster(), token),
      WHOLE_CURVE_LAMPORTS,
    );
    const highest = (tokenOut * WHOLE_CURVE_LAMPORTS) / solSpent;
    expect(clipped && highest > tokenOut).to.equal(true);
    for (const minimum of [highest + 1n, U64_MAX])
      await expectRefused(
        cluster(),
        [raw('buyToken', token, WHOLE_CURVE_LAMPORTS, minimum)],
        [trader],
        SLIPPAGE,
      );
    const { before, after } = await expectTrade('buyToken', token, WHOLE_CURVE_LAMPORTS, highest);
    expect(after.state).to.include({ initialized: 2, virtualToken: GRADUATION_VIRTUAL_TOKEN });
    expect(before.traderLamports - after.traderLamports).to.equal(solSpent);
  });
});
