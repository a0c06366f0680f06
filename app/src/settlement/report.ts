// Reports of settlements.
import type { Context } from '../context.js';
import type { Plan } from './plan.js';
import { settlementOf, type Settlement } from './repository.js';
import { samplesOf, type Sample } from './samples-repository.js';

export interface SettlementReport {
  readonly mint: string;
  readonly outcome: 'settled' | 'nothing' | 'waiting' | 'failed';
  /** The row in the database. */
  readonly settlement?: Settlement | undefined;
  /** The samples that decided the holders' weights. */
  readonly samples?: readonly Sample[] | undefined;
  /** Why the settlement waits or failed, and what to do. */
  readonly problems: readonly string[];
}

export function takenOver(context: Context, settlement: Settlement): Promise<SettlementReport> {
  return report(context, settlement, 'waiting', ['another process has taken over this settlement']);
}

export async function report(
  { database: { queries } }: Context,
  { id, mint }: Settlement,
  outcome: SettlementReport['outcome'],
  problems: readonly string[] = [],
): Promise<SettlementReport> {
  const samples = (await samplesOf(queries, [id])).get(id) ?? [];
  return { mint, outcome, settlement: await settlementOf(queries, id), samples, problems };
}

/** Report of a token without a settlement. */
export function reportNothing(mint: string, { waiting }: Plan): SettlementReport {
  return { mint, outcome: waiting.length > 0 ? 'waiting' : 'nothing', problems: waiting };
}
