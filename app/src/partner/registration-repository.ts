// SQL of registrations: messages handed out, and users registered.
import { and, eq, gt, isNull, lte } from 'drizzle-orm';
import type { Executor } from '../db/database.js';
import { partnerUsers, registrationNonces } from '../db/schema/index.js';

export type NewNonce = Omit<typeof registrationNonces.$inferInsert, 'usedAt'>;
export type NewUser = Pick<
  typeof partnerUsers.$inferSelect,
  'wallet' | 'partnerId' | 'signature' | 'registeredAt' | 'registeredSlot'
>;

export async function addNonce(db: Executor, nonce: NewNonce): Promise<void> {
  await db.insert(registrationNonces).values(nonce);
}

/** Forgets nonces that have expired, used or not. */
export async function removeExpiredNonces(db: Executor, at: Date): Promise<void> {
  await db.delete(registrationNonces).where(lte(registrationNonces.expiresAt, at));
}

/**
 * Uses a nonce up. Of many attempts at once exactly one gets it; the others wait for its transaction.
 *
 * @returns the message it was handed out with; undefined when it is unknown, used, expired or another partner's
 */
export async function useNonce(
  db: Executor,
  nonce: string,
  partnerId: number,
  at: Date,
): Promise<string | undefined> {
  const [used] = await db
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
    .returning({ message: registrationNonces.message });
  return used?.message;
}

/** @returns false when some partner has registered the wallet already */
export async function addUser(db: Executor, user: NewUser): Promise<boolean> {
  const added = await db
    .insert(partnerUsers)
    .values(user)
    .onConflictDoNothing()
    .returning({ wallet: partnerUsers.wallet });
  return added.length > 0;
}
