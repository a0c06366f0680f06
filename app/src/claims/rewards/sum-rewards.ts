// Sums a wallet's rows per token. Most tokens have one row per asset, whose digits are used unchanged.
import type { AmountRow, RewardRow } from './reward-queries.js';

type Sums = { -readonly [Name in keyof RewardRow]: RewardRow[Name] };

/** Amounts that are claimable now or pending. All other amounts are reserved by a claim, or claimed. */
const UNCLAIMED = new Set(['claimable', 'pending']);

/** @param rows of one wallet, ordered by token @returns one entry per token, in the same order */
export function sumRewards(rows: readonly AmountRow[]): RewardRow[] {
  const rewards: Sums[] = [];
  for (const { mint, asset, kind, amount } of rows) {
    let sums = rewards.at(-1);
    if (sums?.mint !== mint) {
      sums = { mint, unclaimedSol: '0', unclaimedToken: '0', allSol: '0', allToken: '0' };
      rewards.push(sums);
    }
    const isUnclaimed = UNCLAIMED.has(kind);
    if (asset === 'SOL') {
      sums.allSol = plus(sums.allSol, amount);
      if (isUnclaimed) sums.unclaimedSol = plus(sums.unclaimedSol, amount);
    } else {
      sums.allToken = plus(sums.allToken, amount);
      if (isUnclaimed) sums.unclaimedToken = plus(sums.unclaimedToken, amount);
    }
  }
  return rewards;
}

function plus(a: string, b: string): string {
  if (a === '0') return b;
  if (b === '0') return a;
  return String(BigInt(a) + BigInt(b));
}
