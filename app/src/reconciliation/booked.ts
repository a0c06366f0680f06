// Shared by all bookings.
import { statement, type Database, type Transaction } from '../db/database.js';
import type { ChainTransaction } from './chain-transaction.js';

export interface Landed {
  readonly transaction: ChainTransaction;
  /** The bytes of the transaction, in base64. */
  readonly bytes: string;
}

export interface BookingOptions {
  readonly database: Database;
  readonly treasuries: ReadonlySet<string>;
  /** Also books payments that are otherwise refused. The operator bears the amount that no wallet was credited for. */
  readonly repair: boolean;
}

export interface Booked {
  readonly state: 'booked' | 'accepted' | 'open';
  readonly detail: string;
}

/** Rolls the transaction back. */
export class RefusedError extends Error {}

/** Why the index cannot judge a payment yet; undefined when it has everything up to the payment's slot. */
export async function indexLacks(tx: Transaction, slot: number): Promise<string | undefined> {
  const [row] = await statement<{ scanned: string | null }>(tx)`
    select scanned_slot::text as scanned from indexer_state`;
  const scanned = row?.scanned ?? null;
  if (scanned !== null && Number(scanned) >= slot) return undefined;
  return `the index has read ${scanned === null ? 'nothing' : `up to slot ${scanned}`} and the payment is of slot ${slot}: it is judged when the index is there (INDEXER=on)`;
}
