// Settlements in the database.
import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Executor, type Transaction, statement } from '../../db/database.js';
import { settlementCredits, settlements, settlementSeeds } from '../../db/schema/index.js';
import { statesOf } from '../../sending/history.js';
import { addCredit, divideAmongHolders } from './credits/repository.js';
import { closeOpening, recordOpening } from './payment/opened-accounts.js';
import { holdPlan } from './payment/hold-planned.js';
import type { Plan, Side } from './payment/plan.js';
import { seedHashOf } from './periods/moments.js';
import { dropBalances, type Weights } from './periods/samples-repository.js';

export type Settlement = typeof settlements.$inferSelect;

const OPEN = ['sampling', 'planned', 'paid'] as const;

export async function openSettlement(db: Executor, mint: string): Promise<Settlement | undefined> {
  const [open] = await db
    .select()
    .from(settlements)
    .where(and(eq(settlements.mint, mint), inArray(settlements.state, OPEN)));
  return open;
}

/** Tokens with an open settlement, only among the given tokens if any are given. */
export async function mintsWithOpenSettlement(db: Executor, mints?: readonly string[]): Promise<string[]> {
  const open = await db
    .select({ mint: settlements.mint })
    .from(settlements)
    .where(and(inArray(settlements.state, OPEN), mints && inArray(settlements.mint, [...mints])))
    .orderBy(settlements.mint);
  return open.map(({ mint }) => mint);
}

export async function settlementOf(db: Executor, id: number): Promise<Settlement | undefined> {
  const [settlement] = await db.select().from(settlements).where(eq(settlements.id, id));
  return settlement;
}

export type NewSettlement = Pick<Settlement, 'mint' | 'creator' | 'periodMs' | 'samples' | 'value'> & {
  /** In hex. Null when the holders have no part, so that no samples are needed. */
  readonly seed: string | null;
  readonly startedAt: Date;
  readonly startedSlot: number;
};

/** Begins a settlement. @returns undefined when the token has an open settlement already */
export async function beginSettlement(
  tx: Transaction,
  { seed, ...period }: NewSettlement,
): Promise<number | undefined> {
  const seedHash = seed === null ? null : seedHashOf(seed);
  const [begun] = await tx
    .insert(settlements)
    .values({ ...period, seedHash })
    .onConflictDoNothing()
    .returning({ id: settlements.id });
  if (begun === undefined) return undefined;
  if (seed !== null) await tx.insert(settlementSeeds).values({ settlementId: begun.id, seed });
  return begun.id;
}

/** Ends a settlement that has nothing to take. @returns false when it is no longer sampling */
export function abandonSettlement(tx: Transaction, id: number): Promise<boolean> {
  return endUnpaid(tx, id, 'sampling', { state: 'abandoned' });
}

export function subjectOf(id: number): string {
  return `settlement:${id}`;
}

export type FailOutcome =
  | 'failed'
  /**
   * The settlement stays planned, because one of its transactions may have paid. Only a transaction that failed on chain
   * has certainly not paid.
   */
  | 'kept'
  /** Another process has ended it, changed its plan, or tracks one of its transactions. */
  | 'taken over';

/**
 * Ends a settlement whose transaction failed, so that the next one makes a new plan. If a transaction may have moved money,
 * ending the settlement would lose the credits. Then it stays planned, and the problem is stored.
 */
export async function failSettlement(
  tx: Transaction,
  settlement: Settlement,
  problem: string,
): Promise<FailOutcome> {
  if (!(await holdPlan(tx, settlement))) return 'taken over';
  const { id } = settlement;
  const states = await statesOf(tx, subjectOf(id));
  if (states.has('signed')) return 'taken over';
  states.delete('failed');
  if (states.size === 0) {
    await endUnpaid(tx, id, 'planned', { state: 'failed', problem });
    await closeOpening(tx, subjectOf(id));
    return 'failed';
  }
  await tx
    .update(settlements)
    .set({ problem, updatedAt: sql`now()` })
    .where(eq(settlements.id, id));
  return 'kept';
}

