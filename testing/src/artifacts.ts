import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Keypair } from '@solana/web3.js';
import { ClusterStartError } from './errors.js';

/** The development keys: the authorities of a local build. Use them only locally, because their secrets are public. */
export interface DevelopmentKeys {
  readonly admin: Keypair;
  readonly feeReceiver: Keypair;
  readonly dexOwner: Keypair;
}

const PROGRAMS = {
  /** Its fee receiver is a PDA of the graduation program. */
  curve: 'bonding_curve.so',
  /** Its fee receiver is a development key. */
  keyHeldCurve: 'bonding_curve_key_held.so',
  graduation: 'graduation.so',
  ammStandIn: 'amm_stand_in.so',
} as const;
const KEYS = join('keys', 'localnet');

const HERE = dirname(fileURLToPath(import.meta.url));

/** `artifacts` and `keys` are in `programs` of the source tree, and next to the built files in the published package. */
const SOURCE_TREE = resolve(HERE, '../..');
const PROGRAMS_FOLDER = join(SOURCE_TREE, 'programs');
const CANDIDATES = [HERE, PROGRAMS_FOLDER];

/** Path of a compiled program. @throws ClusterStartError when it is missing. */
export function programBinary(program: keyof typeof PROGRAMS): string {
  const file = join('artifacts', PROGRAMS[program]);
  return find(file, 'build it with `npm run build:program`, or pass `programSo`');
}

/** The development keys. @throws ClusterStartError when one is missing. */
export function developmentKeys(): DevelopmentKeys {
  return { admin: readKey('admin'), feeReceiver: readKey('fee-receiver'), dexOwner: readKey('dex-owner') };
}

/** Folder of fetched binaries: `.cache` of the source tree, or the user's cache folder for an installed package. */
export function cacheFolder(): string {
  if (existsSync(join(SOURCE_TREE, 'Anchor.toml')) && existsSync(join(PROGRAMS_FOLDER, KEYS))) {
    return join(SOURCE_TREE, '.cache');
  }
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'curvekit');
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'curvekit');
}

function readKey(name: string): Keypair {
  const path = find(join(KEYS, `${name}.json`), 'restore it, or pass `keys`');
  return Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(path, 'utf8')) as number[]));
}

function find(file: string, fix: string): string {
  const paths = CANDIDATES.map((folder) => join(folder, file));
  const found = paths.find((path) => existsSync(path));
  if (found === undefined)
    throw new ClusterStartError(`${file} is missing (looked for ${paths.join(', ')}); ${fix}`);
  return found;
}
