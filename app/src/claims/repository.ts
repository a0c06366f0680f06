// Claims in the database. A claim's row and what it does to the ledger and to the treasury's cover are always one
// statement: a process that is frozen in the middle of a claim holds no lock that others wait for.
import { and, asc, eq, gt, lt, sql, type SQL } from 'drizzle-orm';
import { rowsOf, type Database, type Executor } from '../db/database.js';
import type { Asset, ByOrigin } from '../ledger/accounts.js';
import { claimableAmounts } from '../ledger/balances.js';
import { post } from '../ledger/post.js';
import { owedLamports } from '../ledger/totals.js';
import { isHeld } from '../db/lease.js';
import { claims, type CLAIM_STATES, idempotencyKeys } from '../db/schema/index.js';

export type Claim = typeof claims.$inferSelect;
export type ClaimState = (typeof CLAIM_STATES)[number];
/** How a claim can end. */
export type ClaimEnd = Exclude<ClaimState, 'IN_PROGRESS'>;

/** A claim whose transaction is signed, still unknown to anybody. */
export type NewClaim = Omit<Claim, 'state' | 'problem' | 'createdAt' | 'updatedAt'>;

/** State that decides whether a wallet can claim. */
export interface Claimable {
  readonly tokenExists: boolean;
  /** Another claim of the wallet and token is in progress. */
  readonly inProgress: boolean;
  /** Lamports or smallest token units that can be claimed, by what they came from. */
  readonly amounts: ByOrigin;
  /** Lamports in the treasury for referral rewards that no claim has taken. */
  readonly referralCover: bigint;
  /** Claims of the wallet, of any token, that failed on chain since the moment asked for. */
  readonly failures: number;
}

/** Token accounts that the treasury has paid for, or is about to. */
export interface OpenedAccounts {
  /** One of this wallet and token. */
  readonly ofWallet: boolean;
  /** All of them since the moment asked for. */
  readonly count: number;
}

/** What the treasury owes beside the claim that is judged. */
export interface Duties {
  /**
   * Lamports that wallets have been credited from settlements and not been paid, or will be: by settlements under way, whose
   * money can be there before the credits are, and by those found on chain.
   */
  readonly owedSettlement: bigint;
  /** The newest slot in which something was paid: older balances do not show it. */
  readonly settledSlot: number;
  /** Whether claims of SOL or of the token are in progress. */
  readonly isPaying: boolean;
}

/** What the treasury has, and owes beside claims in progress. Lamports and smallest token units. */
export interface Funds {
  /** Finalized slot of the balances. */
  readonly slot: number;
  /** Without what keeps the treasury's own account alive. */
  readonly lamports: bigint;
  /** Of the token that is claimed. */
  readonly tokens: bigint;
  /** Credited from settlements and not paid yet; read before the balances. */
  readonly owedSettlement: bigint;
}

/** The answer that an idempotency key stands for. */
export interface KeptAnswer {
  readonly requestHash: string;
  readonly statusCode: number;
  readonly body: string;
}

/** Why a new claim was not stored. */
export type NotStored =
  /** Another claim of the wallet and token is in progress. */
  | 'in progress'
  /** There is another amount to claim than what the transaction pays. */
  | 'other amount'
  /** The idempotency key stands for an answer already. */
  | 'key taken'
  /** Something was paid after the balances were read. */
  | 'stale balance'
  /** The balances do not cover it beside all other claims in progress. */
  | 'short of tokens'
  | 'short of SOL'
  | 'short of SOL for the network'
  /** The money for the referral rewards in it is not in the treasury. */
  | 'referral not funded'
  /** Nothing is paid at the moment; why, for the operator. */
  | `held: ${string}`;

/** Raised by the function `claim_store`; the message is the reason. */
const NOT_STORED = 'CK001';

export class ClaimsRepository {
  constructor(private readonly database: Database) {}

