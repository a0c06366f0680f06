// SQL of registrations: issued messages and registered users.
import { and, eq, gt, isNull, lte } from 'drizzle-orm';
import { statement, type Executor } from '../db/database.js';
import { partnerUsers, registrationNonces } from '../db/schema/index.js';

export type NewNonce = Omit<typeof registrationNonces.$inferInsert, 'usedAt'>;
export type NewUser = Pick<
  typeof partnerUsers.$inferSelect,
  'wallet' | 'partnerId' | 'signature' | 'registeredAt' | 'registeredSlot'
>;

export async function addNonce(db: Executor, nonce: NewNonce): Promise<void> {
  await db.insert(registrationNonces).values(nonce);
}

export async function removeExpiredNonces(db: Executor, at: Date): Promise<void> {
  await db.delete(registrationNonces).where(lte(registrationNonces.expiresAt, at));
}

/** What was issued with a nonce, and whether it can still be used; undefined when the nonce is unknown or another partner's. */
export async function findIssued(
  db: Executor,
  nonce: string,
  partnerId: number,
  at: Date,
): Promise<{ readonly message: string; readonly isUsable: boolean } | undefined> {
  const { message, usedAt, expiresAt } = registrationNonces;
  const [found] = await db
    .select({ message, usedAt, expiresAt })
    .from(registrationNonces)
    .where(and(eq(registrationNonces.nonce, nonce), eq(registrationNonces.partnerId, partnerId)));
  return found && { message: found.message, isUsable: found.usedAt === null && found.expiresAt > at };
}

/**
 * Uses up a nonce. Exactly one of several concurrent attempts succeeds; the others wait for its transaction.
 *
 * @returns false when it is unknown, used, expired or of another partner
 */
export async function useNonce(db: Executor, nonce: string, partnerId: number, at: Date): Promise<boolean> {
  const used = await db
    .update(registrationNonces)
    .set({ usedAt: at })
    .where(
      and(
        eq(registrationNonces.nonce, nonce),
        eq(registrationNonces.partnerId, partnerId),
        isNull(registrationNonces.usedAt),
        gt(registrationNonces.expiresAt, at),
      ),
    )
    .returning({ nonce: registrationNonces.nonce });
  return used.length > 0;
}

/** @returns false when a partner has registered the wallet already */
export async function addUser(db: Executor, user: NewUser): Promise<boolean> {
  // Names only the columns that the role of an API process may fill (db/roles.ts). Drizzle's insert names all.
  const added = await statement(db)`
    insert into partner_users (wallet, partner_id, signature, registered_at, registered_slot)
    values (${user.wallet}, ${user.partnerId}, ${user.signature}, ${user.registeredAt.toISOString()}::timestamptz,
      ${user.registeredSlot})
    on conflict do nothing returning wallet`;
  return added.length > 0;
}

/** The partner of a user, and the signature that registered it; undefined without a registration. */
export async function findRegistration(
  db: Executor,
  user: string,
): Promise<{ readonly partnerId: number; readonly signature: string } | undefined> {
  const { wallet, partnerId, signature } = partnerUsers;
  const [found] = await db.select({ partnerId, signature }).from(partnerUsers).where(eq(wallet, user));
  return found;
}
