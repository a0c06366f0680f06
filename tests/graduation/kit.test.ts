// A graduation and trades in its pool, with Kit.
import { createSolanaRpc, type Address, type Instruction } from '@solana/kit';
import { ComputeBudgetProgram } from '@solana/web3.js';
import { expect } from 'chai';
import { fetchMarket } from '@curvekit/sdk';
import type { Deployment } from '@curvekit/sdk/kit';
import { describeOnAmms } from '#tests/graduation/amms.js';
import {
  launchSoldOut,
  launchTrading,
  MORE_THAN_A_CURVE,
  opensSoon,
  sendGraduation,
  untilOpen,
} from '#tests/graduation/graduating.js';
import { kitInstruction, signerOf } from '#tests/kit/convert.js';
import { KIT_MAJORS, kitEntry, kitTrading } from '#tests/kit/kit-entry.js';
import { sendWithKit } from '#tests/kit/send.js';
import { rejection } from '#tests/mocha/failures.js';
import { buyTokens } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

describeOnAmms('a graduation with Kit', (cluster) => {
  it('Given a sold-out curve, when Kit graduates it, then trades in its pool with Kit equal their quotes', async function () {
    this.timeout(60_000);
    const kit = await kitEntry('kit-current');
    const token = await launchSoldOut(cluster());
    const mint = token.mint.toBase58() as Address;
    const deployment = JSON.parse(JSON.stringify(cluster().deployment)) as Deployment;
    const rpc = createSolanaRpc(cluster().rpcUrl);
    const payer = await signerOf(await cluster().fundedWallet(20n * SOL));
    const send = (instructions: readonly Instruction[]) => sendWithKit(cluster().rpcUrl, payer, instructions);
    const market = async () => (await kit.fetchMarket(rpc, mint, { deployment }))!;

    const waiting = await market();
    expect(waiting).to.include({ venue: 'graduating', poolAddress: token.pool.pool.toBase58() });
    expect(() => kit.quoteBuy(waiting, SOL)).to.throw(kit.TradingMovedError as never);
    const units = ComputeBudgetProgram.setComputeUnitLimit({ units: kit.GRADUATE_COMPUTE_UNITS });
    await send([kitInstruction(units), ...(await kit.graduate({ mint, payer, deployment }))]);
    await untilOpen(cluster(), token);

    const open = await market();
    const theirs = await fetchMarket(cluster().connection, token.mint, { deployment: cluster().deployment });
    const texts = (value: unknown) =>
      JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? `${field}n` : field));
    expect(texts(open)).to.equal(texts(theirs));

    const bought = kit.quoteBuy(open, SOL, 50);
    await send(await kit.buy({ market: open, payer, deployment, ...bought }));
    const held = await market();
    expect(bought).to.deep.include({ pool: (held as { pool: unknown }).pool });
    const sold = kit.quoteSell(held, bought.tokenOut, 50);
    await send(await kit.sell({ market: held, payer, deployment, closeTokenAccount: true, ...sold }));
    expect(sold).to.deep.include({ pool: ((await market()) as { pool: unknown }).pool });
  });

  for (const major of KIT_MAJORS) {
    it(`Given a token, when ${major} trades before and after its graduation, then each result equals its quote`, async function () {
      this.timeout(60_000);
      const kit = await kitTrading(major);
      const token = await launchTrading(cluster());
      const mint = token.mint.toBase58() as Address;
      const deployment = JSON.parse(JSON.stringify(cluster().deployment)) as Deployment;
      const rpc = createSolanaRpc(cluster().rpcUrl);
      const wallet = await signerOf(await cluster().fundedWallet(20n * SOL));
      const common = { mint, wallet, deployment };
      const market = async () => (await kit.fetchMarket(rpc, mint, { deployment }))!;
      expect((await kit.trade(rpc, { ...common, solToSpend: SOL })).venue).to.equal('curve');

      await buyTokens(cluster(), token, cluster().payer, MORE_THAN_A_CURVE);
      const closed = await rejection(kit.trade(rpc, { ...common, solToSpend: SOL }), Error);
      expect(closed).to.be.instanceOf(kit.TradingMovedError);
      expect(closed).to.include({ venue: 'graduating', poolAddress: token.pool.pool.toBase58() });
      await sendGraduation(cluster(), token);
      const [early] = await Promise.all([
        kit.trade(rpc, { ...common, solToSpend: SOL / 10n }),
        opensSoon(cluster(), token),
      ]);
      expect(early.venue).to.equal('pool');

      const { tokenOut } = kit.quoteBuy(await market(), SOL);
      const bought = await kit.trade(rpc, { ...common, solToSpend: SOL });
      expect(bought).to.include({ venue: 'pool', solAmount: SOL, tokenAmount: tokenOut, record: undefined });
      expect(bought.swap?.trader).to.equal(wallet.address);
      const exact = await kit.trade(rpc, { ...common, tokenToReceive: 10n ** 12n });
      expect(exact.tokenAmount >= 10n ** 12n).to.equal(true);
      const sold = await kit.trade(rpc, { ...common, tokenToSpend: 'all', closeTokenAccount: true });
      expect(sold).to.include({ venue: 'pool', side: 'sell', platformFee: 0n });
      const none = await rejection(kit.trade(rpc, { ...common, tokenToSpend: 'all' }), Error);
      expect(none).to.be.instanceOf(kit.NoTokenAccountError);
    });
  }
});
