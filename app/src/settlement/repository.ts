// Settlements in the database.
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Executor, type Transaction } from '../db/database.js';
import type { Asset } from '../ledger/accounts.js';
import { credit, type Credit } from '../ledger/credit.js';
import {
  curveStates,
  records,
  settlementCredits,
  settlementHolders,
  settlements,
  settlementSeeds,
  tokens,
} from '../db/schema/index.js';
import { statesOf } from '../authority/history.js';
import { decide } from '../authority/repository.js';
import { closeOpening, recordOpening } from './opened-accounts.js';
import type { Plan, Side } from './plan.js';
import { seedHashOf } from './moments.js';
import { dropBalances, type Weights } from './samples-repository.js';
import type { Shares } from './split.js';

export type Settlement = typeof settlements.$inferSelect;

/** A token whose creation is finalized. */
export interface SettledToken extends Shares {
  readonly mint: string;
  readonly creator: string;
  /** The curve account. */
  readonly curve: string;
  /** Reserves after the last trade: their ratio is the last price. */
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
}

const COLUMNS = {
  mint: tokens.mint,
  creator: tokens.creator,
  curve: tokens.curve,
  burnBps: tokens.burnBps,
  holdersBps: tokens.holdersBps,
  lpBps: tokens.lpBps,
  virtualSol: sql<bigint>`coalesce(${curveStates.virtualSol}, ${tokens.initialVirtualSol})`.mapWith(BigInt),
  virtualToken: sql<bigint>`coalesce(${curveStates.virtualToken}, ${tokens.initialVirtualToken})`.mapWith(
    BigInt,
  ),
};

const OPEN = ['sampling', 'planned'] as const;

/** Credits booked in one statement. */
const CREDIT_BATCH = 500;
/** So many batches are booked without a pause between them. */
const UNPACED_BATCHES = 10;
const LONGEST_PAUSE_MS = 200;

/** Tokens in the order of their addresses, from after one of them; finalized ones only. */
export function tokensAfter(db: Executor, mint: string, limit: number): Promise<SettledToken[]> {
  return db
    .select(COLUMNS)
    .from(tokens)
    .innerJoin(records, eq(records.id, tokens.recordId))
    .leftJoin(curveStates, eq(curveStates.mint, tokens.mint))
    .where(and(eq(records.finalized, true), sql`${tokens.mint} > ${mint}`))
    .orderBy(tokens.mint)
    .limit(limit);
}

/** One token, if its creation is finalized. */
export async function tokenOf(db: Executor, mint: string): Promise<SettledToken | undefined> {
  const [token] = await db
    .select(COLUMNS)
    .from(tokens)
    .innerJoin(records, eq(records.id, tokens.recordId))
    .leftJoin(curveStates, eq(curveStates.mint, tokens.mint))
    .where(and(eq(tokens.mint, mint), eq(records.finalized, true)));
  return token;
}

/** The settlement of a token that is under way. */
export async function openSettlement(db: Executor, mint: string): Promise<Settlement | undefined> {
  const [open] = await db
    .select()
    .from(settlements)
    .where(and(eq(settlements.mint, mint), inArray(settlements.state, OPEN)));
  return open;
}

/** Tokens with a settlement under way, or those of some tokens. */
export async function mintsWithOpenSettlement(db: Executor, mints?: readonly string[]): Promise<string[]> {
  const open = await db
    .select({ mint: settlements.mint })
    .from(settlements)
    .where(and(inArray(settlements.state, OPEN), mints && inArray(settlements.mint, [...mints])))
    .orderBy(settlements.mint);
  return open.map(({ mint }) => mint);
}

/** A settlement by its id. */
export async function settlementOf(db: Executor, id: number): Promise<Settlement | undefined> {
  const [settlement] = await db.select().from(settlements).where(eq(settlements.id, id));
  return settlement;
}

/** A period that begins. */
export interface Beginning {
  readonly mint: string;
  readonly creator: string;
  /** In hex; null where nothing is the holders', and no sample is needed. */
  readonly seed: string | null;
  readonly startedAt: Date;
  readonly startedSlot: number;
  readonly periodMs: number;
  readonly samples: number;
  /** Lamports that both storages are worth. */
  readonly value: bigint;
}

