// Records of the SDK, as the indexer stores them.
import type { CurveRecord, UnknownRecord } from '@curvekit/sdk';
import { fromRecord, type Trade } from './trades/trade.js';

/** A record decoded by the SDK, from this version of the program or a later one. */
export type UnnumberedRecord = CurveRecord | UnknownRecord;

/** A record with its stored id. Ids grow in the order of the chain. */
export type NumberedRecord = UnnumberedRecord & { readonly id: bigint };

export type RecordOf<Kind extends NumberedRecord['kind']> = Extract<NumberedRecord, { kind: Kind }>;

export function tradesAmong(records: readonly NumberedRecord[], finalized: boolean): Trade[] {
  return records.flatMap((record) => (record.kind === 'trade' ? fromRecord(record, finalized) : []));
}

/** Replaces NUL, which names on chain may contain but text columns may not. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
