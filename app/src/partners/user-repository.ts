// SQL of registered users and their totals, which the referral rewards keep up to date.
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Executor, Database } from '../db/database.js';
import { partnerTotals, partnerUsers } from '../db/schema/index.js';
import { PartnerError } from './errors.js';

/** A registered user with totals of the finalized trades since. Lamports. */
export type PartnerUser = Pick<typeof partnerUsers.$inferSelect, keyof typeof COLUMNS>;

/** Totals of all users of a partner. Lamports. */
type PartnerStats = Omit<typeof partnerTotals.$inferSelect, 'partnerId'>;

/** Position in the order of users: by registration, then by address. */
type UserPosition = Pick<PartnerUser, 'registeredAt' | 'wallet'>;

const COLUMNS = (({ wallet, registeredAt, volumeSol, feesSol, rewardSol }) => ({
  wallet,
  registeredAt,
  volumeSol,
  feesSol,
  rewardSol,
}))(partnerUsers);

/** A user of a partner; undefined when the partner has no such user. */
async function findUser(db: Executor, partnerId: number, wallet: string): Promise<PartnerUser | undefined> {
  const [found] = await db
    .select(COLUMNS)
    .from(partnerUsers)
    .where(and(eq(partnerUsers.partnerId, partnerId), eq(partnerUsers.wallet, wallet)));
  return found;
}

/** Users in the order of their registration. */
function listUsers(
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

async function totalsOf(db: Executor, partnerId: number): Promise<PartnerStats> {
  const { users, trades, volumeSol, feesSol, rewardSol } = partnerTotals;
  const [stats] = await db
    .select({ users, trades, volumeSol, feesSol, rewardSol })
    .from(partnerTotals)
    .where(eq(partnerTotals.partnerId, partnerId));
  return stats ?? { users: 0n, trades: 0n, volumeSol: 0n, feesSol: 0n, rewardSol: 0n };
}

// A partner's view of its users, page by page.

export const LARGEST_PAGE = 100;
export const DEFAULT_PAGE = 50;

/** Users in the order of registration. New users come last, so that pages never shift. */
export async function userPage(
  { queries }: Database,
  partnerId: number,
  { after, limit }: { readonly after?: UserPosition | undefined; readonly limit: number },
) {
  const found = await listUsers(queries, partnerId, { after, limit: limit + 1 });
  const users = found.slice(0, limit);
  return { users, next: found.length > limit ? (users.at(-1) ?? null) : null };
}

/** A partner's user. @throws PartnerError `user` */
export async function userOf({ queries }: Database, partnerId: number, wallet: string): Promise<PartnerUser> {
  const user = await findUser(queries, partnerId, wallet);
  if (user === undefined) throw new PartnerError('user', 'This partner has no such user');
  return user;
}

export function partnerStats({ queries }: Database, partnerId: number): Promise<PartnerStats> {
  return totalsOf(queries, partnerId);
}

export function encodeCursor({ registeredAt, wallet }: UserPosition): string {
  return Buffer.from(`${registeredAt.getTime()}.${wallet}`).toString('base64url');
}

/** Decodes a cursor; undefined when it is not valid. */
export function decodeCursor(cursor: string): UserPosition | undefined {
  const [, milliseconds, wallet] =
    /^(\d{1,13})\.([1-9A-HJ-NP-Za-km-z]{32,44})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (milliseconds === undefined || wallet === undefined) return undefined;
  const position = { registeredAt: new Date(Number(milliseconds)), wallet };
  return encodeCursor(position) === cursor ? position : undefined;
}
