import { expect } from 'chai'; // threat: reorg-reward
import fc from 'fast-check';
import { eq, sql } from 'drizzle-orm';
import type { Trade } from '#app/index/trades/trade.js';
import { statement } from '#app/db/database.js';
import { insertTrades, lockIds } from '#app/index/trades/store.js';
import { checkLedger } from '#app/ledger/check.js';
import { walletBalances } from '#app/ledger/balances.js';
import { pendingRewards, partners, partnerUsers } from '#app/db/schema/index.js';
import { referralHooks, referralReward } from '#app/partners/referrals.js';
import { partnerStats } from '#app/partners/user-repository.js';
import { useDatabase } from '#tests/database/database.js';
import { U64_MAX } from '#tests/constants.js';
import { newAddress } from '#tests/new-address.js';

const SHARE_BPS = 1_000;
const REGISTERED_SLOT = 100;

describe('referral rewards', () => {
  const hooks = referralHooks(SHARE_BPS);
  const mint = newAddress();
  const database = useDatabase();
  let nextRecord = 0;

  /** A partner with one user, registered at slot 100. */
  async function partnerWithUser() {
    const [payoutWallet, user] = [newAddress(), newAddress()];
    const [partner] = await database.queries
      .insert(partners)
      .values({ name: payoutWallet, payoutWallet })
      .returning();
    await database.queries.insert(partnerUsers).values({
      wallet: user,
      partnerId: partner!.id,
      signature: 's',
      registeredSlot: REGISTERED_SLOT,
    });
    return { partnerId: partner!.id, payoutWallet, user };
  }

  function trade(trader: string, overrides: Partial<Trade> = {}): Trade {
    nextRecord += 1;
    const at = { signature: `signature ${nextRecord}`, outer: 0, inner: 1, slot: REGISTERED_SLOT + 1, mint };
    return {
      id: BigInt(nextRecord),
      venue: 'curve',
      trader,
      isBuy: true,
      solAmount: 1_000_000n,
      tokenAmount: 5n,
      fee: 10_009n,
      timestamp: 1,
      virtualSol: 1n,
      virtualToken: 1n,
      graduated: false,
      finalized: false,
      ...at,
      ...overrides,
    };
  }

  /** Stores the trades anew, as after a reindex. */
  const finalize = (trades: readonly Trade[]) =>
    database.transaction(async (tx) => {
      await lockIds(tx);
      await tx.execute(sql`delete from trade_rows`);
      await insertTrades(
        tx,
        trades.map((trade) => ({ ...trade, finalized: true })),
      );
      const ids = trades.map(({ id }) => id).sort((a, b) => Number(a - b));
      await hooks.onFinalized(tx, { first: ids[0]!, last: ids.at(-1)! });
    });
  const confirm = (trades: readonly Trade[]) =>
    database.transaction((tx) => hooks.onConfirmedTrades(tx, trades));
  const unclaimedOf = async (wallet: string) =>
    (await walletBalances(database.queries, wallet, mint))[0]?.unclaimedSol ?? 0n;

  it("are the partner's share of the fee, rounded down", () => {
    expect(referralReward(10_009n, SHARE_BPS)).to.equal(1_000n);
    expect(referralReward(9n, SHARE_BPS)).to.equal(0n);
    fc.assert(
      fc.property(fc.bigInt(0n, U64_MAX), fc.integer({ min: 0, max: 10_000 }), (fee, shareBps) => {
        const reward = referralReward(fee, shareBps);
        expect(reward * 10_000n <= fee * BigInt(shareBps)).to.equal(true);
        expect((reward + 1n) * 10_000n > fee * BigInt(shareBps)).to.equal(true);
      }),
    );
  });

  it('are booked once, even if the indexer reads the chain again', async () => {
    const { partnerId, payoutWallet, user } = await partnerWithUser();
    const first = trade(user);
    await finalize([first]);
    const second = trade(user, { signature: first.signature, inner: 2 });
    await finalize([{ ...first, id: 999n }, second]);
    await Promise.all([finalize([first, second]), finalize([second, first])]);
    expect(await unclaimedOf(payoutWallet)).to.equal(2_000n);
    expect((await partnerStats(database, partnerId)).trades).to.equal(2n);
  });

  it('exclude trades up to the slot of the registration', async () => {
    const { partnerId, payoutWallet, user } = await partnerWithUser();
    const early = [trade(user, { slot: REGISTERED_SLOT }), trade(user, { slot: REGISTERED_SLOT - 1 })];
    await confirm(early);
    await finalize(early);
    expect(await unclaimedOf(payoutWallet)).to.equal(0n);
    expect((await partnerStats(database, partnerId)).trades).to.equal(0n);
  });

  it('appear on confirmation, and disappear with a dropped record', async () => {
    const { payoutWallet, user } = await partnerWithUser();
    const pending = trade(user);
    await confirm([pending]);
    await confirm([pending]);
    expect(await unclaimedOf(payoutWallet)).to.equal(1_000n);
    const dropped = { firstId: pending.id, mints: [mint], trades: [pending] };
    await database.transaction((tx) => hooks.onDropped(tx, dropped));
    expect(await unclaimedOf(payoutWallet)).to.equal(0n);
  });

  it('have the same amount before and after finality', async () => {
    const { payoutWallet, user } = await partnerWithUser();
    const trades = [trade(user), trade(user, { fee: U64_MAX })];
    await confirm(trades);
    const shown = await unclaimedOf(payoutWallet);
    await database.queries.delete(pendingRewards).where(eq(pendingRewards.wallet, payoutWallet));
    await finalize(trades);
    expect(await unclaimedOf(payoutWallet)).to.equal(shown);
    expect(shown).to.equal(1_000n + U64_MAX / 10n);
  });

  it('leave a ledger that adds up', async () => {
    const [row] = await statement<{ postings: string }>(database.queries)`
      select count(*)::text as postings from ledger_postings where key like 'referral:%'`;
    expect(Number(row?.postings)).to.be.greaterThan(3);
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
  });
});
