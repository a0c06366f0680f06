// SQL of registered users and their totals, which the referral rewards keep up to date.
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Executor } from '../db/database.js';
import { partnerTotals, partnerUsers } from '../db/schema/index.js';

/** A registered user with totals of the finalized trades since. Lamports. */
export type PartnerUser = Pick<typeof partnerUsers.$inferSelect, keyof typeof COLUMNS>;

/** Totals of all users of a partner. Lamports. */
export type PartnerStats = Omit<typeof partnerTotals.$inferSelect, 'partnerId'>;

/** Position in the order of users: by registration, then by address. */
export type UserPosition = Pick<PartnerUser, 'registeredAt' | 'wallet'>;

const COLUMNS = (({ wallet, registeredAt, volumeSol, feesSol, rewardSol }) => ({
  wallet,
  registeredAt,
  volumeSol,
  feesSol,
  rewardSol,
}))(partnerUsers);

/** A user of a partner; undefined when the partner has no such user. */
export async function findUser(
  db: Executor,
  partnerId: number,
  wallet: string,
): Promise<PartnerUser | undefined> {
  const [found] = await db
    .select(COLUMNS)
    .from(partnerUsers)
    .where(and(eq(partnerUsers.partnerId, partnerId), eq(partnerUsers.wallet, wallet)));
  return found;
}

/** Users in the order of their registration. */
export function listUsers(
  db: Executor,
  partnerId: number,
  { after, limit }: { readonly after?: UserPosition | undefined; readonly limit: number },
): Promise<PartnerUser[]> {
  const { wallet, registeredAt } = COLUMNS;
  const later =
    after === undefined
      ? undefined
      : sql`(${registeredAt}, ${wallet}) > (${after.registeredAt.toISOString()}::timestamptz, ${after.wallet}::text)`;
  return db
    .select(COLUMNS)
    .from(partnerUsers)
    .where(and(eq(partnerUsers.partnerId, partnerId), later))
    .orderBy(asc(registeredAt), asc(wallet))
    .limit(limit);
}

/** Totals over all users of a partner. */
export async function totalsOf(db: Executor, partnerId: number): Promise<PartnerStats> {
  const { users, trades, volumeSol, feesSol, rewardSol } = partnerTotals;
  const [stats] = await db
    .select({ users, trades, volumeSol, feesSol, rewardSol })
    .from(partnerTotals)
    .where(eq(partnerTotals.partnerId, partnerId));
  return stats ?? { users: 0n, trades: 0n, volumeSol: 0n, feesSol: 0n, rewardSol: 0n };
}
