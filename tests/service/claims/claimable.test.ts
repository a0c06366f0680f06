// What decides whether a wallet can claim, as the database has it. threat: reorg-reward
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import {
  isInProgress,
  isUncovered,
  nothingToClaim,
  readClaimable,
  readOpenedAccounts,
} from '#app/claims/claimable.js';
import type { Database } from '#app/db/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';

const MINT = 'mint';
const SINCE = new Date('2026-01-02T00:00:00Z');
const BEFORE = '2026-01-01T23:59:59Z';
const AFTER = '2026-01-02T00:00:01Z';

describe(`what a wallet can claim (${DATABASE_KIND})`, () => {
  let database: Database;

  before(async () => {
    database = await openTestDatabase();
    await storeToken(database.queries, { mint: MINT });
  });
  after(() => database.close());

  const pending = (wallet: string, asset: 'SOL' | 'TOKEN', amount: bigint) =>
    database.queries.execute(sql`
      insert into pending_rewards (record_id, wallet, mint, asset, amount)
      select id, ${wallet}, ${MINT}, ${asset}, ${String(amount)}::numeric from records limit 1`);
  const claim = (signature: string, wallet: string, state: string, at: string, opens = false, mint = MINT) =>
    database.queries.execute(sql`
      insert into claims (signature, wallet, mint, asset, amount, network_fee, burn, opens_account, transaction,
        blockhash_slot, last_valid_block_height, state, created_at)
      values (${signature}, ${wallet}, ${mint}, 'TOKEN', 0, 0, false, ${opens}, '', 1, 1, ${state}, ${at}::timestamptz)`);

  describe('when nothing of an asset is claimable', () => {
    const refusal = async (wallet: string, asset: 'SOL' | 'TOKEN') => {
      const { refusal, message } = await nothingToClaim(database.queries, { wallet, mint: MINT, asset });
      return [refusal, message];
    };

    it('is a lasting refusal when nothing is credited', async () => {
      await pending('other', 'SOL', 9n);
      await pending('other', 'TOKEN', 7n);
      expect(await refusal('nobody', 'SOL')).to.deep.equal(['claim', 'The SOL amount to claim is zero']);
      expect(await refusal('nobody', 'TOKEN')).to.deep.equal(['claim', 'The token amount to claim is zero']);
    });

    it('asks for patience when the trades are not finalized, each asset for itself', async () => {
      const later = 'but their trades are not finalized yet; try again in 15 seconds';
      await pending('of SOL', 'SOL', 9n);
      expect(await refusal('of SOL', 'SOL')).to.deep.equal([
        'later',
        `The SOL amount to claim is zero: 9 lamports are credited, ${later}`,
      ]);
      expect((await refusal('of SOL', 'TOKEN'))[0]).to.equal('claim');
      await pending('of tokens', 'TOKEN', 7n);
      expect(await refusal('of tokens', 'TOKEN')).to.deep.equal([
        'later',
        `The token amount to claim is zero: 7 token units are credited, ${later}`,
      ]);
      expect((await refusal('of tokens', 'SOL'))[0]).to.equal('claim');
    });
  });

  it('is uncovered only when the referral rewards exceed the fees for them', () => {
    const of = (referral: bigint, referralCover: bigint) =>
      isUncovered({
        ...{ tokenExists: true, inProgress: false, failures: 0, expiries: 0 },
        ...{ amounts: { settlement: 100n, referral }, referralCover },
      });
    expect([of(5n, 5n), of(6n, 5n), of(0n, 0n)]).to.deep.equal([false, true, false]);
  });

  it('counts failed and expired claims of the wallet since a time, and sees a claim in progress of the same token', async () => {
    await claim('old', 'failing', 'FAILED', BEFORE);
    await claim('new', 'failing', 'FAILED', AFTER);
    await claim('expired', 'failing', 'EXPIRED', AFTER);
    await claim('another token', 'failing', 'FAILED', AFTER, false, 'another');
    await claim('of another', 'waiting', 'FAILED', AFTER);
    await claim('waiting', 'waiting', 'IN_PROGRESS', AFTER);
    const read = (wallet: string, mint = MINT) =>
      readClaimable(database.queries, wallet, mint, 'TOKEN', SINCE);
    expect(await read('failing')).to.deep.equal({
      ...{ tokenExists: true, inProgress: false, failures: 2, expiries: 1 },
      ...{ amounts: { settlement: 0n, referral: 0n }, referralCover: 0n },
    });
    expect(await read('waiting')).to.include({ inProgress: true, failures: 1 });
    expect(await read('waiting', 'unknown')).to.include({ tokenExists: false, inProgress: false });
    const inProgress = (wallet: string, mint = MINT) => isInProgress(database.queries, wallet, mint);
    expect([
      await inProgress('waiting'),
      await inProgress('waiting', 'unknown'),
      await inProgress('failing'),
    ]).to.deep.equal([true, false, false]);
  });

  it('knows for which wallets the treasury has opened token accounts, and how many since a time', async () => {
    const opened = (wallet: string, mint = MINT) => readOpenedAccounts(database.queries, wallet, mint, SINCE);
    expect(await opened('opened')).to.deep.equal({ ofWallet: false, count: 0 });
    await claim('opened before', 'opened', 'COMPLETED', BEFORE, true);
    await claim('promised', 'promised', 'IN_PROGRESS', AFTER, true);
    await claim('not opened', 'refused', 'FAILED', AFTER, true);
    await database.queries.execute(
      sql`insert into opened_accounts (owner, mint, subject) values ('creator', ${MINT}, 'settlement:1')`,
    );
    expect(await opened('opened')).to.deep.equal({ ofWallet: true, count: 1 });
    expect(await opened('promised')).to.deep.equal({ ofWallet: true, count: 1 });
    expect(await opened('creator')).to.deep.equal({ ofWallet: true, count: 1 });
    expect(await opened('refused')).to.deep.equal({ ofWallet: false, count: 1 });
    expect(await opened('opened', 'another')).to.deep.equal({ ofWallet: false, count: 1 });
  });
});
