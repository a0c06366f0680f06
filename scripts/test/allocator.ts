import { spawnSync } from 'node:child_process';

/** Debian's redis-server depends on it, so it is there with the databases of the tests. */
const LIBRARY = 'libjemalloc.so.2';

/**
 * Surfpool copies all its state for each instruction of a transaction, to profile it. Most of that is the system's
 * allocator: with jemalloc a trade takes half the CPU time. Empty where jemalloc is not installed.
 */
export function allocatorEnvironment(): Record<string, string> {
  if (process.platform !== 'linux') return {};
  const preloaded = { LD_PRELOAD: LIBRARY };
  // The dynamic linker reports a library that it does not find, and starts the program all the same.
  const { status, stderr } = spawnSync('true', { env: { ...process.env, ...preloaded }, encoding: 'utf8' });
  return status === 0 && stderr === '' ? preloaded : {};
}
