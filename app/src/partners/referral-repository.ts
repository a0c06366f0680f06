// SQL of referral rewards.
import { eq, sql } from 'drizzle-orm';
import { column, insertRows, unnestable, within, type IdRange } from '../db/statements.js';
import { statement, type Executor, type Transaction } from '../db/database.js';
import { partners, partnerUsers } from '../db/schema/index.js';
import { fromRow, idOf, ROW, type Trade, type TradeRow } from '../index/trades/trade.js';

/** A user's registration with the partner that earns from its trades. */
export interface Referral {
  readonly user: string;
  readonly partnerId: number;
  /** Base58 address. */
  readonly payoutWallet: string;
  /** Only trades of later slots count. */
  readonly registeredSlot: number;
}

/** The reward of one trade. Lamports. */
export interface ReferralReward extends Referral {
  readonly recordId: bigint;
  readonly signature: string;
  readonly outer: number;
  readonly inner: number;
  readonly mint: string;
  /** Lamports that the trader paid or received. */
  readonly volume: bigint;
  readonly fee: bigint;
  readonly shareBps: number;
  readonly reward: bigint;
}

/** Referrals of the given wallets, by wallet. Wallets without a partner are omitted. */
export async function findReferrals(
  db: Executor,
  wallets: readonly string[],
): Promise<Map<string, Referral>> {
  const rows = await db
    .select({
      user: partnerUsers.wallet,
      partnerId: partnerUsers.partnerId,
      payoutWallet: partners.payoutWallet,
      registeredSlot: partnerUsers.registeredSlot,
    })
    .from(partnerUsers)
    .innerJoin(partners, eq(partners.id, partnerUsers.partnerId))
    .where(sql`${partnerUsers.wallet} = any(${column(wallets, 'text')})`);
  return new Map(rows.map((referral) => [referral.user, referral]));
}

/** Stores pending rewards. Existing rows stay unchanged. */
export async function addPendingRewards(tx: Transaction, rewards: readonly ReferralReward[]): Promise<void> {
  await insertRows(
    tx,
    'pending_rewards',
    rewards,
    {
      record_id: ['bigint', ({ recordId }) => recordId],
      wallet: ['text', ({ payoutWallet }) => payoutWallet],
      mint: ['text', ({ mint }) => mint],
      asset: ['text', () => 'SOL'],
      amount: ['numeric', ({ reward }) => reward],
    },
    sql`on conflict do nothing`,
  );
}

/** The trades on curves that users of partners have made, in order. They are final. */
export async function tradesOfUsers(tx: Transaction, range: IdRange): Promise<Trade[]> {
  const rows = await statement<TradeRow>(tx)`
    with traders as materialized (
      select distinct trader_id from trade_rows where ${within('id', range)} and not in_pool
    ), users as materialized (
      select a.id from traders join addresses a on a.id = traders.trader_id join partner_users u on u.wallet = a.address
    )
    select ${ROW} from users join trades t on t.trader_id = users.id
    where ${within('t.id', range)} and t.venue <> 'pool' order by t.id`;
  return rows.map((row) => fromRow(row, true));
}

/** Stores final rewards of stored trades, in their order: webhooks tell of them so. @returns the new ones */
export async function addReferralRewards(
  tx: Transaction,
  rewards: readonly ReferralReward[],
): Promise<ReferralReward[]> {
  const given = unnestable(rewards, {
    signature: ['text', ({ signature }) => signature],
    outer: ['smallint', ({ outer }) => outer],
    inner: ['smallint', ({ inner }) => inner],
    partner_id: ['bigint', ({ partnerId }) => partnerId],
    user: ['text', ({ user }) => user],
    mint: ['text', ({ mint }) => mint],
    fee: ['numeric', ({ fee }) => fee],
    share_bps: ['integer', ({ shareBps }) => shareBps],
    reward: ['numeric', ({ reward }) => reward],
  });
  const stored = await statement<{ signature: string; outer: number; inner: number }>(tx)`
    insert into referral_reward_rows (signature, "outer", "inner", partner_id, user_id, mint_id, fee, share_bps, reward)
    select signature, "outer", "inner", partner_id, ${idOf(sql`given."user"`)}, ${idOf(sql`given.mint`)}, fee, share_bps, reward
    from unnest(${given}) with ordinality as given (signature, "outer", "inner", partner_id, "user", mint, fee, share_bps, reward, place)
    order by given.place
    on conflict do nothing returning signature, "outer", "inner"`;
  const isNew = new Set(stored.map((row) => positionOf(row)));
  return rewards.filter((reward) => isNew.has(positionOf(reward)));
}

export async function addToTotals(tx: Transaction, rewards: readonly ReferralReward[]): Promise<void> {
  const amounts = (pick: (reward: ReferralReward) => bigint) => column(rewards.map(pick), 'numeric');
  await tx.execute(sql`
    update partner_users u set
      trades = u.trades + t.trades, volume_sol = u.volume_sol + t.volume,
      fees_sol = u.fees_sol + t.fees, reward_sol = u.reward_sol + t.rewards
    from (
      select wallet, count(*) as trades, sum(volume) as volume, sum(fee) as fees, sum(reward) as rewards
      from unnest(
        ${column(
          rewards.map(({ user }) => user),
          'text',
        )},
        ${amounts((r) => r.volume)}, ${amounts((r) => r.fee)}, ${amounts((r) => r.reward)}
      ) as traded(wallet, volume, fee, reward)
      group by wallet
    ) t where t.wallet = u.wallet
  `);
}

/** Position of a trade in the chain as text. It is also the key of the ledger posting. */
export function positionOf(at: Pick<ReferralReward, 'signature' | 'outer' | 'inner'>): string {
  return `${at.signature}:${at.outer}:${at.inner}`;
}
