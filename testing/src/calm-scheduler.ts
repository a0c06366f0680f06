import { readdirSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Agave 4 schedules transactions in a loop that keeps a core busy even while there are none. */
const SCHEDULER = 'solBnkTxSched';

/**
 * Lets every other thread go before the validator's busy loop. This works among the programs of one session: Linux shares
 * its cores among sessions first. Does nothing where the system does not show threads in `/proc`.
 *
 * @param pid Process id of the validator.
 */
export function calmScheduler(pid: number | undefined): void {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const name = readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8');
      if (name.startsWith(SCHEDULER)) setPriority(Number(thread), constants.priority.PRIORITY_LOW);
    }
  } catch {
    // Another system, or a thread that has just ended: the validator works all the same.
  }
}
