import { readdirSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Threads of Agave 4 that loop without work. The scheduler keeps a core busy even while there are no transactions. The
 * repair service asks for blocks, which no other node has. The thread that packs votes takes 40 ms of each slot; lower,
 * it would delay the confirmations.
 */
const PRIORITIES: Readonly<Record<string, number>> = {
  solBnkTxSched: PRIORITY_LOW,
  solRepairSvc: PRIORITY_LOW,
  solBanknStgVote: PRIORITY_BELOW_NORMAL,
};

/**
 * Lets every other thread go before the validator's busy loops. This works among the programs of one session: Linux shares
 * its cores among sessions first. Does nothing where the system does not show threads in `/proc`.
 *
 * @param pid Process id of the validator.
 */
export function calmLoops(pid: number | undefined): void {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const name = readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trim();
      const priority = Object.entries(PRIORITIES).find(([start]) => name.startsWith(start))?.[1];
      if (priority !== undefined) setPriority(Number(thread), priority);
    }
  } catch {
    // Another system, or a thread that has just ended: the validator works all the same.
  }
}