  async claimable(wallet: string, mint: string, asset: Asset, failedSince: Date): Promise<Claimable> {
    const [row] = await rowsOf<{
      token_exists: boolean;
      in_progress: boolean;
      settlement: string;
      referral: string;
      cover: string;
      failures: number;
    }>(
      this.database.queries,
      sql`select
        exists (select 1 from tokens where mint = ${mint}) as token_exists,
        exists (select 1 from claims where wallet = ${wallet} and mint = ${mint} and state = 'IN_PROGRESS') as in_progress,
        held.settlement::text as settlement, held.referral::text as referral,
        (select referral_funded - referral_reserved - referral_settled from treasury where asset = 'SOL')::text as cover,
        (select count(*) from claims
          where wallet = ${wallet} and state = 'FAILED' and created_at > ${failedSince.toISOString()}::timestamptz
        )::integer as failures
        from (${claimableAmounts({ wallet, mint, asset })}) held`,
    );
    return {
      tokenExists: row?.token_exists === true,
      inProgress: row?.in_progress === true,
      amounts: { settlement: BigInt(row?.settlement ?? 0), referral: BigInt(row?.referral ?? 0) },
      referralCover: BigInt(row?.cover ?? 0),
      failures: row?.failures ?? 0,
    };
  }

  async openedAccounts(wallet: string, mint: string, since: Date): Promise<OpenedAccounts> {
    const opened = sql`from claims where opens_account and state in ('IN_PROGRESS', 'COMPLETED')`;
    const [row] = await rowsOf<{ of_wallet: boolean; count: number }>(
      this.database.queries,
      sql`select
        (exists (select 1 ${opened} and wallet = ${wallet} and mint = ${mint})
          or exists (select 1 from opened_accounts where owner = ${wallet} and mint = ${mint})) as of_wallet,
        (select count(*) ${opened} and created_at > ${since.toISOString()}::timestamptz)::integer as count`,
    );
    return { ofWallet: row?.of_wallet === true, count: row?.count ?? 0 };
  }

  /** Whether a claim of the wallet and token is in progress. */
  async isInProgress(wallet: string, mint: string): Promise<boolean> {
    const rows = await this.database.queries
      .select({ signature: claims.signature })
      .from(claims)
      .where(and(eq(claims.wallet, wallet), eq(claims.mint, mint), eq(claims.state, 'IN_PROGRESS')));
    return rows.length > 0;
  }

  /** What the treasury owes beside the claim that is judged, and how fresh a balance must be. */
  async duties(mint: string): Promise<Duties> {
    // One statement: between two, an amount could be credited and be in neither.
    const [row] = await rowsOf<{ owed: string; slot: string; paying: boolean }>(
      this.database.queries,
      sql`select max(settled_slot)::text as slot,
            bool_or(reserved > 0 or costs > 0 or referral_reserved > 0) as paying,
            (${owedLamports('settlement')}
              + (select coalesce(sum(sol_holders + sol_creator_credited), 0) from settlements where state = 'planned')
              + (select coalesce(sum(sol_left), 0) from recovered_settlements))::text as owed
          from treasury where asset in ('SOL', ${mint})`,
    );
    return {
      owedSettlement: BigInt(row?.owed ?? 0),
      settledSlot: Number(row?.slot ?? 0),
      isPaying: row?.paying === true,
    };
  }

  /**
   * Reserves the claim's amount, and the cover for it, and stores the claim: only then may its transaction be handed out.
   *
   * @param kept the answer to keep under an idempotency key
   * @param funds what the claim is judged by, beside all claims in progress; not judged without
   * @returns why nothing was changed, or undefined when the claim is stored
   */
  async store(
    claim: NewClaim,
    kept: (KeptAnswer & { readonly key: string; readonly now: Date; readonly expiresAt: Date }) | undefined,
    funds?: Funds,
  ): Promise<NotStored | undefined> {
    try {
      await this.database.queries.execute(sql`
        select claim_store(
          jsonb_populate_record(null::claims, ${jsonOf(rowOf(claim))}::jsonb
            || jsonb_build_object('state', 'IN_PROGRESS', 'created_at', now(), 'updated_at', now())),
          ${kept === undefined ? null : jsonOf(kept)}::jsonb, ${funds === undefined ? null : jsonOf(funds)}::jsonb
        )`);
      return undefined;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      return reason;
    }
  }

