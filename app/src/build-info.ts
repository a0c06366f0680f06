import { Gauge, type Registry } from 'prom-client';
import { sqlVersion } from './db/sql-version.js';

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
