import { spawnSync } from 'node:child_process';

/** @throws Error with an installation hint if cargo is missing. @param why reason why it is needed */
export function requireCargo(why: string): void {
  if (spawnSync('cargo', ['--version'], { stdio: 'ignore' }).status === 0) return;
  throw new Error(`cargo is not on PATH: ${why}. Install Rust from https://rustup.rs`);
}
