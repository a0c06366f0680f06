// Handles settlements whose transaction failed, and settlements that cannot be booked.
import type { Context } from '../../context.js';
import { recordFinalized } from '../../sending/history.js';
import { decide } from '../../sending/repository.js';
import { holdPlanned } from './payment/hold-planned.js';
import { report, takenOver, type SettlementReport } from './report.js';
import { failSettlement, settlementOf, type Settlement } from './repository.js';

/** Fails a settlement. @param signature of the transaction that failed on chain; omitted when the simulation failed */
export async function fail(
  context: Context,
  settlement: Settlement,
  problem: string,
  signature?: string,
): Promise<SettlementReport> {
  const { database, logger } = context;
  const { id, mint } = settlement;
  const failing = await database.transaction(async (tx) => {
    // Locks the settlement first, as everywhere. Another order could deadlock.
    await holdPlanned(tx, id);
    if (signature !== undefined) await decide(tx, signature, 'failed', problem);
    return failSettlement(tx, settlement, problem);
  });
  if (failing === 'failed') return report(context, settlement, 'failed', [problem]);
  if (failing === 'taken over') return takenOver(context, settlement);
  logger.error(
    { mint, settlement: id, problem },
    'the settlement cannot be paid as planned; it stays planned, because an earlier transaction of it may have paid: `curvekit doctor` says what to do',
  );
  return report(context, settlement, 'waiting', [
    `${problem}; it stays as planned, since an earlier transaction of it may have paid: \`curvekit doctor\` says what to do`,
  ]);
}

/** Reports a finalized transaction whose settlement is no longer planned. */
export async function reportNotBooked(
  context: Context,
  settlement: Settlement,
  signature: string,
): Promise<SettlementReport> {
  const { database, logger } = context;
  const { id, mint } = settlement;
  const stored = await settlementOf(database.queries, id);
  if (stored?.signature === signature) return takenOver(context, settlement);
  await database.transaction((tx) => recordFinalized(tx, signature));
  logger.fatal(
    { mint, settlement: id, signature, state: stored?.state },
    'a payment of a settlement that is no longer planned landed; its holders are not credited: run `curvekit ledger reconcile`',
  );
  return report(context, settlement, 'failed', [
    `the transaction ${signature} has paid it, but it is ${stored?.state} in the database, and nobody was credited for that`,
  ]);
}