/** Addresses that receive the parts of a plan. */
export type PlanRecipients = Pick<Settlement, 'treasury' | 'lp' | 'creator'>;

/**
 * Stores the plan of a settlement: its parts, and the credit of each holder by the weights from `sumSamples`. Publishes the
 * seed. Call it in one transaction.
 *
 * @returns false when another instance has taken over the settlement
 */
export async function planned(
  tx: Transaction,
  { id, mint }: Pick<Settlement, 'id' | 'mint'>,
  plan: Plan,
  recipients: PlanRecipients,
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

/** Which of the creator's two parts are credited instead of paid. */
export type CreditedSides = Readonly<Record<'sol' | 'token', boolean>>;

export function withCreatorCredited(settlement: Settlement, { sol, token }: CreditedSides): Settlement {
  return {
    ...settlement,
    solCreatorCredited: sol ? settlement.solCreator : settlement.solCreatorCredited,
    tokenCreatorCredited: token ? settlement.tokenCreator : settlement.tokenCreatorCredited,
    opensCreatorAccount: settlement.opensCreatorAccount && !token,
  };
}

/**
 * Credits the creator of a planned settlement instead of paying it, because its account has refused the payment.
 *
 * @returns false when a transaction of the settlement may have paid or may still land, or another process has ended it or
 * changed its plan; then nothing is changed
 */
export async function creditCreator(
  tx: Transaction,
  settlement: Settlement,
  sides: CreditedSides,
  treasury: string,
): Promise<boolean> {
  if (!(await holdPlan(tx, settlement))) return false;
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

/** Amounts and parts of a plan, by column name. */
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

/** Stored totals of the weights, and the seed, which is public from now on. */
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

/** Ends a settlement without paying, and deletes its planned credits. */
async function endUnpaid(
  tx: Transaction,
  id: number,
  from: Settlement['state'],
  to: { readonly state: Settlement['state']; readonly problem?: string },
): Promise<boolean> {
  const ended = await tx
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
  if (ended.length === 0) return false;
  await endPeriod(tx, id);
  await tx.delete(settlementCredits).where(eq(settlementCredits.settlementId, id));
  return true;
}

// Finds settlements that need an operator.

/** A settlement that needs an operator. */
interface TroubledSettlement {
  readonly id: number;
  readonly mint: string;
  /** `kept`: planned, but cannot be paid as planned. `unbooked`: paid, but no wallet was credited. */
  readonly trouble: 'kept' | 'unbooked';
  /** Why it cannot be paid. */
  readonly problem: string | null;
  /** Signatures of transactions that paid it, or may have. */
  readonly signatures: readonly string[];
}

/** All settlements that need an operator, oldest first. */
export async function troubledSettlements(db: Executor): Promise<TroubledSettlement[]> {
  const rows = await statement<{
    id: string;
    mint: string;
    trouble: TroubledSettlement['trouble'];
    problem: string | null;
    signatures: string;
  }>(db)`
    select s.id::text as id, s.mint, s.problem, t.signatures,
      case when s.state = 'planned' then 'kept' else 'unbooked' end as trouble
    from settlements s cross join lateral (
      select coalesce(string_agg(signature, ' ' order by created_at), '') as signatures,
        coalesce(bool_or(state = 'finalized'), false) as is_paid
      from authority_transactions where subject = 'settlement:' || s.id and state in ('expired', 'finalized')
    ) t
    where (s.state = 'planned' and s.problem is not null) or (s.state in ('failed', 'abandoned') and t.is_paid)
    order by s.id`;
  return rows.map(({ id, signatures, ...row }) => ({
    ...row,
    id: Number(id),
    signatures: signatures.split(' ').filter((signature) => signature !== ''),
  }));
}
