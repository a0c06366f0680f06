// Turns records of the SDK into rows.
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

/** A key in base58, cached: storing a record needs each key several times, and encoding is slow. */
export function textOf(key: PublicKey): string {
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = key.toBase58();
  texts.set(key, text);
  return text;
}

/** Text without NUL, which names on chain may contain and text columns may not. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
