// Claims in the database. A claim's row and what it does to the ledger are always one transaction.
import { and, asc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import { rowsOf, type Database, type Executor, type Transaction } from '../db/database.js';
import { post, releaseReserve, reserveAll, settleReserve, type Asset } from '../db/ledger.js';
import {
  claims,
  type CLAIM_STATES,
  idempotencyKeys,
  ledgerAccounts,
  settlements,
} from '../db/schema/index.js';

export type Claim = typeof claims.$inferSelect;
export type ClaimState = (typeof CLAIM_STATES)[number];
/** How a claim can end. */
export type ClaimEnd = Exclude<ClaimState, 'IN_PROGRESS'>;

/** A claim whose transaction is signed, still unknown to anybody. */
export type NewClaim = Omit<Claim, 'state' | 'problem' | 'createdAt' | 'updatedAt'>;

/** What stands before a claim. */
export interface Claimable {
  readonly tokenExists: boolean;
  /** Another claim of the wallet and token is in progress. */
  readonly inProgress: boolean;
  /** Lamports or smallest token units that can be claimed. */
  readonly amount: bigint;
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

/** What the treasury's claims under way take, in lamports and smallest token units. */
export interface Obligations {
  readonly reservedSol: bigint;
  readonly reservedToken: bigint;
  /** Network fees and rent of claims of any token. */
  readonly tokenClaimCosts: bigint;
}

/** Whether a claim may be stored beside all others. */
export interface Cover {
  /** When the treasury's balance was read: what has been paid since is not in it. */
  readonly since: Date;
  /** @throws when the balance does not cover the claim as well; nothing is stored then */
  readonly require: (obligations: Obligations) => void;
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
  | 'key taken';

/** Advisory lock of a transaction that stores a claim. */
const STORING_LOCK = 0x63_6c_61_69;

/** Rolls the transaction back. */
class NotStoredError extends Error {
  constructor(readonly reason: NotStored) {
    super(reason);
  }
}

export class ClaimsRepository {
  constructor(private readonly database: Database) {}

  async claimable(wallet: string, mint: string, asset: Asset, failedSince: Date): Promise<Claimable> {
    const [row] = await rowsOf<{
      token_exists: boolean;
      in_progress: boolean;
      amount: string;
      failures: number;
    }>(
      this.database.queries,
      sql`select
        exists (select 1 from tokens where mint = ${mint}) as token_exists,
        exists (select 1 from claims where wallet = ${wallet} and mint = ${mint} and state = 'IN_PROGRESS') as in_progress,
        coalesce((
          select balance from ledger_accounts
          where owner = ${wallet} and mint = ${mint} and asset = ${asset} and kind = 'claimable'
        ), 0)::text as amount,
        (select count(*) from claims
          where wallet = ${wallet} and state = 'FAILED' and created_at > ${failedSince.toISOString()}::timestamptz
        )::integer as failures`,
    );
    return {
      tokenExists: row?.token_exists === true,
      inProgress: row?.in_progress === true,
      amount: BigInt(row?.amount ?? 0),
      failures: row?.failures ?? 0,
    };
  }

  async openedAccounts(wallet: string, mint: string, since: Date): Promise<OpenedAccounts> {
    const opened = sql`from claims where opens_account and state in ('IN_PROGRESS', 'COMPLETED')`;
    const [row] = await rowsOf<{ of_wallet: boolean; count: number }>(
      this.database.queries,
      sql`select
        exists (select 1 ${opened} and wallet = ${wallet} and mint = ${mint}) as of_wallet,
        (select count(*) ${opened} and created_at > ${since.toISOString()}::timestamptz)::integer as count`,
    );
    return { ofWallet: row?.of_wallet === true, count: row?.count ?? 0 };
  }

  /** @param since what has been paid since then counts as under way */
  obligations(mint: string, since: Date): Promise<Obligations> {
    return obligations(this.database.queries, mint, since);
  }

  /**
   * Lamports that wallets have been credited and not been paid, or will be by settlements under way, whose money can be
   * there before the credits are. Reads every balance: not for each request.
   */
  async owedSol(): Promise<bigint> {
    const [row] = await this.database.queries
      .select({
        owed: sql<string>`(coalesce(sum(${ledgerAccounts.balance}), 0) + (
          select coalesce(sum(sol_holders + sol_creator_credited), 0) from ${settlements} where state = 'planned'
        ))::text`,
      })
      .from(ledgerAccounts)
      .where(and(eq(ledgerAccounts.asset, 'SOL'), inArray(ledgerAccounts.kind, ['claimable', 'reserved'])));
    return BigInt(row?.owed ?? 0);
  }

  /**
   * Reserves the whole claimable amount and stores the claim: only then may its transaction be handed out.
   *
   * @param kept the answer to keep under an idempotency key
   * @param cover judges the claim beside all others: of many at once, each counts those before it
   * @returns why nothing was changed, or undefined when the claim is stored
   */
  async store(
    claim: NewClaim,
    kept: (KeptAnswer & { readonly key: string; readonly now: Date; readonly expiresAt: Date }) | undefined,
    cover?: Cover,
  ): Promise<NotStored | undefined> {
    const { wallet, mint, asset, amount } = claim;
    try {
      await this.database.transaction(async (tx) => {
        if (kept !== undefined && !(await keepAnswer(tx, wallet, kept)))
          throw new NotStoredError('key taken');
        const reserved = await reserveAll(tx, {
          key: `claim:${claim.signature}:reserve`,
          wallet,
          mint,
          asset,
        });
        if (reserved > 0n && cover !== undefined) {
          // The last thing that is waited for, so that nobody holds up all claims while it waits for something else.
          await tx.execute(sql`select pg_advisory_xact_lock(${STORING_LOCK})`);
          cover.require(await obligations(tx, mint, cover.since));
        }
        // Whoever reserved it while this transaction waited has stored its claim too.
        const stored = reserved === 0n ? [] : await insertClaim(tx, claim);
        if (stored.length === 0) {
          throw new NotStoredError((await hasOpenClaim(tx, wallet, mint)) ? 'in progress' : 'other amount');
        }
        if (reserved !== amount) throw new NotStoredError('other amount');
      });
      return undefined;
    } catch (error) {
      if (error instanceof NotStoredError) return error.reason;
      throw error;
    }
  }

  /** Ends a claim in progress; does nothing when it has ended already. @returns whether this call ended it */
  end(signature: string, state: ClaimEnd, problem: string | null, now: Date): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const [claim] = await tx
        .update(claims)
        .set({ state, problem, updatedAt: now })
        .where(and(eq(claims.signature, signature), eq(claims.state, 'IN_PROGRESS')))
        .returning();
      if (claim === undefined) return false;
      const { wallet, mint, asset, amount } = claim;
      const move = { key: `claim:${signature}:end`, wallet, mint, asset, amount };
      const moved = await (state === 'COMPLETED' ? settleReserve(tx, move) : releaseReserve(tx, move));
      if (!moved) throw new Error(`the claim ${signature} is in progress, but its end is booked`);
      return true;
    });
  }

  /**
   * An expired claim turned out to be paid: takes what was given back. @throws when it has been claimed again meanwhile
   */
  correct(signature: string, now: Date): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const [claim] = await tx
        .update(claims)
        .set({ state: 'COMPLETED', problem: 'found paid after it had been given up', updatedAt: now })
        .where(and(eq(claims.signature, signature), eq(claims.state, 'EXPIRED')))
        .returning();
      if (claim === undefined) return false;
      const { wallet: owner, mint, asset, amount } = claim;
      return post(tx, {
        key: `claim:${signature}:correction`,
        entries: [
          { kind: 'claimable', owner, mint, asset, amount: -amount },
          { kind: 'claimed', owner, mint, asset, amount },
        ],
      });
    });
  }

  async find(signature: string): Promise<Claim | undefined> {
    const [claim] = await this.database.queries.select().from(claims).where(eq(claims.signature, signature));
    return claim;
  }

  /** Claims in progress, oldest first, after a given one. */
  open(limit: number, after?: Pick<Claim, 'signature'>): Promise<Claim[]> {
    // By its moment as the database has it: a Date has fewer digits.
    const isAfter = (signature: string) =>
      sql`(${claims.createdAt}, ${claims.signature}) > (select created_at, signature from claims where signature = ${signature})`;
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
  keep(wallet: string, answer: KeptAnswer & { key: string; now: Date; expiresAt: Date }): Promise<boolean> {
    return keepAnswer(this.database.queries, wallet, answer);
  }

  async forgetOldAnswers(now: Date): Promise<void> {
    await this.database.queries.delete(idempotencyKeys).where(lt(idempotencyKeys.expiresAt, now));
  }
}

