// Turns records of the SDK into rows.
import type { PublicKey } from '@solana/web3.js';
import type { CurveRecord, UnknownRecord } from '@curvekit/sdk';
import type { IndexedTrade } from './hooks.js';

/** A record decoded by the SDK, from this version of the program or a later one. */
export type UnnumberedRecord = CurveRecord | UnknownRecord;

/** A record with its stored id. Ids grow in the order of the chain. */
export type NumberedRecord = UnnumberedRecord & { readonly id: bigint };

/** The trades among the records, in the form for hooks. */
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

/** Replaces NUL, which names on chain may contain but text columns may not. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
