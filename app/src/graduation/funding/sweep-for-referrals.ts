// For curves that graduate by themselves: sweeps the fees that back referral rewards to the treasury. Nothing is stored,
// because a sweep can go nowhere else and is booked when it is found on chain.
import type { Context } from '../../context.js';
import { feesHeld, sweep } from '../sweep.js';
import { LEAST_MOVED, type Funding } from './fund-referrals.js';
import { unfundedReferrals } from '../../claims/unfunded.js';
import type { Signer } from '../../keys/signer.js';

/**
 * Sweeps when referral rewards wait for fees.
 *
 * @throws errors of the RPC node, the database or the cluster
 */
export async function sweepForReferrals(context: Context, admin: Signer): Promise<Funding> {
  const unfunded = await unfundedReferrals(context.database.queries);
  if (unfunded < LEAST_MOVED) return { moved: 0n, unfunded };
  const fees = await feesHeld(context);
  if (fees < LEAST_MOVED) return { moved: 0n, unfunded };
  await sweep(context, admin);
  return { moved: fees, unfunded };
}
