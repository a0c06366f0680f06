import { Counter, Gauge, type Registry } from 'prom-client';
import type { SpendingLimit } from './spending-limit.js';

/** Measures the limit of a day of a signer that pays claims. */
export function measureLimit(limit: SpendingLimit, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'curvekit_signer_day_limit_lamports',
    help: 'Lamports that may leave the treasury in 24 hours, by --sol-per-day; +Inf without it',
    registers,
    collect() {
      this.set(limit.lamports === undefined ? Infinity : Number(limit.lamports));
    },
  });
  new Gauge({
    name: 'curvekit_signer_day_signed_lamports',
    help: 'Lamports signed in the last 24 hours, without claims that never land',
    registers,
    collect() {
      this.set(Number(limit.signed));
    },
  });
  new Counter({
    name: 'curvekit_signer_day_refusals_total',
    help: 'Signatures refused because of --sol-per-day',
    registers,
    collect() {
      this.reset();
      this.inc(limit.refusals);
    },
  });
}
