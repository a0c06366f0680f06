// Backs referral rewards with fees that came to the treasury before these rewards were credited.
import type { PublicKey } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import type { Context } from '../context.js';
import { rowsOf } from '../db/database.js';
import { askNode } from '../chain/ask-node.js';
import { readReferralFees } from './unfunded.js';
import { treasuryCover } from './functions.js';

/** Lamports that stay free for the treasury's rent exemption and the costs of token claims. `curvekit doctor` asks for them. */
export const KEPT_FREE = 10_000_000n;

/** Asks the RPC node, with a time limit and the caller's kind of error. */
export type Ask = <T>(answer: Promise<T>) => Promise<T>;

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
  const { unfunded, surplus } = await readReferralFees(queries);
  if (unfunded === 0n || surplus <= 0n) return 0n;
  const { context, value } = await ask(connection.getBalanceAndContext(treasury, 'finalized'));
  const spendable = BigInt(value) - KEPT_FREE;
  // One statement, which no lost lease can make wrong: it checks everything again.
  const [row] = await rowsOf<{ covered: string }>(
    queries,
    sql`select ${treasuryCover({ lamports: spendable, slot: context.slot })}::text as covered`,
  );
  return BigInt(row?.covered ?? 0);
}
