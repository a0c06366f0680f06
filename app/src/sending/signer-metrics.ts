import { Counter } from 'prom-client';
import type { Context } from '../context.js';
import { SIGNER_FAILURES } from '../keys/signer.js';

/** Counts what the signers of the service's keys failed to sign. */
export function countSignerFailures({ config, metrics }: Pick<Context, 'config' | 'metrics'>): void {
  new Counter({
    name: 'curvekit_signer_failures_total',
    help: 'Signatures that a signer of a key did not give, by variable of the key and by reason',
    labelNames: ['key', 'reason'],
    registers: [metrics.registry],
    collect() {
      this.reset();
      for (const { variable, signer } of config.signers)
        for (const reason of SIGNER_FAILURES) this.inc({ key: variable, reason }, signer.failures[reason]);
    },
  });
}
