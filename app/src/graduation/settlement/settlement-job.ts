// Settles at intervals, on one instance.
import { setTimeout as sleep } from 'node:timers/promises';
import { Backoff } from '@curvekit/sdk';
import type { Context } from '../../context.js';
import type { Database } from '../../db/database.js';
import { leaderJob, type Step, type Job } from '../../db/jobs/leader-job.js';
import { PaymentsHeldError } from '../../ledger/gate/payments-gate.js';
import { BusyError } from './errors.js';
import { settlingTurn } from './pass.js';
import type { SettlementReport } from './report.js';
import { interruptedPauses, settling, settlementGauges } from './periods/waiting.js';
import { Counter } from 'prom-client';
import { measure } from '../../base/metrics.js';
import { CachedValue } from '../../base/cached-value.js';

const NAME = 'settlement';
/** After being idle this long, the job releases its lease for operator commands. */
const IDLE_MS = 500;
const BUSY_MS = 1_000;
/** Delay before the job starts over after an error that it does not expect. */
const RETRY_MS = 5_000;
/** A payment may be sent three times, each until its blockhash is too old; a look reads the storages of all tokens. */
const LIMIT_MS = 1_800_000;

/** Settles every token at the configured interval. Undefined without the DEX owner's key, or with an interval of 0. */
export function createSettlementJob(context: Context): Job | undefined {
  const { config, database, logger, now } = context;
  const intervalMs = config.settlement.intervalSeconds * 1_000;
  // Registered on every instance, because the gauges read the database.
  const reports = registerSettlementMetrics(context);
  if (config.dexOwner === undefined || intervalMs === 0) return undefined;

  async function work(signal: AbortSignal, leading: Database, step: Step): Promise<void> {
    let looksAt = 0;
    // What the last leader put off is tried at once.
    await leading.transaction((tx) => settling.wake(tx, now()));
    // Of a scan that was not complete.
    let retries = new Backoff(interruptedPauses(intervalMs));
    while (!signal.aborted) {
      let nextAt: number;
      try {
        nextAt = await settlingTurn(
          { ...context, database: leading },
          {
            signal,
            step,
            idleMs: IDLE_MS,
            looksAt: () => looksAt,
            onLook: () => {
              looksAt = now() + intervalMs;
            },
            onLooked: (isComplete) => {
              if (isComplete) retries = new Backoff(interruptedPauses(intervalMs));
              else looksAt = now() + retries.next();
            },
            onReport: log,
          },
        );
      } catch (error) {
        // Stopped: the next start finishes open settlements. Busy: an operator's command is settling. Held: `/ready` and the
        // payments job's log give the reason.
        if (signal.aborted) return;
        if (!(error instanceof BusyError || error instanceof PaymentsHeldError)) throw error;
        nextAt = now() + BUSY_MS;
      }
      const restMs = Math.max(0, nextAt - now());
      await sleep(restMs, undefined, { signal }).catch(() => undefined);
    }
  }

  function log({ mint, outcome, settlement, problems }: SettlementReport): void {
    if (outcome === 'nothing') return;
    reports.inc({ outcome });
    const details = { mint, settlement: settlement?.id, signature: settlement?.signature, problems };
    if (outcome === 'settled') logger.info(details, 'the storages are settled');
    else
      logger.warn(
        details,
        outcome === 'failed'
          ? 'the settlement failed, and nothing moved: `problems` says why'
          : 'the settlement waits: `problems` says why, and `curvekit tasks` until when',
      );
  }

  return leaderJob({ name: NAME, database, logger, work, retryMs: RETRY_MS, limitMs: LIMIT_MS });
}

// Metrics of settlements. The gauges are read from the database, so that every instance reports the same values.

/** Scrapes within this time share one query. */
const KEPT_MS = 1_000;

type ReportCounter = Counter<'outcome'>;

/** Registers the metrics of settlements. @returns the counter of this instance's reports */
function registerSettlementMetrics({ metrics, database, logger }: Context): ReportCounter {
  const { registry } = metrics;
  const kept = new CachedValue(KEPT_MS, () =>
    settlementGauges(database.queries).catch((error: unknown) => {
      logger.debug({ err: error }, 'the gauges of settlements could not be read');
      return undefined;
    }),
  );
  const read = () => kept.get();
  measure(registry, 'curvekit_settlements_waiting', WAITING, async () => (await read())?.waiting);
  measure(registry, 'curvekit_settlements_troubled', TROUBLED, async () => (await read())?.troubled);
  measure(registry, 'curvekit_settlements_sampling', SAMPLING, async () => (await read())?.sampling);
  measure(
    registry,
    'curvekit_settlement_last_pass_timestamp_seconds',
    PASS,
    async () => (await read())?.lastPass,
  );
  return new Counter({
    name: 'curvekit_settlements_total',
    help: 'Settlements by outcome: settled, waiting (see the log for what to do), failed',
    labelNames: ['outcome'],
    registers: [registry],
  });
}

const WAITING = 'Tokens whose storages hold enough and cannot be settled: the log says why';
const TROUBLED = 'Settlements that only an operator can put right: above zero, run curvekit doctor';
const SAMPLING = 'Periods that run: their holders are being sampled';
const PASS = 'When every storage was last looked at, by any instance; 0 before the first time';
