/** What the committed artifacts were built from, and with. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ARTIFACTS, ROOT } from './paths.js';

export interface Manifest {
  /** For whom the build is. The committed one has development keys: everyone has their secrets. */
  readonly purpose: string;
  /** SHA-256 of bonding_curve.so. */
  readonly program: string;
  /** Bytes of bonding_curve.so. */
  readonly programBytes: number;
  /** SHA-256 of bonding_curve.json. */
  readonly idl: string;
  /** SHA-256 over the paths and contents of every source the build reads. */
  readonly sources: string;
  /** What `cargo build-sbf --version` printed. */
  readonly compiler: string;
}

const MANIFEST = join(ARTIFACTS, 'manifest.json');
const SOURCES = [
  'Cargo.toml',
  'Cargo.lock',
  'programs/bonding-curve/Cargo.toml',
  'programs/bonding-curve/src',
];

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest;
}

export function writeManifest(manifest: Manifest): void {
  writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The hash of the sources as they are in the working tree. */
export function hashSources(): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap(filesBelow).sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(path: string): string[] {
  if (/\.[a-z]+$/.test(path)) return [path];
  return readdirSync(join(ROOT, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(`${path}/${entry.name}`) : [`${path}/${entry.name}`],
  );
}
