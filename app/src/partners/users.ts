// A partner's view of its users, page by page.
import type { Database } from '../db/database.js';
import { PartnerError } from './errors.js';
import {
  findUser,
  listUsers,
  totalsOf,
  type PartnerStats,
  type PartnerUser,
  type UserPosition,
} from './user-repository.js';

/** Largest page. */
export const LARGEST_PAGE = 100;
/** Default page size. */
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

/** Encodes a position as an opaque cursor for a URL. */
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
