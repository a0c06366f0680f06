import { STATUS_FINALIZED, STATUS_MIGRATED, STATUS_TRADING } from '../generated/constants.js';

/** The values of `TokenOwnerData.initialized`. A curve moves from each to the next, never back. */
export const CurveStatus = {
  /** Open to trades. */
  Trading: STATUS_TRADING,
  /** Graduated: closed to trades until its migration. */
  Finalized: STATUS_FINALIZED,
  /** Migrated: its SOL and tokens were moved out. */
  Migrated: STATUS_MIGRATED,
} as const;

export type CurveStatus = (typeof CurveStatus)[keyof typeof CurveStatus];
