// A full disk without root: the kernel refuses a process's writes beyond a size (RLIMIT_FSIZE), while its memory and its pipes
// work. The process must not die of SIGXFSZ.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { run } from '#tests/process/run.js';

/** Node resets ignored signals when it starts, so a program needs a handler of its own. */
export const SURVIVES_FULL_DISKS = "--import=data:text/javascript,process.on('SIGXFSZ',()=>undefined)";

/** The user of a process. A user may limit its own processes; root may lack the right to limit another user's. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Limits the files of a process and its children, which pass the limit on. Undefined removes the limit. */
export async function limitFileSize(pid: number, bytes: number | undefined, owner?: Owner): Promise<void> {
  const limit = `--fsize=${bytes ?? 'unlimited'}:unlimited`;
  for (const one of [pid, ...(await childrenOf(pid))])
    await run('prlimit', ['--pid', String(one), limit], { ...owner }).catch((error: unknown) => {
      // A process that has ended needs no limit.
      if (existsSync(`/proc/${one}`)) throw error;
    });
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}
