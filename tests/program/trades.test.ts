// Buys and sells on a cluster, to the base unit. The player of tests/fuzz takes random ones, and tests/differential those with
// a fault. threat: last-tokens, sandwich
import type { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  adminSetProperties,
  associatedTokenAddress,
  buy,
  decodeRecords,
  encodeTokenOwnerData,
  GRADUATION_VIRTUAL_TOKEN,
  quoteBuy,
  quoteBuyExactOut,
  quoteSell,
  sell,
  TOKEN_OWNER_DATA_SIZE,
  TOKEN_SUPPLY,
  type CurveState,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES, type SentTransaction } from '@curvekit/testing';
import { lamportsOf, rentOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { SOL, TOKEN, U64_MAX } from '#tests/constants.js';
import { afterBuy, afterSell, holdings, type Holdings } from '#tests/program/holdings.js';
import { rawBuyToken, rawSellToken } from '#tests/program/raw-instructions.js';
import { LOGICAL, SLIPPAGE } from '#tests/program/refusals.js';
import {
  buyTokens,
  curveState,
  launch,
  openOtherTokenAccount,
  openTokenAccount,
  tokensOf,
  transferTokens,
  WHOLE_CURVE_LAMPORTS,
  type Token,
} from '#tests/program/tokens.js';

/** A trade in one direction, by the SDK's quote. */
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
  /** A trading curve of which the trader holds tokens. Only refused trades use it, which do not change it. */
  let quiet: Token;

  before(async () => {
    trader = await cluster().fundedWallet(1_000n * SOL);
    quiet = await launchAndBuy();
  });

  async function launchAndBuy(): Promise<Token> {
    const token = await launch(cluster());
    await buyTokens(cluster(), token, trader, 10n * SOL);
    return token;
  }

  const heldBy = ({ publicKey }: Keypair, { mint }: Token) =>
    tokensOf(cluster().connection, associatedTokenAddress(publicKey, mint).address);

  const raw = (name: 'buyToken' | 'sellToken', { mint }: Token, amount: bigint, minimum = 0n, by = trader) =>
    name === 'buyToken'
      ? rawBuyToken(mint, by.publicKey, { args: { solToSpend: amount, minTokenToReceive: minimum } })
      : rawSellToken(mint, by.publicKey, { args: { tokenToSpend: amount, minSolToReceive: minimum } });

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
    return { ...moved, out: quoted.out };
  }

  async function expectTradeRefused(instruction: TransactionInstruction, expected: string, by = trader) {
    await expectRefused(cluster(), [instruction], [by], expected);
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

      it('invariant 6: refuses to yield one unit less than the minimum, and any less', async () => {
        const { out } = quoteOf(name, await curveState(cluster(), quiet), amount);
        for (const minimum of [out + 1n, U64_MAX])
          await expectTradeRefused(raw(name, quiet, amount, minimum), SLIPPAGE);
        await expectTradeRefused(raw(name, quiet, 1n, 1n), SLIPPAGE);
      });

      it('refuses an amount of zero, also with a minimum, and one of which nothing is left after the fee', async () => {
        for (const [nothing, minimum] of [
          [0n, 0n],
          [0n, 1n],
          [1n, 0n],
        ] as const)
          await expectTradeRefused(raw(name, quiet, nothing, minimum), LOGICAL);
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

  it('refuses a buy for more than the trader has, and a sell of more than the trader or the reserve can', async () => {
    const poor = await cluster().fundedWallet(SOL);
    await openTokenAccount(cluster(), poor.publicKey, quiet.mint);
    for (const amount of [SOL + 1n, U64_MAX])
      await expectTradeRefused(raw('buyToken', quiet, amount, 0n, poor), 'System 1', poor);
    const most = U64_MAX - (await curveState(cluster(), quiet)).virtualToken;
    for (const [amount, expected] of [
      [(await heldBy(trader, quiet)) + 1n, 'Token 1'],
      [most, 'Token 1'],
      [most + 1n, LOGICAL],
      [U64_MAX, LOGICAL],
    ] as const)
      await expectTradeRefused(raw('sellToken', quiet, amount), expected);
  });

  it('the SDK opens the missing token account, for which the trader pays, and closes the empty one', async () => {
    const { connection, payer } = cluster();
    const token = await launch(cluster());
    const common = { mint: token.mint, payer: trader.publicKey };
    const balance = () => lamportsOf(connection, trader.publicKey);
    const before = await balance();
    const buying = buy({ ...common, solToSpend: SOL, minTokenToReceive: 0n });
    await cluster().send(buying, [payer, trader]);
    const rent = await rentOf(connection, 165);
    expect(before - (await balance())).to.equal(SOL + rent);
    const { tokenToSpend, solOut } = quoteSell(
      await curveState(cluster(), token),
      await heldBy(trader, token),
    );
    const held = await balance();
    const selling = sell({ ...common, tokenToSpend, minSolToReceive: solOut, closeTokenAccount: true });
    await cluster().send(selling, [payer, trader]);
    expect(await balance()).to.equal(held + solOut + rent);
  });

  it('invariants 2 and 3: who buys and sells back loses, and the curve keeps its rent and its initial SOL', async () => {
    const { connection } = cluster();
    const rent = await rentOf(connection, TOKEN_OWNER_DATA_SIZE);
    for (const parts of [1n, 7n]) {
      const token = await launch(cluster());
      await openTokenAccount(cluster(), trader.publicKey, token.mint);
      const { before } = await expectTrade('buyToken', token, SOL);
      const part = (await heldBy(trader, token)) / parts;
      for (let sold = 1n; sold < parts; sold += 1n) await expectTrade('sellToken', token, part);
      const { after } = await expectTrade('sellToken', token, await heldBy(trader, token));
      // 1 % on the buy, 1 % on the sell, and rounding.
      const lost = before.traderLamports - after.traderLamports;
      expect(lost >= 19_900_000n && lost < 19_900_100n, String(lost)).to.equal(true);
      const { initialVirtualSol, initialVirtualToken } = DEFAULT_PROPERTIES;
      const { virtualSol, virtualToken } = after.state;
      expect(virtualToken).to.equal(initialVirtualToken);
      expect(virtualSol >= initialVirtualSol).to.equal(true);
      expect(after.curveLamports).to.equal(rent + virtualSol - initialVirtualSol);
    }
  });

  it('when another wallet buys between quote and buy, then the quoted minimum protects the trader', async () => {
    const token = await launchAndBuy();
    const { minTokenToReceive } = quoteBuy(await curveState(cluster(), token), SOL, 50);
    await buyTokens(cluster(), token, cluster().payer, SOL);
    await expectTradeRefused(raw('buyToken', token, SOL, minTokenToReceive), SLIPPAGE);
  });

  describe('Given the last tokens above the graduation reserve (invariant 7)', () => {
    const left = async (token: Token) =>
      (await curveState(cluster(), token)).virtualToken - GRADUATION_VIRTUAL_TOKEN;

    it('when a buy asks for more, then it is clipped, the minimum limits its price, and the rest of the SOL stays', async () => {
      const token = await launchAndBuy();
      const { tokenOut, solSpent, clipped } = quoteBuy(
        await curveState(cluster(), token),
        WHOLE_CURVE_LAMPORTS,
      );
      const highest = (tokenOut * WHOLE_CURVE_LAMPORTS) / solSpent;
      expect(clipped && highest > tokenOut).to.equal(true);
      for (const minimum of [highest + 1n, U64_MAX])
        await expectTradeRefused(raw('buyToken', token, WHOLE_CURVE_LAMPORTS, minimum), SLIPPAGE);
      const { before, after } = await expectTrade('buyToken', token, WHOLE_CURVE_LAMPORTS, highest);
      expect(after.state).to.include({ initialized: 2, virtualToken: GRADUATION_VIRTUAL_TOKEN });
      expect(before.traderLamports - after.traderLamports).to.equal(solSpent);
    });

    it('when a buy reaches the reserve exactly, then it is not clipped, and the curve is finalized', async () => {
      const { admin } = cluster();
      // From 28 SOL the whole curve costs a whole number of lamports. From the default 30 no buy ends exactly there.
      const properties = { ...DEFAULT_PROPERTIES, initialVirtualSol: 28n * SOL };
      await cluster().send(adminSetProperties(properties), [admin]);
      const token = await launch(cluster());
      await cluster().send(adminSetProperties(DEFAULT_PROPERTIES), [admin]);
      await openTokenAccount(cluster(), trader.publicKey, token.mint);
      const available = await left(token);
      const { solToSpend } = quoteBuyExactOut(await curveState(cluster(), token), available);
      expect(quoteBuy(await curveState(cluster(), token), solToSpend)).to.include({ clipped: false });
      const { after, out } = await expectTrade('buyToken', token, solToSpend, available);
      expect(out).to.equal(available);
      expect(after.state).to.include({ initialized: 2, virtualToken: GRADUATION_VIRTUAL_TOKEN });
    });

    it('when a buy stops just before the reserve, then the curve keeps trading until the last base unit', async () => {
      const token = await launchAndBuy();
      const { solToSpend } = quoteBuyExactOut(await curveState(cluster(), token), await left(token));
      const { after } = await expectTrade('buyToken', token, solToSpend - 1n);
      expect(after.state.initialized).to.equal(1);
      const available = await left(token);
      expect(available > 0n).to.equal(true);
      const last = await expectTrade('buyToken', token, U64_MAX, 0n);
      expect(last.out).to.equal(available);
      expect(last.after.state.initialized).to.equal(2);
    });
  });
});
