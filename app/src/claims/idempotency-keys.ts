// Answers stored under the idempotency keys of wallets.
import { createHash } from 'node:crypto';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import type { Database } from '../db/database.js';
import { idempotencyKeys } from '../db/schema/index.js';

export interface StoredAnswer {
  readonly requestHash: string;
  readonly body: string;
}

export interface NewAnswer extends StoredAnswer {
  readonly key: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

export class IdempotencyKeys {
  constructor(private readonly database: Database) {}

  async find(wallet: string, key: string, now: Date): Promise<StoredAnswer | undefined> {
    const [answer] = await this.database.queries
      .select()
      .from(idempotencyKeys)
      .where(
        and(
          eq(idempotencyKeys.wallet, wallet),
          eq(idempotencyKeys.key, key),
          gt(idempotencyKeys.expiresAt, now),
        ),
      );
    return answer;
  }

  /** An answer that is stored under the key already stays. */
  async store(wallet: string, { now, ...answer }: NewAnswer): Promise<void> {
    await this.database.queries
      .insert(idempotencyKeys)
      .values({ wallet, ...answer })
      .onConflictDoUpdate({
        target: [idempotencyKeys.wallet, idempotencyKeys.key],
        set: answer,
        setWhere: sql`${idempotencyKeys.expiresAt} <= ${now.toISOString()}::timestamptz`,
      });
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.database.transaction((tx) =>
      tx.delete(idempotencyKeys).where(lt(idempotencyKeys.expiresAt, now)),
    );
  }
}

/** Identifies what a request asks for. */
export function hashOf(request: readonly (string | boolean)[]): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}
