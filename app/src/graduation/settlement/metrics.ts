// Metrics of settlements. The gauges are read from the database, so that every instance reports the same values.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Context } from '../../context.js';
import { settlementGauges, type SettlementGauges } from './periods/waiting.js';

/** Scrapes within this time share one query. */
const KEPT_MS = 1_000;

export type ReportCounter = Counter<'outcome'>;

/** Registers the metrics of settlements. @returns the counter of this instance's reports */
export function registerSettlementMetrics({ metrics, database, logger }: Context): ReportCounter {
  const { registry } = metrics;
  let kept: { readonly at: number; readonly gauges: Promise<SettlementGauges | undefined> } | undefined;
  const read = (): Promise<SettlementGauges | undefined> => {
    if (kept === undefined || performance.now() - kept.at >= KEPT_MS) {
      const gauges = settlementGauges(database.queries).catch((error: unknown) => {
        logger.debug({ err: error }, 'the gauges of settlements could not be read');
        return undefined;
      });
      kept = { at: performance.now(), gauges };
    }
    return kept.gauges;
  };
  gauge(registry, 'curvekit_settlements_waiting', WAITING, async () => (await read())?.waiting);
  gauge(registry, 'curvekit_settlements_troubled', TROUBLED, async () => (await read())?.troubled);
  gauge(registry, 'curvekit_settlements_sampling', SAMPLING, async () => (await read())?.sampling);
  gauge(
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

/** A gauge that is read on scrape; NaN while the database is unavailable. */
function gauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => Promise<number | undefined>,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set((await read()) ?? NaN);
    },
  });
}
