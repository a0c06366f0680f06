// Locks the row of a planned settlement. Two settlers can work at the same time when a lease is lost, so each write checks
// the row that it is based on.
import { and, eq } from 'drizzle-orm';
import type { Transaction } from '../../../db/database.js';
import { settlements } from '../../../db/schema/index.js';
import type { Settlement } from '../repository.js';

const PLAN = [
  'treasury',
  'lp',
  'creator',
  'opensCreatorAccount',
  'sol',
  'solHolders',
  'solLp',
  'solCreator',
  'solCreatorCredited',
  'token',
  'tokenBurned',
  'tokenHolders',
  'tokenLp',
  'tokenCreator',
  'tokenCreatorCredited',
] as const satisfies readonly (keyof Settlement)[];

/** A settlement as planned: everything that its transaction is made from. */
export type PlannedSettlement = Pick<Settlement, 'id' | 'mint' | (typeof PLAN)[number]>;

/** Locks a planned settlement until the end of the transaction. @returns false when it is no longer planned */
export async function holdPlanned(tx: Transaction, id: number): Promise<boolean> {
  return (await lockPlanned(tx, id)) !== undefined;
}

/**
 * Locks a planned settlement until the end of the transaction.
 *
 * @returns false when it is no longer planned, or its plan is not that of `settlement`: another process has changed it
 */
export async function holdPlan(tx: Transaction, settlement: PlannedSettlement): Promise<boolean> {
  const stored = await lockPlanned(tx, settlement.id);
  return stored !== undefined && PLAN.every((column) => stored[column] === settlement[column]);
}

async function lockPlanned(tx: Transaction, id: number): Promise<Settlement | undefined> {
  const [locked] = await tx
    .select()
    .from(settlements)
    .where(and(eq(settlements.id, id), eq(settlements.state, 'planned')))
    .for('update');
  return locked;
}
