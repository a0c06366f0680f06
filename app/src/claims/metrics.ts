// Prometheus metrics of claims.
import { Counter, Gauge } from 'prom-client';
import type { Context } from '../context.js';
import { ClaimsRepository } from './repository.js';

export interface ClaimMetrics {
  readonly undecidable: Gauge;
  readonly ended: Counter<'state'>;
  readonly paidAfterExpiry: Counter;
}

export function createClaimMetrics({
  metrics,
  database,
}: Pick<Context, 'metrics' | 'database'>): ClaimMetrics {
  const registers = [metrics.registry];
  const repository = new ClaimsRepository(database);
  // Every instance computes this metric, because the leader may be down.
  const open = new Gauge({
    name: 'curvekit_claims_open',
    help: 'Claims in progress',
    registers,
    collect: async () => {
      await repository.countOpen().then(
        (count) => open.set(count),
        () => open.set(NaN),
      );
    },
  });
  return {
    undecidable: new Gauge({
      name: 'curvekit_claims_undecidable',
      help: 'Claims in progress that the RPC node can neither find nor prove gone (curvekit claims recheck)',
      registers,
    }),
    ended: new Counter({
      name: 'curvekit_claims_ended_total',
      help: 'Claims that came to their end',
      labelNames: ['state'],
      registers,
    }),
    paidAfterExpiry: new Counter({
      name: 'curvekit_claims_paid_after_expiry_total',
      help: 'Claims given up that were found paid: above zero, the RPC node has lied',
      registers,
    }),
  };
}
