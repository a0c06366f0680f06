import { lookForLanding } from '@curvekit/sdk';
import type { MarketConfig } from '../market/types.js';
import { chainOf } from './connection.js';
import type { Outcome, Pending } from './types.js';

/** What became of a signed transaction, as far as the node says now. */
export async function lookUp(config: MarketConfig, pending: Pending): Promise<Outcome> {
  const { connection } = chainOf(config);
  const { landing } = await lookForLanding(connection, pending);
  if (landing.kind === 'expired') return 'expired';
  // A processed block can still be lost.
  if (landing.kind !== 'landed' || landing.commitment === 'processed') return 'pending';
  return landing.err === null ? 'succeeded' : 'failed';
}
