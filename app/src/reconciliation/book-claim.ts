// Books a claim that was paid on chain and that the tables lack.
import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../db/database.js';
import { claims } from '../db/schema/index.js';
import { holdClaimable } from '../ledger/balances.js';
import { indexLacks, RefusedError, type Booked, type BookingOptions, type Landed } from './booked.js';
import type { ClaimPayment } from './claim-payment.js';
import { postPaidClaim } from './postings.js';
import { takeFromRecovered } from './recovered.js';
import { treasuryPay } from '../claims/functions.js';

export async function bookClaim(
  tx: Transaction,
  claim: ClaimPayment,
  { transaction: { signature, slot }, bytes }: Landed,
  { repair }: BookingOptions,
): Promise<Booked> {
  const { wallet, mint, asset, amount } = claim;
  const unit = asset === 'SOL' ? 'lamports' : 'token units';
  const paid = `claim ${signature} paid ${wallet} ${amount} ${unit} for token ${mint}`;
  const held = await holdClaimable(tx, claim);
  // From settlements first. The chain does not show the origin, and both amounts belong to the wallet.
  const settlement = least(held.settlement, amount);
  const referral = least(held.referral, amount - settlement);
  const volume = least(held.volume, amount - settlement - referral);
  const inserted = await tx
    .insert(claims)
    .values({
      ...claim,
      signature,
      referral,
      volume,
      transaction: bytes,
      blockhashSlot: slot,
      // Not known from the chain, and not needed for an ended claim.
      lastValidBlockHeight: 0,
      state: 'COMPLETED',
      problem: 'booked from the chain: the database lacked it',
    })
    .onConflictDoNothing()
    .returning({ signature: claims.signature });
  if (inserted.length === 0) return { state: 'booked', detail: `${paid}; the tables have it by now` };
  const missing = amount - settlement - referral - volume;
  const recovered = missing === 0n ? 0n : await coverMissing(tx, claim, { signature, slot, missing, paid });
  const short = missing - recovered;
  if (short > 0n && !repair) {
    throw new RefusedError(
      `${paid}, ${short} more than the tables owe it; run \`curvekit ledger reconcile --repair\`, which books the difference as a loss`,
    );
  }
  await postPaidClaim(tx, signature, claim, {
    claimable: { settlement, referral, volume },
    rest: recovered + short,
  });
  // As when the service ends a claim: an older balance does not include this payment.
  await tx.execute(sql`select ${treasuryPay({ asset: mint, referral, slot, volume })}`);
  const loss = short > 0n ? `; ${short} ${unit} are a loss: fund the treasury with the same amount` : '';
  return { state: 'booked', detail: `${paid}; booked${loss}` };
}

/**
 * Covers a claim from the amount that a recovered settlement owes to holders: the wallet was credited for it in tables that
 * were lost. First book all other credits of the wallet. @returns the covered amount
 */
async function coverMissing(
  tx: Transaction,
  claim: ClaimPayment,
  { signature, slot, missing, paid }: { signature: string; slot: number; missing: bigint; paid: string },
): Promise<bigint> {
  const { wallet, mint } = claim;
  const [open] = await tx
    .select({ signature: claims.signature })
    .from(claims)
    .where(and(eq(claims.wallet, wallet), eq(claims.mint, mint), eq(claims.state, 'IN_PROGRESS')));
  const more = `${paid}, ${missing} more than it can claim now`;
  if (open !== undefined) {
    throw new RefusedError(
      `${more}; its claim ${open.signature} has to end first, which the service sees to`,
    );
  }
  const behind = await indexLacks(tx, slot);
  if (behind !== undefined) throw new RefusedError(`${more}; ${behind}`);
  return takeFromRecovered(tx, { ...claim, signature }, missing);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
