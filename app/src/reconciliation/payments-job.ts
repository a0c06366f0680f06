// Reconciles the tables with the payments on chain, on one instance at a time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.js';
import type { Database } from '../db/database.js';
import { shownMessage } from '../base/logging/logged-error.js';
import { leaderJob, type Step, type Job } from '../db/jobs/leader-job.js';
import { divideRecovered } from './divide-recovered.js';
import { noteProgress, paymentsHeld, readGate } from '../ledger/gate/payments-gate.js';
import { RECONCILING_LEASE } from './open-payments.js';
import { Reconciliation } from './reconcile.js';
import { Gauge } from 'prom-client';
import { measure } from '../base/metrics.js';

const INTERVAL_MS = 1_500;

/** A job that reconciles the payments of all instances' keys. Each instance stores its keys when it starts. */
export function createPaymentsJob(context: Context): Job {
  const { database, logger } = context;
  registerPaymentMetrics(context);

  async function work(signal: AbortSignal, leading: Database, step: Step): Promise<void> {
    const own = { ...context, database: leading };
    const reconciliation = new Reconciliation(own);
    let dividing: Promise<void> | undefined;
    const [gate, said] = [oncePerChange(), oncePerChange()];
    while (!signal.aborted) {
      try {
        const { booked, setAside, isOpen } = await step(() => reconciliation.pass(signal));
        for (const { kind, state, detail } of booked) {
          if (state !== 'booked') continue;
          // The service gets no other notice of moved fees.
          if (kind === 'funding') logger.info({ detail }, 'fees have come to the treasury');
          else
            logger.error(
              { detail },
              'a payment on chain that the database lacked is booked now. If no backup was restored, see which other process pays with the same key',
            );
        }
        const [unreadable] = setAside;
        if (unreadable !== undefined) {
          logger.warn(
            { ...unreadable, transactions: setAside.length },
            "transactions of the service's keys cannot be read and are set aside; the service did not make them, and nothing is to be done",
          );
        }
        const reason = await paymentsHeld(database.queries);
        gate(withoutNumbers(reason ?? 'open'), () =>
          reason === undefined
            ? logger.info('payments are reconciled with the chain and may be made')
            : logger.warn({ reason }, 'payments are paused: see `reason`'),
        );
        // Runs in the background: it takes a whole period, and payments are reconciled meanwhile.
        if (isOpen) dividing ??= divide(own, signal, said).finally(() => (dividing = undefined));
      } catch (error) {
        if (signal.aborted) break;
        const problem = shownMessage(error);
        gate(withoutNumbers(problem), () =>
          logger.error(
            { err: error },
            'reconciling payments failed and is tried again. If that lasts, run `curvekit doctor`',
          ),
        );
        await noteProgress(leading, problem).catch(() => undefined);
      }
      await sleep(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
    await dividing;
  }

  /** Divides recovered settlements. A failure does not hold payments: the holders are credited later. */
  async function divide(own: Context, signal: AbortSignal, say: Say): Promise<void> {
    try {
      for (const settlement of await divideRecovered(own, signal)) {
        logger.warn(
          { settlement },
          'a settlement was found on chain that the database lacked; its holders are credited',
        );
      }
      say('done', () => undefined);
    } catch (error) {
      if (signal.aborted) return;
      say(shownMessage(error), () =>
        logger.error(
          { err: error },
          'crediting the holders of a settlement that was found on chain failed and is tried again. If that lasts, run `curvekit doctor`',
        ),
      );
    }
  }

  return leaderJob({ name: RECONCILING_LEASE, database, logger, work });
}

type Say = (state: string, log: () => void) => void;

/** Removes block numbers, slots and times from a reason: they change with every pass, while the reason stays the same. */
function withoutNumbers(reason: string): string {
  return reason.replace(/\b\d+\b/g, '#');
}

function oncePerChange(): Say {
  let said: string | undefined;
  return (state, log) => {
    if (state !== said) log();
    said = state;
  };
}

// Metrics of payments. They are read from the database, so that every instance reports the same values.

function registerPaymentMetrics({ database, metrics }: Context): void {
  const registers = [metrics.registry];
  new Gauge({
    name: 'curvekit_payments_held',
    help: '1 while nothing is paid or settled: /ready says why and what to do',
    registers,
    async collect() {
      const isHeld = await paymentsHeld(database.queries).then(
        (reason) => reason !== undefined,
        () => true,
      );
      this.set(isHeld ? 1 : 0);
    },
  });
  measure(
    metrics.registry,
    'curvekit_payments_reconciled_timestamp_seconds',
    'When a reconciliation with the chain last ended well, on any instance; 0 before the first time',
    async () => ((await readGate(database.queries)).reconciledAt ?? 0) / 1_000,
  );
}
