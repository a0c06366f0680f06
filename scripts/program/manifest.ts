/** What the committed artifacts were built from, and with. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ARTIFACTS, ROOT } from './paths.js';

export interface Manifest {
  /** For whom the builds are. The committed ones have development keys: everyone has their secrets. */
  readonly purpose: string;
  /** Of each file in artifacts/, by its name. */
  readonly artifacts: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>;
  /** SHA-256 over the paths and contents of every source the builds read. */
  readonly sources: string;
  /** What `cargo build-sbf --version` printed. */
  readonly compiler: string;
}

const MANIFEST = join(ARTIFACTS, 'manifest.json');
const SOURCES = ['bonding-curve', 'graduation'].flatMap((name) => [
  `programs/${name}/Cargo.toml`,
  `programs/${name}/src`,
]);

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest;
}

export function writeManifest(manifest: Manifest): void {
  writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The hash of the sources as they are in the working tree. */
export function hashSources(): string {
  const hash = createHash('sha256');
  for (const path of ['Cargo.toml', 'Cargo.lock', ...SOURCES].flatMap(filesBelow).sort()) {
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
