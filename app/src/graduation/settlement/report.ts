// Reports of settlements.
import type { Context } from '../../context.js';
import { shownMessage } from '../../base/logging/logged-error.js';
import type { Plan } from './payment/plan.js';
import { settlementOf, type Settlement } from './repository.js';
import { samplesOf, type Sample } from './periods/samples-repository.js';

export interface SettlementReport {
  readonly mint: string;
  readonly outcome: 'settled' | 'nothing' | 'waiting' | 'failed';
  /** The row in the database. */
  readonly settlement?: Settlement | undefined;
  /** The samples that decided the holders' weights. */
  readonly samples?: readonly Sample[] | undefined;
  /** Why the settlement waits or failed, and what to do. */
  readonly problems: readonly string[];
  /** It waits because of the RPC node, the database or another process. A retry can succeed without an operator. */
  readonly isInterrupted?: boolean;
}

export function takenOver(context: Context, settlement: Settlement): Promise<SettlementReport> {
  return reportLater(context, settlement, 'another process has taken over this settlement');
}

/** Report of a settlement that a later attempt can finish without an operator. */
export async function reportLater(
  context: Context,
  settlement: Settlement,
  problem: string,
): Promise<SettlementReport> {
  return { ...(await report(context, settlement, 'waiting', [problem])), isInterrupted: true };
}

export function reportInterrupted(mint: string, error: unknown): SettlementReport {
  const problem = `interrupted (${shownMessage(error)}); the next run continues it`;
  return { mint, outcome: 'waiting', problems: [problem], isInterrupted: true };
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

export function reportNothing(mint: string, { waiting }: Plan): SettlementReport {
  return { mint, outcome: waiting.length > 0 ? 'waiting' : 'nothing', problems: waiting };
}
