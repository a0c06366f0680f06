// Claims in the database. One statement writes the claim's row, its ledger entries and the treasury's cover,
// so a process that freezes in the middle of a claim holds no lock.
import { and, asc, eq, gt, sql, type SQL } from 'drizzle-orm';
import { statement, type Database, type Executor } from '../db/database.js';
import { post } from '../ledger/post.js';
import { areHeld } from '../db/lease.js';
import type { CLAIM_STATES } from '../db/schema/values.js';
import { claims, type CLAIM_REFUSALS } from '../db/schema/index.js';
import type { NewAnswer } from './idempotency-keys.js';
import { inTrace, IN_DATABASE } from '../base/tracing/spans.js';
import { claimEnd, claimStore, treasuryPay } from './functions.js';

export type Claim = typeof claims.$inferSelect;
export type ClaimState = (typeof CLAIM_STATES)[number];
/** Final states of a claim. */
export type ClaimEnd = Exclude<ClaimState, 'IN_PROGRESS'>;

/** A claim whose transaction is signed but not returned to the wallet yet. */
export type NewClaim = Omit<Claim, 'state' | 'problem' | 'createdAt' | 'updatedAt'>;

/** How fresh the balances must be, before a claim is checked. */
export interface Duties {
  /** The newest slot with a payment. Balances of an older slot do not include it. */
  readonly settledSlot: number;
  /** Whether claims of SOL or of the token are in progress. */
  readonly isPaying: boolean;
}

/** What the treasury has. The database knows what it owes. */
export interface Funds {
  /** Its address. */
  readonly treasury: string;
  /** Finalized slot of the balances. Newer ones could be undone by a reorg. */
  readonly slot: number;
  /** Lamports without the rent-exempt minimum of the treasury's own account. */
  readonly lamports: bigint;
  /** Base units of the claimed token. */
  readonly tokens: bigint;
}

type Refusal = (typeof CLAIM_REFUSALS)[number];

export type NotStored =
  | Exclude<Refusal, 'held'>
  /** With the reason, for the operator. */
  | `held: ${string}`;

/** Raised by the function `claim_refuse`; the message is the reason. */
const NOT_STORED = 'CK001';

export class ClaimsRepository {
  constructor(readonly database: Database) {}

  async duties(mint: string): Promise<Duties> {
    const [row] = await statement<{ slot: string; paying: boolean }>(this.database.queries)`
      select max(settled_slot)::text as slot,
        bool_or(reserved > 0 or costs > 0 or referral_reserved > 0 or volume_reserved > 0) as paying
      from treasury where asset in ('SOL', ${mint})`;
    return {
      settledSlot: Number(row?.slot ?? 0),
      isPaying: row?.paying === true,
    };
  }

  /**
   * Reserves the claim's amount and its cover, and stores the claim. Only then may its transaction be returned.
   *
   * @param answer stored under the request's idempotency key
   * @param funds what the treasury has; when omitted, its balance is not checked
   * @returns why nothing was changed, or undefined when the claim is stored
   */
  async store(claim: NewClaim, answer: NewAnswer | undefined, funds?: Funds): Promise<NotStored | undefined> {
    try {
      const storing = claimStore({
        claim: sql`jsonb_populate_record(null::claims, ${jsonOf(rowOf(claim))}::jsonb
          || jsonb_build_object('state', 'IN_PROGRESS', 'created_at', now(), 'updated_at', now()))`,
        kept: answer === undefined ? null : jsonOf(answer),
        funds: funds === undefined ? null : jsonOf(funds),
      });
      await inTrace('claim_store', IN_DATABASE, async () => {
        await this.database.queries.execute(sql`select ${storing}`);
      });
      return undefined;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      return reason;
    }
  }

