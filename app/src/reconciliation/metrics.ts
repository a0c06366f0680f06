// Metrics of payments. They are read from the database, so that every instance reports the same values.
import { Gauge } from 'prom-client';
import type { Context } from '../context.js';
import { paymentsHeld, readGate } from '../ledger/gate/payments-gate.js';

export function registerPaymentMetrics({ database, metrics }: Pick<Context, 'database' | 'metrics'>): void {
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
  new Gauge({
    name: 'curvekit_payments_reconciled_timestamp_seconds',
    help: 'When a reconciliation with the chain last ended well, on any instance; 0 before the first time',
    registers,
    async collect() {
      const at = await readGate(database.queries).then(
        ({ reconciledAt = 0 }) => reconciledAt,
        () => NaN,
      );
      this.set(at / 1_000);
    },
  });
}
