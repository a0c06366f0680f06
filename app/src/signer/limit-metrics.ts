import { Counter, type Registry } from 'prom-client';
import type { SpendingLimit } from './spending-limit.js';
import { measure } from '../base/metrics.js';

/** Measures the limit of a day of a signer that pays claims. */
export function measureLimit(limit: SpendingLimit, registry: Registry): void {
  measure(
    registry,
    'curvekit_signer_day_limit_lamports',
    'Lamports that may leave the treasury in 24 hours, by --sol-per-day; +Inf without it',
    () => Number(limit.lamports ?? Infinity),
  );
  measure(
    registry,
    'curvekit_signer_day_signed_lamports',
    'Lamports signed in the last 24 hours, without claims that never land',
    () => Number(limit.signed),
  );
  new Counter({
    name: 'curvekit_signer_day_refusals_total',
    help: 'Signatures refused because of --sol-per-day',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(limit.refusals);
    },
  });
}
