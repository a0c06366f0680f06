import { Gauge, type Registry } from 'prom-client';
import type { Database } from './database.js';
import { measure } from '../base/metrics.js';
import { sqlVersion } from './sql-version.js';

/** Measures the connection pools of this instance. The embedded database has none. */
export function measurePools(database: Pick<Database, 'pools'>, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'curvekit_database_pool_connections',
    help: 'Open connections to the database by pool: busy and idle',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const { name, total, idle } of database.pools()) {
        this.set({ pool: name, state: 'busy' }, total - idle);
        this.set({ pool: name, state: 'idle' }, idle);
      }
    },
  });
  new Gauge({
    name: 'curvekit_database_pool_size',
    help: 'Most connections of a pool: its part of DATABASE_POOL_SIZE',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const { name, size } of database.pools()) this.set({ pool: name }, size);
    },
  });
  new Gauge({
    name: 'curvekit_database_pool_waiting',
    help: 'Queries that wait for a connection of a pool',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const { name, waiting } of database.pools()) this.set({ pool: name }, waiting);
    },
  });
}

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
  measure(
    registry,
    'curvekit_database_replicas_left_out',
    'Standbys of DATABASE_REPLICA_URLS that serve no reads, so the primary serves them; curvekit doctor says why',
    () => database.replicas().filter(({ problem }) => problem !== undefined).length,
  );
}

/** Tells which build runs, so that a dashboard shows an upgrade that is half done. */
export function tellBuild(registry: Registry, version: string): void {
  new Gauge({
    name: 'curvekit_build_info',
    help: 'Always 1: the version of Curvekit and of Node, and the newest migration of this build',
    labelNames: ['version', 'node', 'migration'],
    registers: [registry],
  }).set(
    { version, node: process.versions.node, migration: sqlVersion().migrations.at(-1)?.tag ?? 'none' },
    1,
  );
}
