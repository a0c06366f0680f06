// Waits until payments are open, for a process that is about to pay.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.js';
import { paymentsHeld, PaymentsHeldError, readGate, watchOwnKeys } from '../gate/payments-gate.js';
import { Reconciliation } from './reconcile.js';

/** The lease of the reconciling process: the service's job, or a command while no service runs. */
export const RECONCILING_LEASE = 'payments';

/** Longer than the time in which lost transactions can still land and finalize. */
const LONGEST_WAIT_MS = 180_000;
const PAUSE_MS = 500;

/**
 * Returns when payments are open. If no service is reconciling payments, this process does it.
 *
 * @throws PaymentsHeldError when an operator must act first, or after the timeout
 */
export async function openPayments(
  context: Context,
  signal: AbortSignal,
  waitMs = LONGEST_WAIT_MS,
): Promise<void> {
  const { database } = context;
  await watchOwnKeys(context);
  const until = performance.now() + waitMs;
  let reconciliation: Reconciliation | undefined;
  for (;;) {
    const reason = await paymentsHeld(database.queries);
    if (reason === undefined) return;
    const lease = await database.tryLead(RECONCILING_LEASE);
    if (lease !== undefined) {
      try {
        await (reconciliation ??= new Reconciliation(context)).pass(AbortSignal.any([signal, lease.lost]));
      } finally {
        await lease.release();
      }
      if ((await paymentsHeld(database.queries)) === undefined) return;
    }
    const { held } = await readGate(database.queries);
    if (held !== null || performance.now() > until) {
      throw new PaymentsHeldError((await paymentsHeld(database.queries)) ?? reason);
    }
    await sleep(PAUSE_MS, undefined, { signal });
  }
}
