// Books a payment that the tables lack, or says why it cannot be booked. Each booking is one transaction and idempotent.
import { sql } from 'drizzle-orm';
import type { Transaction } from '../db/database.js';
import { bookFunding } from '../graduation/funding/fund-referrals.js';
import { bookClaim } from './book-claim.js';
import { bookSettlement } from './book-settlement.js';
import { RefusedError, type Booked, type BookingOptions, type Landed } from './booked.js';
import type { ClaimPayment } from './claim-payment.js';
import { recordFinding } from './findings.js';
import type { Taking } from './settlement-payment.js';

/** Key of an advisory lock: one payment is booked at a time. */
const LOCK = 7_201;

export type Payment =
  | { readonly kind: 'claim'; readonly claim: ClaimPayment }
  | { readonly kind: 'settlement'; readonly mint: string | undefined; readonly taking: Taking }
  /** Lamports that the fee receiver sent to a treasury. They back rewards. */
  | { readonly kind: 'funding'; readonly amount: bigint };

/** Books a payment, or records it as open when it cannot be booked. */
export async function book(payment: Payment, landed: Landed, options: BookingOptions): Promise<Booked> {
  const { database } = options;
  const { signature, slot } = landed.transaction;
  const { kind } = payment;
  try {
    return await database.transaction(async (tx) => {
      // Another reconciler, such as a command, must see this booking before it checks.
      await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${signature}))`);
      const booked = await bookIn(tx, payment, landed, options);
      await recordFinding(tx, { signature, slot, kind, ...booked });
      return booked;
    });
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const open: Booked = { state: 'open', detail: error.message };
    await database.transaction((tx) => recordFinding(tx, { signature, slot, kind, ...open }));
    return open;
  }
}

function bookIn(tx: Transaction, payment: Payment, landed: Landed, options: BookingOptions): Promise<Booked> {
  switch (payment.kind) {
    case 'claim':
      return bookClaim(tx, payment.claim, landed, options);
    case 'settlement':
      return bookSettlement(tx, payment, landed, options);
    case 'funding':
      return bookFees(tx, payment.amount, landed);
  }
}

async function bookFees(
  tx: Transaction,
  amount: bigint,
  { transaction: { signature, slot } }: Landed,
): Promise<Booked> {
  await bookFunding(tx, { signature, amount, slot });
  const detail = `transaction ${signature} moved ${amount} lamports of fees to the treasury: they back rewards`;
  return { state: 'booked', detail };
}