/** Begins a settlement. @returns undefined when one of the token is under way already */
export async function beginSettlement(
  tx: Transaction,
  { seed, ...beginning }: Beginning,
): Promise<number | undefined> {
  const seedHash = seed === null ? null : seedHashOf(seed);
  const [begun] = await tx
    .insert(settlements)
    .values({ ...beginning, seedHash })
    .onConflictDoNothing()
    .returning({ id: settlements.id });
  if (begun === undefined) return undefined;
  if (seed !== null) await tx.insert(settlementSeeds).values({ settlementId: begun.id, seed });
  return begun.id;
}

/** Ends a settlement that has nothing to take. @returns false when it has got further */
export function abandonSettlement(tx: Transaction, id: number): Promise<boolean> {
  return leave(tx, id, 'sampling', { state: 'abandoned' });
}

/** What a settlement's transactions are for, as it is stored with them. */
export function subjectOf(id: number): string {
  return `settlement:${id}`;
}

/** What came of failing a settlement. */
export type Failing =
  | 'failed'
  /** It stays planned: a transaction of it may have paid, and only one that failed on chain certainly has not. */
  | 'kept'
  /** Another process has ended it, or follows a transaction of it. */
  | 'taken over';

/**
 * Ends a settlement whose transaction was refused: nothing has moved, the next one plans afresh. Were anything moved, its
 * credits would be lost, so it is kept, with the problem, for as long as that can be.
 */
export async function failSettlement(tx: Transaction, id: number, problem: string): Promise<Failing> {
  if (!(await holdPlanned(tx, id))) return 'taken over';
  const states = await statesOf(tx, subjectOf(id));
  if (states.has('signed')) return 'taken over';
  states.delete('failed');
  if (states.size === 0) {
    await leave(tx, id, 'planned', { state: 'failed', problem });
    await closeOpening(tx, subjectOf(id));
    return 'failed';
  }
  await tx
    .update(settlements)
    .set({ problem, updatedAt: sql`now()` })
    .where(eq(settlements.id, id));
  return 'kept';
}

/** Keeps a settlement planned until the end of the transaction. @returns false when it is not planned any more */
export async function holdPlanned(tx: Transaction, id: number): Promise<boolean> {
  const held = await tx
    .select({ id: settlements.id })
    .from(settlements)
    .where(and(eq(settlements.id, id), eq(settlements.state, 'planned')))
    .for('update');
  return held.length === 1;
}

/** Who receives the parts of a plan. */
export interface PlannedFor {
  readonly treasury: string | null;
  readonly lp: string | null;
  readonly creator: string;
}

/**
 * Fixes a settlement: its parts, and what each holder is credited by the weights that `sumSamples` has left. Publishes the
 * seed. Call it in one transaction.
 *
 * @returns false when another instance has taken the settlement over
 */
export async function planned(
  tx: Transaction,
  { id, mint }: Pick<Settlement, 'id' | 'mint'>,
  plan: Plan,
  recipients: PlannedFor,
  weights: Weights | undefined,
): Promise<boolean> {
  const { sol, token, opensCreatorAccount } = plan;
  const moved = await tx
    .update(settlements)
    .set({ state: 'planned', ...recipients, ...amountsOf(plan), ...totalsOf(weights), opensCreatorAccount })
    .where(and(eq(settlements.id, id), eq(settlements.state, 'sampling')))
    .returning({ id: settlements.id });
  if (moved.length === 0) return false;
  if (opensCreatorAccount) await recordOpening(tx, recipients.creator, mint, subjectOf(id));
  await divideAmongHolders(tx, id, { sol: sol.parts.holders, token: token.parts.holders });
  await addCredit(tx, id, recipients.creator, { sol: sol.creatorCredited, token: token.creatorCredited });
  await endPeriod(tx, id);
  return true;
}