async function obligations(db: Executor, mint: string, since: Date): Promise<Obligations> {
  const [row] = await rowsOf<{ sol: string; token: string; costs: string }>(
    db,
    sql`select
      coalesce(sum(amount) filter (where asset = 'SOL'), 0)::text as sol,
      coalesce(sum(amount) filter (where asset = 'TOKEN' and mint = ${mint}), 0)::text as token,
      coalesce(sum(network_fee + rent) filter (where asset = 'TOKEN'), 0)::text as costs
    from (
      select asset, mint, amount, network_fee, rent from claims where state = 'IN_PROGRESS'
      union all
      select asset, mint, case state when 'COMPLETED' then amount else 0 end, network_fee, rent from claims
      where state in ('COMPLETED', 'FAILED') and updated_at >= ${since.toISOString()}::timestamptz
    ) under_way`,
  );
  return {
    reservedSol: BigInt(row?.sol ?? 0),
    reservedToken: BigInt(row?.token ?? 0),
    tokenClaimCosts: BigInt(row?.costs ?? 0),
  };
}

function insertClaim(tx: Transaction, claim: NewClaim) {
  return tx.insert(claims).values(claim).onConflictDoNothing().returning({ signature: claims.signature });
}

async function hasOpenClaim(tx: Transaction, wallet: string, mint: string): Promise<boolean> {
  const rows = await tx
    .select({ signature: claims.signature })
    .from(claims)
    .where(and(eq(claims.wallet, wallet), eq(claims.mint, mint), eq(claims.state, 'IN_PROGRESS')));
  return rows.length > 0;
}

/** An answer whose time is over gives its key free. */
async function keepAnswer(
  db: Executor,
  wallet: string,
  { now, ...answer }: KeptAnswer & { readonly key: string; readonly now: Date; readonly expiresAt: Date },
): Promise<boolean> {
  const rows = await db
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
