// Referral rewards: a partner's share of the platform fee of each trade of its users. Called by the indexer.
import { LARGEST_ID, type IdRange } from '../db/statements.js';
import type { Dropped, IndexHooks } from '../index/hooks.js';
import type { Trade } from '../index/trades/trade.js';
import type { Transaction } from '../db/database.js';
import { creditEach } from '../ledger/credit.js';
import { deletePending } from '../ledger/pending.js';
import {
  addPendingRewards,
  addReferralRewards,
  addToTotals,
  findReferrals,
  positionOf,
  tradesOfUsers,
  type ReferralReward,
} from './referral-repository.js';

const BPS = 10_000n;

/** The share of a fee in lamports: `floor(fee · shareBps / 10,000)`. Rounded down, so that it never exceeds the fee. */
export function referralReward(fee: bigint, shareBps: number): bigint {
  return (fee * BigInt(shareBps)) / BPS;
}

/**
 * Hooks that credit partners. A trade counts when its slot is later than the newest confirmed slot at the user's
 * registration. While the trade is only confirmed, its reward is shown. When it is finalized, the reward is credited once,
 * in SOL, to the partner's payout wallet under the traded token, and added to the user's totals.
 *
 * @param shareBps the partners' share, in basis points; a change applies to later trades only
 */
export function referralHooks(shareBps: number) {
  return {
    onConfirmedTrades: async (tx: Transaction, trades: readonly Trade[]) => {
      const rewards = await rewardsOf(tx, trades, shareBps);
      await addPendingRewards(tx, rewards.filter(isPositive));
    },
    onFinalized: async (tx: Transaction, range: IdRange) => {
      await deletePending(tx, 'referral', range);
      const rewards = await rewardsOf(tx, await tradesOfUsers(tx, range), shareBps);
      if (rewards.length === 0) return;
      const added = await addReferralRewards(tx, rewards);
      if (added.length === 0) return;
      await addToTotals(tx, added);
      await creditEach(
        tx,
        'referral',
        added.filter(isPositive).map((reward) => ({
          key: `referral:${positionOf(reward)}`,
          wallet: reward.payoutWallet,
          mint: reward.mint,
          asset: 'SOL',
          amount: reward.reward,
        })),
      );
    },
    onDropped: (tx: Transaction, { firstId }: Dropped) =>
      deletePending(tx, 'referral', { first: firstId, last: LARGEST_ID }),
  } satisfies IndexHooks;
}

async function rewardsOf(
  tx: Transaction,
  trades: readonly Trade[],
  shareBps: number,
): Promise<ReferralReward[]> {
  if (trades.length === 0) return [];
  const referrals = await findReferrals(tx, [...new Set(trades.map(({ trader }) => trader))]);
  return trades.flatMap((trade) => {
    const referral = referrals.get(trade.trader);
    if (referral === undefined || trade.slot <= referral.registeredSlot) return [];
    return {
      ...referral,
      recordId: trade.id,
      signature: trade.signature,
      outer: trade.outer,
      inner: trade.inner,
      mint: trade.mint,
      volume: trade.solAmount,
      fee: trade.fee,
      shareBps,
      reward: referralReward(trade.fee, shareBps),
    };
  });
}

function isPositive({ reward }: ReferralReward): boolean {
  return reward > 0n;
}