/** Which parts of a creator are credited instead of paid. */
export type CreditedSides = Readonly<Record<'sol' | 'token', boolean>>;

/** The settlement with the creator credited, on these sides. */
export function withCreatorCredited(settlement: Settlement, { sol, token }: CreditedSides): Settlement {
  return {
    ...settlement,
    solCreatorCredited: sol ? settlement.solCreator : settlement.solCreatorCredited,
    tokenCreatorCredited: token ? settlement.tokenCreator : settlement.tokenCreatorCredited,
    opensCreatorAccount: settlement.opensCreatorAccount && !token,
  };
}

/**
 * Credits the creator of a planned settlement instead of paying it directly: its account has refused the payment.
 *
 * @returns false when a transaction of it may have paid, or another instance has taken it over: nothing is changed then
 */
export async function creditCreator(
  tx: Transaction,
  settlement: Settlement,
  sides: CreditedSides,
  treasury: string,
): Promise<boolean> {
  if (!(await holdPlanned(tx, settlement.id))) return false;
  const states = await statesOf(tx, subjectOf(settlement.id));
  states.delete('failed');
  if (states.size > 0) return false;
  const after = withCreatorCredited(settlement, sides);
  const { solCreatorCredited, tokenCreatorCredited, opensCreatorAccount } = after;
  await tx
    .update(settlements)
    .set({ treasury, solCreatorCredited, tokenCreatorCredited, opensCreatorAccount, updatedAt: sql`now()` })
    .where(eq(settlements.id, settlement.id));
  await addCredit(tx, settlement.id, settlement.creator, {
    sol: solCreatorCredited - settlement.solCreatorCredited,
    token: tokenCreatorCredited - settlement.tokenCreatorCredited,
  });
  return true;
}

/** What was taken and how it was divided, under the names of the columns. */
export function amountsOf({ sol, token }: { readonly sol: Side; readonly token: Side }) {
  return {
    sol: sol.taken,
    solHolders: sol.parts.holders,
    solLp: sol.parts.lp,
    solCreator: sol.parts.creator,
    solCreatorCredited: sol.creatorCredited,
    token: token.taken,
    tokenBurned: token.parts.burn,
    tokenHolders: token.parts.holders,
    tokenLp: token.parts.lp,
    tokenCreator: token.parts.creator,
    tokenCreatorCredited: token.creatorCredited,
  };
}

/** What is stored of the weights, with the seed, which is public from now on. */
function totalsOf(weights: Weights | undefined) {
  return {
    holders: weights?.holders ?? 0,
    held: weights?.held ?? 0n,
    snapshotSlot: weights?.slot ?? null,
    seed: sql`(select seed from ${settlementSeeds} where settlement_id = ${settlements.id})`,
    updatedAt: sql`now()`,
  };
}

async function endPeriod(tx: Transaction, id: number): Promise<void> {
  await tx.delete(settlementSeeds).where(eq(settlementSeeds.settlementId, id));
  await dropBalances(tx, id);
}

/**
 * Divides the holders' parts in proportion to their weights by largest remainder, ties to the smaller address: as
 * `divideByLargestRemainder` with the wallets in order, but where the balances are. Wallets of no part are left out.
 */
export async function divideAmongHolders(
  tx: Transaction,
  id: number,
  parts: { readonly sol: bigint; readonly token: bigint },
): Promise<void> {
  await tx.execute(sql`
    insert into ${settlementCredits} (settlement_id, wallet, balance, sol, token)
    select ${id}::bigint, wallet, balance, sol, token from (
      select wallet, balance,
        sol + case when row_number() over (order by sol_rest desc, wallet) <= ${parts.sol}::numeric - sum(sol) over ()
          then 1 else 0 end as sol,
        token + case when row_number() over (order by token_rest desc, wallet) <= ${parts.token}::numeric - sum(token) over ()
          then 1 else 0 end as token
      from (
        select wallet, balance,
          div(${parts.sol}::numeric * balance, held) as sol, mod(${parts.sol}::numeric * balance, held) as sol_rest,
          div(${parts.token}::numeric * balance, held) as token, mod(${parts.token}::numeric * balance, held) as token_rest
        from (
          select wallet, balance, sum(balance) over () as held from ${settlementHolders} where settlement_id = ${id}
        ) holders
      ) exact
    ) rounded where sol > 0 or token > 0
  `);
}

