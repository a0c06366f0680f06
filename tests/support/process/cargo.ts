import { spawnSync } from 'node:child_process';

/** @throws Error that says where cargo comes from, when it is not there. @param why what it is needed for */
export function requireCargo(why: string): void {
  if (spawnSync('cargo', ['--version'], { stdio: 'ignore' }).status === 0) return;
  throw new Error(`cargo is not on PATH: ${why}. Install Rust from https://rustup.rs`);
}
