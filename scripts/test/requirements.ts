/** Programs that suites need, and where to get them. */
import { spawnSync } from 'node:child_process';
import { testBrowserPath } from '#tests/browser/chromium-path.js';

export interface Requirement {
  readonly program: string;
  /** Where to get it. */
  readonly from: string;
  /** When an optional program is missing, the suite is left out (with `--require-all` it fails). Otherwise it fails. */
  readonly optional?: boolean;
}

/** Whether the program is on PATH. */
export function isInstalled({ program }: Requirement): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

export const RUST: Requirement = { program: 'cargo', from: 'https://rustup.rs' };
export const VALIDATOR: Requirement = {
  program: 'solana-test-validator',
  from: 'https://solana.com/docs/intro/installation',
  optional: true,
};

export const POSTGRES: Requirement = {
  program: 'redis-server',
  from: 'your package manager (postgresql and redis-server)',
  optional: true,
};

export const CHROMIUM: Requirement = {
  program: testBrowserPath(),
  from: 'your package manager (chromium or chromium-headless-shell), or name it in CHROMIUM',
  optional: true,
};

export const SBF: Requirement = {
  program: 'cargo-build-sbf',
  from: 'https://solana.com/docs/intro/installation',
  optional: true,
};

export const COQ: Requirement = {
  program: 'coqc',
  from: 'your package manager (coq and libzarith-ocaml-dev)',
  optional: true,
};