/**
 * Ends a settlement whose transaction is finalized: its row, the signature and every credit in one transaction.
 *
 * @returns false when it is not planned any more: another instance has done it, or there is a fault
 */
export async function completed(
  tx: Transaction,
  { id, mint }: Pick<Settlement, 'id' | 'mint'>,
  signature: string,
): Promise<boolean> {
  const done = await tx
    .update(settlements)
    .set({ state: 'done', signature, problem: null, updatedAt: sql`now()` })
    .where(and(eq(settlements.id, id), eq(settlements.state, 'planned')))
    .returning({ id: settlements.id });
  if (done.length === 0) return false;
  await decide(tx, signature, 'finalized', null);
  let after = '';
  for (let batch = 0; ; batch += 1) {
    const began = performance.now();
    const credits = await creditsAfter(tx, id, after);
    for (const asset of ['SOL', 'TOKEN'] as const) {
      await book(tx, `settlement:${id}:${asset}:${batch}`, mint, asset, credits);
    }
    after = credits.at(-1)?.wallet ?? '';
    if (credits.length < CREDIT_BATCH) return true;
    // A settlement of very many holders leaves every other moment of the database to those who read and claim.
    if (batch >= UNPACED_BATCHES) await sleep(Math.min(performance.now() - began, LONGEST_PAUSE_MS));
  }
}

interface SettlementCredit {
  readonly wallet: string;
  readonly sol: bigint;
  readonly token: bigint;
}

function creditsAfter(tx: Transaction, id: number, wallet: string): Promise<SettlementCredit[]> {
  return tx
    .select({ wallet: settlementCredits.wallet, sol: settlementCredits.sol, token: settlementCredits.token })
    .from(settlementCredits)
    .where(and(eq(settlementCredits.settlementId, id), sql`${settlementCredits.wallet} > ${wallet}`))
    .orderBy(settlementCredits.wallet)
    .limit(CREDIT_BATCH);
}

async function book(
  tx: Transaction,
  key: string,
  mint: string,
  asset: Asset,
  credits: readonly SettlementCredit[],
): Promise<void> {
  const received: Credit[] = credits
    .map(({ wallet, sol, token }) => ({ wallet, amount: asset === 'SOL' ? sol : token }))
    .filter(({ amount }) => amount > 0n);
  if (received.length > 0) await credit(tx, 'settlement', { key, mint, asset, credits: received });
}

async function addCredit(
  tx: Transaction,
  settlementId: number,
  wallet: string,
  { sol: lamports, token }: { readonly sol: bigint; readonly token: bigint },
): Promise<void> {
  if (lamports === 0n && token === 0n) return;
  await tx
    .insert(settlementCredits)
    .values({ settlementId, wallet, balance: 0n, sol: lamports, token })
    .onConflictDoUpdate({
      target: [settlementCredits.settlementId, settlementCredits.wallet],
      set: {
        sol: sql`${settlementCredits.sol} + excluded.sol`,
        token: sql`${settlementCredits.token} + excluded.token`,
      },
    });
}

/** Ends a settlement without a credit, and removes what would have been credited. */
async function leave(
  tx: Transaction,
  id: number,
  from: Settlement['state'],
  to: { readonly state: Settlement['state']; readonly problem?: string },
): Promise<boolean> {
  const left = await tx
    .update(settlements)
    .set({
      ...to,
      seed: sql`coalesce(${settlements.seed}, (
        select seed from ${settlementSeeds} where settlement_id = ${settlements.id}
      ))`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(settlements.id, id), eq(settlements.state, from)))
    .returning({ id: settlements.id });
  if (left.length === 0) return false;
  await endPeriod(tx, id);
  await tx.delete(settlementCredits).where(eq(settlementCredits.settlementId, id));
  return true;
}
