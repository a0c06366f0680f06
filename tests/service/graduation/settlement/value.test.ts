// The value of storages: a graduated token counts at the smaller of its curve's last price and its pool's. threat: worthless-gifts
import { expect } from 'chai';
import { insertTrades } from '#app/index/trades/store.js';
import { newestPoolReserves } from '#app/index/pool-prices.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { buyTokens, launch, transferTokens } from '#tests/program/tokens.js';
import { indexCreation } from '#tests/service/service-context.js';
import { ALL_TO_HOLDERS, useSettlements } from '#tests/service/settlements.js';

/** Worth more than the minimum at the curve's initial price, and less at a hundredth of it. */
const GIVEN_UNITS = 100_000_000_000n;
const CURVE = { virtualSol: 30_000_000_000n, virtualToken: 1_073_000_000_000_000n };
const FALLEN = { ...CURVE, virtualSol: CURVE.virtualSol / 100n };

describe(`value of storages (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const { cluster, database, settle } = useSettlements();
  let trades = 0n;

  async function storePoolTrade(mint: string, reserves: typeof CURVE, finalized = true): Promise<void> {
    trades += 1n;
    const trade = {
      ...{ id: 1_000_000n + trades, signature: `pool trade ${trades}`, outer: 0, inner: -1, slot: 1, mint },
      ...{ trader: 'trader', isBuy: false, solAmount: 1n, tokenAmount: 1n, fee: 0n, timestamp: 1 },
      ...({ ...reserves, finalized, venue: 'pool', graduated: false } as const),
    };
    await database().transaction((tx) => insertTrades(tx, [trade]));
  }

  it("takes the reserves of each pool's newest finalized trade", async () => {
    await storePoolTrade('risen', FALLEN);
    await storePoolTrade('risen', CURVE);
    await storePoolTrade('fallen', FALLEN);
    await storePoolTrade('fallen', CURVE, false);
    await storePoolTrade('new', CURVE, false);
    const reserves = await newestPoolReserves(database().queries, ['fallen', 'new', 'none', 'risen']);
    expect([...reserves].sort()).to.deep.equal([
      ['fallen', FALLEN],
      ['risen', CURVE],
    ]);
  });

  it('leaves gifts of a token that has fallen by 99 % in its pool below the minimum', async () => {
    const token = await launch(cluster(), ALL_TO_HOLDERS);
    await indexCreation(database(), token);
    const giver = await cluster().fundedWallet();
    await buyTokens(cluster(), token, giver, 1_000_000_000n);
    await transferTokens(cluster(), token.mint, giver, token.communityTokenStorage.address, GIVEN_UNITS);
    const mint = token.mint.toBase58();
    await storePoolTrade(mint, FALLEN);
    expect((await settle(token)).outcome).to.equal('nothing');
    await storePoolTrade(mint, CURVE);
    const report = await settle(token);
    expect(report.outcome, report.problems.join()).to.equal('settled');
    expect(report.settlement?.token).to.equal(GIVEN_UNITS);
  });
});
