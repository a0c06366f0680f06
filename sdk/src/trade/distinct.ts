// Equal trades of one wallet, signed with the same blockhash, would be one and the same transaction: the cluster makes it
// once, and each caller would take it for its own. A compute-unit limit that differs makes them two.
import { MAX_COMPUTE_UNITS } from '../transactions/prepare.js';

/** The most compute units that are added. At the highest suggested price, that many lamports. */
const MOST_ADDED = 1_024;
/** Processes of one wallet start at different numbers. */
let next = Math.floor(Math.random() * MOST_ADDED);

/** A limit of at least `units` that is another one for each of 1,024 calls in a row. At most the cluster's maximum. */
export function distinctLimit(units: number): number {
  next = (next + 1) % MOST_ADDED;
  return Math.min(units, MAX_COMPUTE_UNITS - MOST_ADDED) + next;
}
