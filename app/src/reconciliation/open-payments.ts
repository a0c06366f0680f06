// Opens payments for a command that pays, and keeps them open.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.js';
import {
  noteProgress,
  paymentsHeld,
  PaymentsHeldError,
  readGate,
  watchOwnKeys,
} from '../ledger/gate/payments-gate.js';
import { shownMessage } from '../base/logging/logged-error.js';
import { isLeftBehind } from './split-brain/marks.js';
import { Reconciliation } from './reconcile.js';

/** The lease of the reconciling process: the service's job, or a command while no service runs. */
export const RECONCILING_LEASE = 'payments';

/** Longer than the time in which lost transactions can still land and finalize. */
const LONGEST_WAIT_MS = 180_000;
const PAUSE_MS = 500;

/** Well below the two minutes after which `payments_held()` closes the gate. */
const KEEP_OPEN_EVERY_MS = 5_000;

/**
 * Runs `work` once payments are open, and keeps them open until it ends: a settlement can take longer than a
 * reconciliation is valid. If no service is reconciling payments, this process does it.
 *
 * @param onWaiting called once when payments are closed at first; waiting can take two minutes
 * @throws PaymentsHeldError when an operator must act first, or after the timeout; NodeError when the RPC node fails
 */
export async function whilePaymentsOpen<T>(
  context: Context,
  signal: AbortSignal,
  work: () => Promise<T>,
  onWaiting: (reason: string) => void = () => undefined,
): Promise<T> {
  await watchOwnKeys(context);
  const reconciler = new IdleReconciler(context);
  await openPayments(context, { reconciler, signal, onWaiting });
  const done = new AbortController();
  const keeping = keepOpen(context, reconciler, AbortSignal.any([signal, done.signal]));
  try {
    return await work();
  } finally {
    done.abort();
    await keeping;
  }
}

interface Opening {
  readonly reconciler: IdleReconciler;
  readonly signal: AbortSignal;
  readonly onWaiting: (reason: string) => void;
}

async function openPayments(
  { database }: Context,
  { reconciler, signal, onWaiting }: Opening,
): Promise<void> {
  const until = performance.now() + LONGEST_WAIT_MS;
  let isSaid = false;
  for (;;) {
    await reconciler.pass(signal);
    const reason = await paymentsHeld(database.queries);
    if (reason === undefined) return;
    const { held } = await readGate(database.queries);
    const mustAct = held !== null || (await isLeftBehind(database.queries));
    if (mustAct || performance.now() > until) throw new PaymentsHeldError(reason);
    if (!isSaid) onWaiting(reason);
    isSaid = true;
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

/** Reconciles until the signal is aborted. Never throws: payments that are then held say why. */
async function keepOpen(
  { database }: Context,
  reconciler: IdleReconciler,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await sleep(KEEP_OPEN_EVERY_MS, undefined, { signal });
      await reconciler.pass(signal);
    } catch (error) {
      if (signal.aborted) return;
      await noteProgress(database, shownMessage(error)).catch(() => undefined);
    }
  }
}

/** Reconciles while no other process does. */
class IdleReconciler {
  readonly #context: Context;
  #reconciliation: Reconciliation | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  async pass(signal: AbortSignal): Promise<void> {
    const lease = await this.#context.database.tryLead(RECONCILING_LEASE);
    if (lease === undefined) return;
    try {
      this.#reconciliation ??= new Reconciliation(this.#context);
      await this.#reconciliation.pass(AbortSignal.any([signal, lease.lost]));
    } finally {
      await lease.release();
    }
  }
}
