// Settles at intervals, on one instance.
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Context } from '../../context.js';
import type { Job } from '../job.js';
import { leaderJob } from '../leader-job.js';
import { PaymentsHeldError } from '../payments/gate.js';
import { BusyError } from './errors.js';
import { settleAll } from './pass.js';
import type { SettlementReport } from './settle.js';
import { troubledSettlements } from './trouble.js';

const NAME = 'settlement';

/** Settles every token at the configured interval. Undefined without the DEX owner's key, or with an interval of 0. */
export function createSettlementJob(context: Context): Job | undefined {
  const { config, database, logger } = context;
  const { intervalSeconds } = config.settlement;
  if (config.dexOwner === undefined || intervalSeconds === 0) return undefined;
  const metrics = createSettlementMetrics(context.metrics.registry);

  async function work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pass(signal);
      await sleep(intervalSeconds * 1_000, undefined, { signal }).catch(() => undefined);
    }
  }

  async function pass(signal: AbortSignal): Promise<void> {
    try {
      const reports = await settleAll(context, { signal });
      for (const report of reports) log(report);
      metrics.waiting.set(reports.filter(({ outcome }) => outcome === 'waiting').length);
      metrics.troubled.set((await troubledSettlements(database.queries)).length);
      metrics.lastPass.set(context.now() / 1_000);
    } catch (error) {
      // Stopped: what is open is finished after the next start. Busy: the operator's command is at it.
      if (signal.aborted || error instanceof BusyError) return;
      // Said by /ready and the log of the job that reconciles payments.
      if (error instanceof PaymentsHeldError) return;
      throw error;
    }
  }

  function log({ mint, outcome, settlement, problems }: SettlementReport): void {
    metrics.reports.inc({ outcome });
    const details = { mint, settlement: settlement?.id, signature: settlement?.signature, problems };
    if (outcome === 'settled') logger.info(details, 'the storages are settled');
    else logger.warn(details, outcome === 'failed' ? 'the settlement failed' : 'the settlement waits');
  }

  return leaderJob({ name: NAME, database, logger, work, retryMs: 5_000 });
}

interface SettlementMetrics {
  readonly reports: Counter<'outcome'>;
  readonly waiting: Gauge;
  readonly troubled: Gauge;
  readonly lastPass: Gauge;
}

function createSettlementMetrics(registry: Registry): SettlementMetrics {
  const registers = [registry];
  return {
    reports: new Counter({
      name: 'curvekit_settlements_total',
      help: 'Settlements by outcome: settled, waiting (see the log for what to do), failed',
      labelNames: ['outcome'],
      registers,
    }),
    waiting: new Gauge({
      name: 'curvekit_settlements_waiting',
      help: 'Tokens whose storages hold enough but could not be settled at the last pass',
      registers,
    }),
    troubled: new Gauge({
      name: 'curvekit_settlements_troubled',
      help: 'Settlements that only an operator can put right: above zero, run curvekit doctor',
      registers,
    }),
    lastPass: new Gauge({
      name: 'curvekit_settlement_last_pass_timestamp_seconds',
      help: 'When every storage had been looked at',
      registers,
    }),
  };
}
