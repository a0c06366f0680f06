// Locks a PGlite folder: two processes in one folder would destroy it.
//
// A second folder beside it has numbered claims: symbolic links that name a process. The process of the highest claim owns the
// folder, as long as it is alive. Creating a claim is atomic, and the highest claim is never removed. A process with an old
// view can therefore only try to create a claim that exists, or one that is not the highest.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseError } from './errors.js';

/** Number of claims that remain below the highest one. */
const KEPT = 8;
/** Suffix of a claim whose process has released the folder. */
const FREE = 'free';

/**
 * Locks the folder for this process. Takes over the lock of a dead process.
 *
 * @returns a function that releases the lock
 * @throws DatabaseError when a running process has the lock
 */
export function lockFolder(folder: string): () => void {
  const claims = `${resolve(folder)}.lock`;
  const claim = makeClaim(folder, claims);
  let held = true;
  return () => {
    if (held) tryLink(FREE, join(claims, String(claim + 1)));
    held = false;
  };
}

/** Creates the highest claim. @returns its number */
function makeClaim(folder: string, claims: string): number {
  try {
    mkdirSync(claims, { recursive: true });
    for (;;) {
      const highest = highestOf(claims);
      const owner = highest === 0 ? FREE : ownerOf(join(claims, String(highest)));
      // Meanwhile another process has created a higher claim and removed this one.
      if (owner === undefined) continue;
      if (isAlive(owner)) {
        throw new DatabaseError(
          `the embedded database ${folder} is in use by process ${pidOf(owner)}; stop it first, or give both a DATABASE_URL`,
        );
      }
      const mine = highest + 1;
      if (!tryLink(SELF, join(claims, String(mine)))) continue;
      if (highestOf(claims) === mine) {
        tidy(claims, mine);
        return mine;
      }
      rmSync(join(claims, String(mine)), { force: true });
    }
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(
      `the lock folder ${claims} cannot be written (${String(error)}); check its rights, and that the disk is not full`,
      { cause: error },
    );
  }
}

function highestOf(claims: string): number {
  return Math.max(0, ...numbersIn(claims));
}

function numbersIn(claims: string): number[] {
  return readdirSync(claims)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function ownerOf(claim: string): string | undefined {
  try {
    return readlinkSync(claim);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** @returns false when the claim exists already */
function tryLink(owner: string, claim: string): boolean {
  try {
    symlinkSync(owner, claim);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function tidy(claims: string, mine: number): void {
  for (const number of numbersIn(claims)) {
    if (number < mine - KEPT) rmSync(join(claims, String(number)), { force: true });
  }
}

/** This process: its id and its start time, because ids are reused. */
const SELF = `${process.pid}:${startOf(process.pid) ?? randomUUID()}`;

function isAlive(owner: string): boolean {
  const pid = pidOf(owner);
  if (pid === process.pid) return owner === SELF;
  if (!Number.isInteger(pid) || pid <= 0 || !isRunning(pid)) return false;
  const start = startOf(pid);
  return start === undefined || owner === `${pid}:${start}`;
}

function pidOf(owner: string): number {
  return Number(owner.split(':', 1)[0]);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Start time of a process, relative to the boot of the machine. Undefined on systems without /proc, such as macOS. */
function startOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in brackets, which may contain spaces and brackets; the start time is the 22nd field.
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return start === undefined ? undefined : `${boot}:${start}`;
  } catch {
    return undefined;
  }
}
