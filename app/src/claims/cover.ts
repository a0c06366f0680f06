// Backs referral and volume rewards with fees that came to the treasury before these rewards were credited.

import type { PublicKey } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import type { Context } from '../context.js';
import { statement, type Executor } from '../db/database.js';
import { askNode } from '../chain/connection.js';
import { treasuryCover, settlementsOwed } from './functions.js';
import { creditsOwed } from '../ledger/functions.js';

/** Lamports that stay free for the treasury's rent exemption and the costs of token claims. `curvekit doctor` asks for them. */
export const KEPT_FREE = 10_000_000n;

/** Asks the RPC node, with a time limit and the caller's kind of error. */
type Ask = <T>(answer: Promise<T>) => Promise<T>;

/**
 * Covers unfunded rewards with surplus fees, as far as the treasury's finalized balance shows lamports that are owed to nobody.
 *
 * @returns lamports covered
 * @throws what `ask` throws, or errors of the database
 */
export async function coverFromSurplus(
  { database: { queries }, connection }: Pick<Context, 'database' | 'connection'>,
  treasury: PublicKey,
  ask: Ask = askNode,
): Promise<bigint> {
  const { unfunded, surplus } = await readFees(queries);
  if (unfunded === 0n || surplus <= 0n) return 0n;
  const { context, value } = await ask(connection.getBalanceAndContext(treasury, 'finalized'));
  const spendable = BigInt(value) - KEPT_FREE;
  // One statement, which no lost lease can make wrong: it checks everything again.
  const [row] = await statement<{ covered: string }>(queries)`
    select ${treasuryCover({ lamports: spendable, slot: context.slot })}::text as covered`;
  return BigInt(row?.covered ?? 0);
}

// What the treasury owes. Claims, `curvekit doctor` and the cover of rewards use the same functions of the database.

/**
 * Lamports that the treasury owes, judged by its finalized balance of a slot: for settlements that can be in the balance, and for
 * rewards from fees that it has.
 */
export async function owedByTreasury(db: Executor, slot: number): Promise<bigint> {
  const [row] = await statement<{ owed: string }>(db)`
    select (${settlementsOwed({ slot })} + greatest(referral_cover, 0) + greatest(volume_cover, 0))::text as owed
    from treasury where asset = 'SOL'`;
  return BigInt(row?.owed ?? 0);
}

// Rewards that no fees in the treasury back yet.

/** Lamports. */
interface Fees {
  /** Credited rewards that no fees in the treasury back. They cannot be claimed yet. */
  readonly unfunded: bigint;
  /** Fees moved to the treasury that back no reward. The operator may have withdrawn or spent them. */
  readonly surplus: bigint;
}

const unfundedSql = (origin: 'referral' | 'volume') =>
  sql`greatest(${creditsOwed({ origin })} - ${sql.identifier(`${origin}_cover`)}, 0)`;

export async function readFees(db: Executor): Promise<Fees> {
  const [row] = await statement<{ unfunded: string; surplus: string }>(db)`
    select (${unfundedSql('referral')} + ${unfundedSql('volume')})::text as unfunded,
      (referral_funded - referral_settled - volume_settled - referral_cover - volume_cover)::text as surplus
    from treasury where asset = 'SOL'`;
  return { unfunded: BigInt(row?.unfunded ?? 0), surplus: BigInt(row?.surplus ?? 0) };
}

/** Lamports of credited rewards that no fees in the treasury back: of one origin, or of both. */
export async function unfundedRewards(db: Executor, origin?: 'referral' | 'volume'): Promise<bigint> {
  if (origin === undefined) return (await readFees(db)).unfunded;
  const [row] = await statement<{ unfunded: string }>(db)`
    select ${unfundedSql(origin)}::text as unfunded from treasury where asset = 'SOL'`;
  return BigInt(row?.unfunded ?? 0);
}
