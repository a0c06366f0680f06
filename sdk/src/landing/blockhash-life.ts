import type { UnknownOutcome } from './landing.js';

export const BLOCKHASH_BLOCKS = 150;

/** The outcome when a node lacks the blocks in which the transaction could be. */
export const NOT_KEPT: UnknownOutcome = {
  kind: 'unknown',
  reason: 'the RPC node does not keep the blocks that it would be in; ask one with full history',
};