  /**
   * Ends a claim in progress. Does nothing when the claim has ended already.
   *
   * @param landed slot of its transaction; null when it is in no block
   * @returns whether this call ended it
   */
  async end(
    signature: string,
    state: ClaimEnd,
    problem: string | null,
    { now, landed }: { readonly now: Date; readonly landed: number | null },
  ): Promise<boolean> {
    const { fences, kind } = this.database;
    const ending = claimEnd({ signature, state, problem, landed, now });
    // One statement, as when the claim is stored. The embedded database keeps its leases in this process.
    const ends = async (db: Executor, allowed: SQL) =>
      statement<{ ended: boolean | null }>(db)`select case when ${allowed} then ${ending} end as ended`;
    const [row] = await inTrace('claim_end', IN_DATABASE, () =>
      kind === 'pglite'
        ? this.database.transaction((tx) => ends(tx, sql`true`))
        : ends(this.database.queries, areHeld(fences)),
    );
    return row?.ended === true;
  }

  /**
   * Completes an expired claim that was paid after all: its released amount is taken again. @throws when that amount has been
   * claimed since
   */
  correct(
    signature: string,
    { now, landed }: { readonly now: Date; readonly landed: number },
  ): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const [claim] = await tx
        .update(claims)
        .set({ state: 'COMPLETED', problem: 'found paid after it had been given up', updatedAt: now })
        .where(and(eq(claims.signature, signature), eq(claims.state, 'EXPIRED')))
        .returning();
      if (claim === undefined) return false;
      const { wallet: owner, mint, asset, referral, volume } = claim;
      const booked = await post(tx, {
        key: `claim:${signature}:correction`,
        entries: (
          [
            ['settlement', claim.amount - referral - volume],
            ['referral', referral],
            ['volume', volume],
          ] as const
        ).flatMap(([origin, amount]) => [
          { kind: 'claimable', owner, mint, asset, origin, amount: -amount },
          { kind: 'claimed', owner, mint, asset, origin, amount },
        ]),
      });
      await tx.execute(sql`select ${treasuryPay({ asset: mint, referral, slot: landed, volume })}`);
      return booked;
    });
  }

  async countOpen(): Promise<number> {
    const [row] = await statement<{ count: number }>(this.database.queries)`
      select count(*)::integer as count from claims where state = 'IN_PROGRESS'`;
    return row?.count ?? 0;
  }

  async find(signature: string): Promise<Claim | undefined> {
    const [claim] = await this.database.queries.select().from(claims).where(eq(claims.signature, signature));
    return claim;
  }

  /** Claims in progress, oldest first, after a given one. */
  open(limit: number, after?: Pick<Claim, 'signature'>): Promise<Claim[]> {
    // Compares the database's own timestamp, because a Date has fewer digits.
    const isAfter = (signature: string) => {
      const last = sql`select created_at from claims where signature = ${signature}`;
      // The first condition lets the index scan start at this row.
      return sql`${claims.createdAt} >= (${last}) and (${claims.createdAt} > (${last}) or ${claims.signature} > ${signature})`;
    };
    return this.database.queries
      .select()
      .from(claims)
      .where(and(eq(claims.state, 'IN_PROGRESS'), after && isAfter(after.signature)))
      .orderBy(asc(claims.createdAt), asc(claims.signature))
      .limit(limit);
  }

  async expiredSince(moment: Date): Promise<string[]> {
    const rows = await this.database.queries
      .select({ signature: claims.signature })
      .from(claims)
      .where(and(eq(claims.state, 'EXPIRED'), gt(claims.updatedAt, moment)));
    return rows.map(({ signature }) => signature);
  }
}

function rowOf(claim: NewClaim): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(claim).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

/** Amounts as text, which `numeric` reads exactly. */
function jsonOf(value: object): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
}

function reasonOf(error: unknown): NotStored | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!('code' in cause) || cause.code !== NOT_STORED) continue;
    const refusal = cause.message as Refusal;
    return refusal === 'held' ? `held: ${'detail' in cause ? String(cause.detail) : ''}` : refusal;
  }
  return undefined;
}
