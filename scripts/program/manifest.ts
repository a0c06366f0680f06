/** The sources and the compiler of the committed artifacts. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ARTIFACTS, ROOT } from './paths.js';

export interface Manifest {
  /** The purpose of the builds. The committed builds have development keys, whose secrets are public. */
  readonly purpose: string;
  /** Size and hash of each file in programs/artifacts/, by name. */
  readonly artifacts: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>;
  /** SHA-256 of the paths and contents of all sources of the builds. */
  readonly sources: string;
  /** Output of `cargo build-sbf --version`. */
  readonly compiler: string;
}

const MANIFEST = join(ARTIFACTS, 'manifest.json');
const CRATES = [
  'programs/interface',
  'programs/bonding-curve',
  'programs/graduation',
  'programs/amm-stand-in',
];
const SOURCES = CRATES.flatMap((crate) => [`${crate}/Cargo.toml`, `${crate}/src`]);

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest;
}

export function writeManifest(manifest: Manifest): void {
  writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
}

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
