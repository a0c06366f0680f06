// A graduation and trades in its pool, with Kit.
import { createSolanaRpc, type Address, type Instruction } from '@solana/kit';
import { ComputeBudgetProgram } from '@solana/web3.js';
import { expect } from 'chai';
import { fetchMarket } from '@curvekit/sdk';
import type { Deployment } from '@curvekit/sdk/kit';
import { describeOnAmms } from '#tests/graduation/amms.js';
import { launchSoldOut, untilOpen } from '#tests/graduation/graduating.js';
import { kitInstruction, signerOf } from '#tests/kit/convert.js';
import { kitEntry } from '#tests/kit/kit-entry.js';
import { sendWithKit } from '#tests/kit/send.js';
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
});
