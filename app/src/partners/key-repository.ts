// SQL of partners and their keys.
import { and, asc, eq, getTableColumns, isNotNull, isNull, lt, or } from 'drizzle-orm';
import type { Executor, Transaction } from '../db/database.js';
import { apiKeys, partners } from '../db/schema/index.js';
import type { Scope } from './scopes.js';

export type Partner = Omit<typeof partners.$inferSelect, 'createdAt'>;

export interface StoredKey extends Omit<typeof apiKeys.$inferSelect, 'partnerId' | 'scopes'> {
  readonly partner: Partner;
  readonly scopes: readonly Scope[];
}

export type NewKey = Pick<
  StoredKey,
  'id' | 'secretHash' | 'scopes' | 'requestLimit' | 'createdAt' | 'expiresAt'
> & {
  readonly partnerId: number;
};

const { partnerId: _partnerId, ...OF_KEY } = getTableColumns(apiKeys);
const COLUMNS = {
  ...OF_KEY,
  partner: { id: partners.id, name: partners.name, payoutWallet: partners.payoutWallet },
};

export async function findKey(db: Executor, id: string): Promise<StoredKey | undefined> {
  const [key] = await selectKeys(db).where(eq(apiKeys.id, id));
  return key;
}

/** Like `findKey`, but locks the key until the end of the transaction. */
export async function holdKey(tx: Transaction, id: string): Promise<StoredKey | undefined> {
  const [key] = await selectKeys(tx).where(eq(apiKeys.id, id)).for('update', { of: apiKeys });
  return key;
}

export function keysWithLimit(db: Executor): Promise<StoredKey[]> {
  return selectKeys(db).where(and(isNotNull(apiKeys.requestLimit), isNull(apiKeys.revokedAt)));
}

/** Every key, by partner and age. */
export function listKeys(db: Executor): Promise<StoredKey[]> {
  return selectKeys(db).orderBy(asc(partners.name), asc(apiKeys.createdAt), asc(apiKeys.id));
}

/** Finds or creates the partner of that name. An existing partner keeps its payout wallet. */
export async function findOrAddPartner(db: Executor, name: string, payoutWallet: string): Promise<Partner> {
  await db.insert(partners).values({ name, payoutWallet }).onConflictDoNothing();
  const partner = await findPartner(db, name);
  if (partner === undefined) throw new Error(`the partner '${name}' is neither there nor can be added`);
  return partner;
}

export async function findPartner(db: Executor, name: string): Promise<Partner | undefined> {
  const [partner] = await db.select(COLUMNS.partner).from(partners).where(eq(partners.name, name));
  return partner;
}

export async function addKey(db: Executor, { scopes, ...key }: NewKey): Promise<void> {
  await db.insert(apiKeys).values({ ...key, scopes: [...scopes] });
}

/** Sets the end of a key and stores its successor. */
export async function replaceKey(
  db: Executor,
  id: string,
  replacement: { readonly replacedBy: string; readonly expiresAt: Date },
): Promise<void> {
  await db.update(apiKeys).set(replacement).where(eq(apiKeys.id, id));
}

/** @returns false when the key is unknown or already revoked */
export async function markRevoked(db: Executor, id: string, revokedAt: Date): Promise<boolean> {
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  return revoked.length > 0;
}

/** Stores the last use of a key, unless a use after `unlessSince` is stored already. */
export async function markUsed(db: Executor, id: string, usedAt: Date, unlessSince: Date): Promise<void> {
  await db
    .update(apiKeys)
    .set({ lastUsedAt: usedAt })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, unlessSince))));
}

function selectKeys(db: Executor) {
  return db.select(COLUMNS).from(apiKeys).innerJoin(partners, eq(partners.id, apiKeys.partnerId)).$dynamic();
}
