// Applies a batch of records to the curves: the state after the last record, and the additions to the totals.
import { addTrade, foldRecord, NO_TRADES, type CurveReserves, type TradeTotals } from '@curvekit/sdk';
import { textOf } from './trades/key-text.js';
import type { NumberedRecord } from './records.js';

export interface CurveChange extends CurveReserves, TradeTotals {
  readonly mint: string;
  readonly lastRecordId: bigint;
  /** Unix seconds. */
  readonly updatedAt: bigint;
}

/** A record that does not continue the state of earlier records: a record is missing, or the order is wrong. */
export interface Gap {
  readonly mint: string;
  readonly recordId: bigint;
}

/** Mints of these records; unknown records have none. */
export function mintsOf(records: readonly NumberedRecord[]): string[] {
  const mints = new Set<string>();
  for (const record of records) if (record.kind !== 'unknown') mints.add(textOf(record.data.mint));
  return [...mints];
}

/**
 * Applies records, in order, to the earlier states. A gap is reported and does not corrupt the state. Records of a token
 * whose creation is unknown are reported and change nothing.
 */
export function fold(
  before: ReadonlyMap<string, CurveReserves>,
  records: readonly NumberedRecord[],
): { readonly changes: CurveChange[]; readonly gaps: Gap[] } {
  const changes = new Map<string, CurveChange>();
  const gaps: Gap[] = [];
  for (const record of records) {
    if (record.kind === 'unknown') continue;
    const mint = textOf(record.data.mint);
    const change = changes.get(mint);
    const { reserves, gap } = foldRecord(change ?? before.get(mint), record);
    if (gap !== undefined) gaps.push({ mint, recordId: record.id });
    if (reserves === undefined) continue;
    const totals = change ?? NO_TRADES;
    changes.set(mint, {
      ...totals,
      ...(record.kind === 'trade' ? addTrade(totals, record.data) : {}),
      ...reserves,
      mint,
      lastRecordId: record.id,
      updatedAt: record.data.timestamp,
    });
  }
  return { changes: [...changes.values()], gaps };
}
