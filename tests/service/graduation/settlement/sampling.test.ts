// When holders are sampled: no wallet can predict the moments, brief holders gain nothing, and an RPC outage costs no
// sample. threat: momentary-holder, sell-after-sample
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { associatedTokenAddress } from '@curvekit/sdk';
import { momentOf, SAMPLES, seedHashOf } from '#app/graduation/settlement/periods/moments.js';
import { openSettlement } from '#app/graduation/settlement/repository.js';
import { publicSettlements } from '#app/graduation/settlement/periods/view.js';
import { rowsOf } from '#app/db/database.js';
import { SOL } from '#tests/constants.js';
import { eventually } from '#tests/service/service.js';
import { ALL_TO_HOLDERS, useSettlements } from '#tests/service/settlements.js';
import { buyTokens, openTokenAccount, tokensOf, transferTokens } from '#tests/program/tokens.js';

describe('the samples of a settlement', function () {
  this.timeout(300_000);
  const { cluster, database, proxy, contextWith, given, settle, checkExact, unclaimed, sellAll, running } =
    useSettlements();

  it('a buyer of half the token who holds it only briefly earns next to nothing, and the samples can be verified', async () => {
    const { token, holder, mint } = await given(20n * SOL, ALL_TO_HOLDERS, (40n * SOL) / 45n);
    const buyer = await cluster().fundedWallet(100n * SOL);
    let taken = 0;
    const report = await settle(token, async (step) => {
      if (step !== 'sampled' || (taken += 1) !== SAMPLES - 2) return;
      await buyTokens(cluster(), token, buyer, 40_000_000_000n);
      await sellAll(token, buyer);
    });
    expect(report.outcome, report.problems.join()).to.equal('settled');
    const [ofHolder, ofBuyer] = [await unclaimed(holder, token), await unclaimed(buyer, token)];
    expect(ofHolder.sol + ofBuyer.sol).to.equal(20_000_000_000n);
    // The buyer would hold 20 times as many tokens, and even one of sixteen samples would pay much more.
    expect(Number(ofBuyer.sol)).to.be.at.most(1);

    const [published] = (await publicSettlements(database().queries, mint, { limit: 1 }))!;
    expect(published!.state).to.equal('done');
    expect(seedHashOf(published!.seed!)).to.equal(published!.seedHash);
    expect(published!.taken).to.have.length(SAMPLES);
    const startedAt = new Date(published!.startedAt).getTime();
    let slot = 0;
    for (const sample of published!.taken) {
      const { seed, periodMs } = published!;
      const moment = momentOf({ seed: seed!, startedAt, periodMs, samples: SAMPLES }, sample.index);
      expect(new Date(sample.moment).getTime()).to.equal(moment);
      expect(new Date(sample.takenAt).getTime()).to.be.at.least(moment);
      expect(sample.slot).to.be.at.least(slot);
      slot = sample.slot;
    }
  });

  it('a buyer who holds for half of the period earns about half of the full share', async () => {
    const { token, holder } = await given(SOL, ALL_TO_HOLDERS, 9n * SOL);
    const buyer = await cluster().fundedWallet();
    await openTokenAccount(cluster(), buyer.publicKey, token.mint);
    let taken = 0;
    const account = associatedTokenAddress(buyer.publicKey, token.mint).address;
    const half =
      (await tokensOf(cluster().connection, associatedTokenAddress(holder.publicKey, token.mint).address)) /
      2n;
    // A long period: the previous transfer must be finalized before the next sample begins.
    const slow = await contextWith({ SETTLEMENT_INTERVAL_SECONDS: '8' });
    const report = await settle(
      token,
      async (step) => {
        if (step !== 'sampled' || (taken += 1) !== SAMPLES / 2) return;
        await transferTokens(cluster(), token.mint, holder, account, half);
      },
      slow,
    );
    expect(report.outcome, report.problems.join()).to.equal('settled');
    const { sol: earned } = await unclaimed(buyer, token);
    expect(Number(earned)).to.be.within(0.15 * 1e9, 0.3 * 1e9);
    await checkExact();
  });

  it('the seed is not visible before the period has ended', async () => {
    const { token, mint } = await given(2_000_000n);
    let checked = 0;
    await settle(token, async (step) => {
      if (step !== 'sampled') return;
      checked += 1;
      const open = await openSettlement(database().queries, mint);
      const [published] = (await publicSettlements(database().queries, mint, { limit: 1 }))!;
      const [secret] = await rowsOf<{ seed: string }>(
        database().queries,
        sql`select seed from settlement_seeds where settlement_id = ${open!.id}`,
      );
      expect(
        JSON.stringify([open, published], (_, value: unknown) => (typeof value === 'bigint' ? '' : value)),
      ).not.to.contain(secret!.seed);
      expect(published).to.include({ state: 'sampling', seed: null, seedHash: seedHashOf(secret!.seed) });
      // The taken samples are hidden too: the rest of their strata would be known to have none.
      expect(published!.taken).to.deep.equal([]);
    });
    expect(checked).to.equal(SAMPLES);
    const [left] = await rowsOf<{ seeds: string }>(
      database().queries,
      sql`select count(*)::text as seeds from settlement_seeds`,
    );
    expect(left?.seeds).to.equal('0');
  });

  it('samples that an RPC outage prevents are taken after the period', async () => {
    const { token, holder } = await given(2_000_000n);
    let taken = 0;
    const report = await settle(token, (step) => {
      if (step !== 'sampled' || (taken += 1) !== 4) return;
      proxy().setDown(true);
      setTimeout(() => proxy().setDown(false), 1_500);
    });
    expect(report.outcome, report.problems.join()).to.equal('settled');
    const indexes = report.samples!.map(({ index }) => index);
    expect(indexes).to.have.length(SAMPLES);
    expect(Math.max(...indexes)).to.be.at.least(SAMPLES + 4);
    expect((await unclaimed(holder, token)).sol).to.equal(2_000_000n);
  });

  it('another settler continues a period with the samples already taken', async () => {
    const { token, holder, mint } = await given(30_000_000n);
    const count = async () => {
      const [row] = await rowsOf<{ id: string; samples: number }>(
        database().queries,
        sql`select s.id::text as id, (
            select count(*)::integer from settlement_samples where settlement_id = s.id and slot is not null
          ) as samples from settlements s where mint = ${mint} order by s.id desc limit 1`,
      );
      return row ?? { id: '', samples: 0 };
    };
    // A long period, so that a busy machine stops the first settler before its end.
    const first = await contextWith({ SETTLEMENT_INTERVAL_SECONDS: '12' });
    await running(first, () => eventually(async () => (await count()).samples >= 5, 'five samples'));
    const before = await count();
    expect(before.samples).to.be.below(SAMPLES);
    const [took] = (await publicSettlements(database().queries, mint, { limit: 1 }))!;
    const next = await contextWith({});
    await running(next, () =>
      eventually(async () => (await unclaimed(holder, token)).sol === 30_000_000n, 'the credit', 60_000),
    );
    const [done] = (await publicSettlements(database().queries, mint, { limit: 1 }))!;
    expect([String(done!.id), done!.seedHash]).to.deep.equal([before.id, took!.seedHash]);
    expect(done!.taken).to.have.length(SAMPLES);
    await checkExact();
  });
});
