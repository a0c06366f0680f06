import { Gauge, type Registry } from 'prom-client';
import type { Database } from './database.js';

/** Measures the configured standbys. */
export function measureReplicas(database: Pick<Database, 'replicas'>, registry: Registry): void {
  new Gauge({
    name: 'curvekit_database_replica_lag_seconds',
    help: 'How far a standby of DATABASE_REPLICA_URLS is behind; NaN while it does not answer',
    labelNames: ['replica'],
    registers: [registry],
    collect() {
      for (const { place, lagMs = NaN } of database.replicas()) this.set({ replica: place }, lagMs / 1_000);
    },
  });
  new Gauge({
    name: 'curvekit_database_replicas_left_out',
    help: 'Standbys of DATABASE_REPLICA_URLS that serve no reads, so the primary serves them; curvekit doctor says why',
    registers: [registry],
    collect() {
      this.set(database.replicas().filter(({ problem }) => problem !== undefined).length);
    },
  });
}
