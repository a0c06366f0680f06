import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Agave 4 schedules transactions in a loop that keeps a core busy even while there are none. */
const SCHEDULER = 'solBnkTxSched';
/** Linux shares its cores among sessions first, and the validator is a session of its own. */
const SESSION_PRIORITY = 5;

/**
 * Lets other programs have the core that the validator's busy loop would keep, and the validator's own work go before it.
 * Does nothing where the system does not show threads in `/proc`.
 *
 * @param shell Process id of the validator's parent.
 */
export function calmScheduler(shell: number | undefined): void {
  try {
    const children = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8');
    for (const pid of children.split(' ').filter((text) => text !== '')) {
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const name = readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8');
        if (name.startsWith(SCHEDULER)) setPriority(Number(thread), constants.priority.PRIORITY_LOW);
      }
    }
    writeFileSync(`/proc/${shell}/autogroup`, String(SESSION_PRIORITY));
  } catch {
    // Another system, or a thread that has just ended: the validator works all the same.
  }
}
