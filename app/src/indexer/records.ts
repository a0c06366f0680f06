// Records as the SDK decodes them, as the tables hold them.
import type { PublicKey } from '@solana/web3.js';
import type { CurveRecord, UnknownRecord } from '@curvekit/sdk';
import type { IndexedTrade } from './hooks.js';

/** A record as the SDK decodes it, of this version of the program or a later one. */
export type UnnumberedRecord = CurveRecord | UnknownRecord;

/** A record with the id it is stored under, which grows in the chain's order. */
export type NumberedRecord = UnnumberedRecord & { readonly id: bigint };

/** The trades among records, as hooks see them. */
export function tradesAmong(records: readonly NumberedRecord[]): IndexedTrade[] {
  return records.flatMap((record) => {
    if (record.kind !== 'trade') return [];
    const { mint, trader, isBuy, solAmount, tokenAmount, fee, timestamp } = record.data;
    return {
      recordId: record.id,
      signature: record.signature,
      outer: record.position.outer,
      inner: record.position.inner,
      slot: record.slot,
      mint: textOf(mint),
      trader: textOf(trader),
      isBuy,
      solAmount,
      tokenAmount,
      fee,
      timestamp: Number(timestamp),
    };
  });
}

const texts = new WeakMap<PublicKey, string>();

/** A key in base58. Each is needed many times over while its record is stored, and takes a while to write. */
export function textOf(key: PublicKey): string {
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = key.toBase58();
  texts.set(key, text);
  return text;
}

/** Text as PostgreSQL can hold it: a name on chain may contain NUL, a text column may not. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
