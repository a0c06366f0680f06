// What each instruction may take, in compute units, and what any program like it must.
import type { MeasuredName } from './token-life.js';

export type FigureName = MeasuredName | 'log record';

export interface Limits {
  /** What its calls of other programs and of the log cost any program on this cluster; undefined where none is stated. */
  readonly floor?: number;
  readonly median: number;
  readonly max?: number;
}

/** Calls, each with the 1,000 that the runtime takes for it. */
const LAMPORT_TRANSFER = 1_162;
const TOKEN_TRANSFER = 1_106;
const SELF_CALL = 1_106;
/** The runtime takes 100 for the call of its log, 100 for the one field, and 1 for each byte of the `MigrateRecord`. */
const MIGRATE_LOG = 100 + 100 + 96;

export const LIMITS: Readonly<Record<FigureName, Limits>> = {
  createToken: { median: 80_000 },
  buyToken: { floor: LAMPORT_TRANSFER + TOKEN_TRANSFER + SELF_CALL, median: 5_800, max: 7_600 },
  sellToken: { floor: TOKEN_TRANSFER + SELF_CALL, median: 3_800, max: 5_400 },
  migrate: { floor: TOKEN_TRANSFER + MIGRATE_LOG, median: 5_000 },
  'log record': { median: 120 },
};
