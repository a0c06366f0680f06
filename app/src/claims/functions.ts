import { databaseFunction } from '../db/statements.js';

/** Stores a claim with its reserve and cover, or fails with the error of a refusal. */
export const claimStore = databaseFunction('claim_store', { claim: 'claims', kept: 'jsonb', funds: 'jsonb' });

/** Ends a claim in progress; false when it has ended already. */
export const claimEnd = databaseFunction('claim_end', {
  signature: 'text',
  state: 'text',
  problem: 'text',
  landed: 'bigint',
  now: 'timestamp with time zone',
});

/** Lamports of settlements that can be in the treasury's balance of a slot. */
export const settlementsOwed = databaseFunction('settlements_owed', { slot: 'bigint' });

/** Backs rewards with surplus fees, as far as the balance of the slot shows them; gives the lamports. */
export const treasuryCover = databaseFunction('treasury_cover', { lamports: 'numeric', slot: 'bigint' });

/** Books fees that came to the treasury; false when that transaction is booked. */
export const treasuryFund = databaseFunction('treasury_fund', {
  signature: 'text',
  amount: 'numeric',
  slot: 'bigint',
});

export const treasuryPay = databaseFunction('treasury_pay', {
  asset: 'text',
  referral: 'numeric',
  slot: 'bigint',
  volume: 'numeric',
});
