// Two processes in one PGlite folder would destroy it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseError } from './errors.js';

/** Locks of this very process. */
const held = new Set<string>();

/**
 * Takes the folder for this process; the returned function gives it back. The lock of a process that has died is taken over.
 *
 * @throws DatabaseError when a living process has it
 */
export function lockFolder(folder: string): () => void {
  const path = `${resolve(folder)}.lock`;
  mkdirSync(dirname(path), { recursive: true });
  if (!takeLock(path)) {
    const holder = Number(readFileSync(path, 'utf8'));
    if (held.has(path) || isAlive(holder)) {
      throw new DatabaseError(
        `the embedded database ${folder} is in use by process ${holder}; stop it first, or give both a DATABASE_URL`,
      );
    }
    rmSync(path, { force: true });
    if (!takeLock(path))
      throw new DatabaseError(`the embedded database ${folder} was just opened by another process`);
  }
  held.add(path);
  return () => {
    if (held.delete(path)) rmSync(path, { force: true });
  };
}

function takeLock(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new DatabaseError(
      `the lock file ${path} cannot be written (${String(error)}); check its folder's rights`,
      {
        cause: error,
      },
    );
  }
}

function isAlive(pid: number): boolean {
  // A container starts its processes with the same ids again: our own id in a file we did not write is a dead one's.
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
