// The compute unit limits of each instruction, and the least that any program with the same CPIs must use.
import type { MeasuredName } from './token-life.js';

export type FigureName = MeasuredName | 'log record';

export interface Limits {
  /** The cost of its CPIs and logs, the same for any program on this cluster. Undefined when not stated. */
  readonly floor?: number;
  readonly median: number;
  readonly max?: number;
}

/** The costs of CPIs, each including the runtime's 1,000 units per call. */
const LAMPORT_TRANSFER = 1_162;
const TOKEN_TRANSFER = 1_106;
const SELF_CALL = 1_106;
/** The runtime charges 100 for the log call, 100 for its field, and 1 per byte of the `MigrateRecord`. */
const MIGRATE_LOG = 100 + 100 + 96;

export const LIMITS: Readonly<Record<FigureName, Limits>> = {
  createToken: { median: 70_000 },
  buyToken: { floor: LAMPORT_TRANSFER + TOKEN_TRANSFER + SELF_CALL, median: 5_800, max: 7_600 },
  sellToken: { floor: TOKEN_TRANSFER + SELF_CALL, median: 3_800, max: 5_400 },
  migrate: { floor: TOKEN_TRANSFER + MIGRATE_LOG, median: 5_000 },
  'log record': { median: 120 },
};
