/** Runs the standard commands that build the programs. */
import { hash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CommandError } from '../command-line.js';
import { fillIdlFile } from './idl/fill.js';
import { ARTIFACT_FILES, IDLS, PROGRAMS } from './artifacts.js';
import { hashSources, type Manifest } from './manifest.js';
import { ANCHOR_WORKSPACE, CHEATING, DIFFERENTIAL, ROOT, RUST_WORKSPACE } from './paths.js';

/** The files of the repository that Anchor's command line needs. */
const ANCHOR_SOURCES = ['Anchor.toml', ...RUST_WORKSPACE];

/**
 * The flags and the target folder of `anchor idl build`. clippy and the Rust tests use the same, to reuse its compiled
 * crates. Never target/ itself: Anchor's command line looks for the program's keypair in its target folder.
 */
export const IDL_BUILD_ENVIRONMENT = {
  RUSTFLAGS: '-A warnings',
  CARGO_TARGET_DIR: join(ANCHOR_WORKSPACE, 'target'),
} as const;

/** The compiler's version on one line, or `undefined` when `cargo build-sbf` is not installed. */
export function compilerVersion(): string | undefined {
  const { status, stdout } = spawnSync('cargo', ['build-sbf', '--version'], { encoding: 'utf8', cwd: ROOT });
  return status === 0 ? stdout.trim().split('\n').join(' | ') : undefined;
}

/** Whether the Anchor command line, which builds the IDL, is installed. */
export function hasAnchor(): boolean {
  return spawnSync('anchor', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Builds every program and IDL into `folder`, with the development keys, and describes them. */
export function buildInto(folder: string, log: (line: string) => void): Manifest {
  const compiler = requireCompiler();
  if (!hasAnchor())
    throw new CommandError('anchor is not installed: install the Anchor command line, version 1.2.1');

  for (const { file, crate, built, env } of PROGRAMS) {
    log(`cargo build-sbf for ${file} (${compiler})`);
    // Not in target/deploy, which can contain an operator's own build, and apart from the other builds.
    const output = join(folder, crate);
    buildProgram(crate, output, env);
    renameSync(join(output, built), join(folder, file));
  }
  const workspace = anchorWorkspace();
  for (const { file, crate, accounts, seedsFrom } of IDLS) {
    log(`anchor idl build for ${file}`);
    const path = join(folder, file);
    run('anchor', ['idl', 'build', '-o', path], join(workspace, crate), {
      ...IDL_BUILD_ENVIRONMENT,
      // To optimise what only prints the IDL would take longer than it saves.
      CARGO_PROFILE_TEST_OPT_LEVEL: '0',
    });
    fillIdlFile(
      path,
      accounts,
      seedsFrom.map((name) => join(folder, name)),
    );
  }

  const described = ARTIFACT_FILES.map((file) => {
    const bytes = readFileSync(join(folder, file));
    return [file, { bytes: bytes.length, sha256: hash('sha256', bytes) }] as const;
  });
  return {
    purpose: 'local clusters only: built with the development keys in programs/keys/localnet',
    artifacts: Object.fromEntries(described),
    sources: hashSources(),
    compiler,
  };
}

/** A program of the differential test: the oracle with Anchor handlers, or the caller that makes CPIs. */
export type DifferentialProgram = 'caller' | 'oracle';

/** Builds the program with the development keys into the folder `DIFFERENTIAL`. */
export function buildForDifferential(name: DifferentialProgram, log: (line: string) => void): void {
  log(`cargo build-sbf of the ${name} (${requireCompiler()})`);
  buildProgram(join('tests', 'differential', name), DIFFERENTIAL);
}

/** Builds the programs that cheat in `npm run fuzz` into the folder `CHEATING`. */
export function buildCheating(log: (line: string) => void): void {
  log(`cargo build-sbf of the programs that cheat (${requireCompiler()})`);
  buildProgram(join('tests', 'fuzz', 'programs'), CHEATING);
}

function buildProgram(path: string, folder: string, env: Readonly<Record<string, string>> = {}): void {
  const manifest = join(ROOT, path, 'Cargo.toml');
  run('cargo', ['build-sbf', '--manifest-path', manifest, '--sbf-out-dir', folder], ROOT, env);
}

function requireCompiler(): string {
  const compiler = compilerVersion();
  if (compiler === undefined)
    throw new CommandError('cargo build-sbf is not installed: install the Solana command line');
  return compiler;
}

export function withTemporaryFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'curvekit-build-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Generates sdk/src/generated. With `check` it writes nothing, and returns false when the folder is outdated. */
export function generateSdk(options: { check: boolean }): boolean {
  const args = [
    '--import=tsx',
    join('scripts', 'generate-sdk', 'from-idls.ts'),
    ...(options.check ? ['--check'] : []),
  ];
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 2, 2] }).status === 0;
}

/**
 * Copies the sources, with the development programs' keypairs in its own target/deploy. Anchor's command line refuses
 * to build when the keypair in target/deploy differs from `declare_id!`. The repository's keypair can be that of a real
 * program.
 */
function anchorWorkspace(): string {
  for (const path of ANCHOR_SOURCES) {
    rmSync(join(ANCHOR_WORKSPACE, path), { recursive: true, force: true });
    cpSync(join(ROOT, path), join(ANCHOR_WORKSPACE, path), { recursive: true });
  }
  const deploy = join(ANCHOR_WORKSPACE, 'target', 'deploy');
  mkdirSync(deploy, { recursive: true });
  for (const { key, deployedKey } of IDLS) copyFileSync(key, join(deploy, deployedKey));
  return ANCHOR_WORKSPACE;
}

/** Environment variables that would change the addresses in a build. */
const ADDRESS_VARIABLES = [
  'CURVE_PROGRAM',
  'CURVE_ADMIN',
  'CURVE_FEE_RECEIVER',
  'CURVE_DEX_OWNER',
  'CURVE_TREASURY',
];

function run(
  command: string,
  args: string[],
  cwd = ROOT,
  added: Readonly<Record<string, string>> = {},
): void {
  for (const name of ADDRESS_VARIABLES) {
    if (process.env[name] !== undefined)
      throw new Error(
        `${name} is set: the committed artifacts are built with the development keys; unset it`,
      );
  }
  const { status, error } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...added },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? `exit code ${status}`}`);
}