  /**
   * Ends a claim in progress; does nothing when it has ended already.
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
    const { fence, kind } = this.database;
    const ending = sql`claim_end(${signature}, ${state}, ${problem}, ${landed}::bigint, ${now.toISOString()}::timestamptz)`;
    // One statement, as when the claim was stored. The embedded database has its leases in this process.
    const ends = async (db: Executor, allowed: SQL) =>
      rowsOf<{ ended: boolean | null }>(db, sql`select case when ${allowed} then ${ending} end as ended`);
    const [row] =
      kind === 'pglite'
        ? await this.database.transaction((tx) => ends(tx, sql`true`))
        : await ends(this.database.queries, fence === undefined ? sql`true` : isHeld(fence));
    return row?.ended === true;
  }

  /**
   * An expired claim turned out to be paid: takes what was given back. @throws when it has been claimed again meanwhile
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
      const { wallet: owner, mint, asset, referral } = claim;
      const booked = await post(tx, {
        key: `claim:${signature}:correction`,
        entries: (
          [
            ['settlement', claim.amount - referral],
            ['referral', referral],
          ] as const
        ).flatMap(([origin, amount]) => [
          { kind: 'claimable', owner, mint, asset, origin, amount: -amount },
          { kind: 'claimed', owner, mint, asset, origin, amount },
        ]),
      });
      await tx.execute(sql`
        update treasury set settled_slot = greatest(settled_slot, ${landed}::bigint),
          referral_settled = referral_settled + case asset when 'SOL' then ${String(referral)}::numeric else 0 end
        where asset in ('SOL', ${mint})
      `);
      return booked;
    });
  }

  /** How many claims are in progress. */
  async countOpen(): Promise<number> {
    const [row] = await rowsOf<{ count: number }>(
      this.database.queries,
      sql`select count(*)::integer as count from claims where state = 'IN_PROGRESS'`,
    );
    return row?.count ?? 0;
  }

  async find(signature: string): Promise<Claim | undefined> {
    const [claim] = await this.database.queries.select().from(claims).where(eq(claims.signature, signature));
    return claim;
  }

  /** Claims in progress, oldest first, after a given one. */
  open(limit: number, after?: Pick<Claim, 'signature'>): Promise<Claim[]> {
    // By its moment as the database has it: a Date has fewer digits.
    const isAfter = (signature: string) => {
      const last = sql`select created_at from claims where signature = ${signature}`;
      // The first condition is what an index can begin at.
      return sql`${claims.createdAt} >= (${last}) and (${claims.createdAt} > (${last}) or ${claims.signature} > ${signature})`;
    };
    return this.database.queries
      .select()
      .from(claims)
      .where(and(eq(claims.state, 'IN_PROGRESS'), after && isAfter(after.signature)))
      .orderBy(asc(claims.createdAt), asc(claims.signature))
      .limit(limit);
  }

  /** Signatures of claims that expired since a moment. */
  async expiredSince(moment: Date): Promise<string[]> {
    const rows = await this.database.queries
      .select({ signature: claims.signature })
      .from(claims)
      .where(and(eq(claims.state, 'EXPIRED'), gt(claims.updatedAt, moment)));
    return rows.map(({ signature }) => signature);
  }

  async keptAnswer(wallet: string, key: string, now: Date): Promise<KeptAnswer | undefined> {
    const [kept] = await this.database.queries
      .select()
      .from(idempotencyKeys)
      .where(
        and(
          eq(idempotencyKeys.wallet, wallet),
          eq(idempotencyKeys.key, key),
          gt(idempotencyKeys.expiresAt, now),
        ),
      );
    return kept;
  }

  /** @returns whether it is kept: false when the key stands for an answer already */
  async keep(
    wallet: string,
    { now, ...answer }: KeptAnswer & { key: string; now: Date; expiresAt: Date },
  ): Promise<boolean> {
    const rows = await this.database.queries
      .insert(idempotencyKeys)
      .values({ wallet, ...answer })
      .onConflictDoUpdate({
        target: [idempotencyKeys.wallet, idempotencyKeys.key],
        set: answer,
        setWhere: sql`${idempotencyKeys.expiresAt} <= ${now.toISOString()}::timestamptz`,
      })
      .returning({ key: idempotencyKeys.key });
    return rows.length > 0;
  }

  async forgetOldAnswers(now: Date): Promise<void> {
    await this.database.transaction((tx) =>
      tx.delete(idempotencyKeys).where(lt(idempotencyKeys.expiresAt, now)),
    );
  }
}

/** A claim under the names of its columns. */
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
    if ('code' in cause && cause.code === NOT_STORED) return cause.message as NotStored;
  }
  return undefined;
}
