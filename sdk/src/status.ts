import { STATUS_FINALIZED, STATUS_MIGRATED, STATUS_TRADING } from './generated/constants.js';

/** What `TokenOwnerData.initialized` says: a curve moves from each to the next, never back. */
export const CurveStatus = {
  /** Open to trades. */
  Trading: STATUS_TRADING,
  /** Graduated: no trades, waiting for its migration. */
  Finalized: STATUS_FINALIZED,
  /** Migrated: its SOL and tokens have left. */
  Migrated: STATUS_MIGRATED,
} as const;

export type CurveStatus = (typeof CurveStatus)[keyof typeof CurveStatus];
