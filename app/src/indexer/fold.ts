// What a batch of records does to the curves: the state after its last record, and what to add to the totals.
import { addTrade, CurveStatus, type TradeTotals } from '@curvekit/sdk';
import { textOf, type NumberedRecord } from './records.js';

/** A curve's state. Lamports and smallest token units. */
export interface CurveReserves {
  readonly status: number;
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
}

/** What a batch does to one curve. */
export interface CurveChange extends CurveReserves, TradeTotals {
  readonly mint: string;
  readonly lastRecordId: bigint;
  /** Unix seconds. */
  readonly updatedAt: bigint;
}

/** A record that does not follow from the ones before: one is missing, or they are out of order. */
export interface Gap {
  readonly mint: string;
  readonly recordId: bigint;
}

const NOTHING = {
  buys: 0,
  sells: 0,
  solPaid: 0n,
  solReceived: 0n,
  tokensBought: 0n,
  tokensSold: 0n,
  fees: 0n,
};

/** Mints of the known records among these. */
export function mintsOf(records: readonly NumberedRecord[]): string[] {
  const mints = new Set<string>();
  for (const record of records) if (record.kind !== 'unknown') mints.add(textOf(record.data.mint));
  return [...mints];
}

/**
 * Folds records, in order, onto the states before them. Each record states the reserves after it, so a gap does not spoil
 * the state; it is reported. Records of a token whose creation is unknown change nothing but are reported.
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
    const state = change ?? before.get(mint);
    const base = { ...(change ?? NOTHING), mint, lastRecordId: record.id, updatedAt: record.data.timestamp };
    if (record.kind === 'create') {
      if (state !== undefined) gaps.push({ mint, recordId: record.id });
      const { virtualSol, virtualToken } = record.data;
      changes.set(mint, { ...base, status: CurveStatus.Trading, virtualSol, virtualToken });
      continue;
    }
    if (state === undefined) {
      gaps.push({ mint, recordId: record.id });
      continue;
    }
    if (record.kind === 'migrate') {
      if (state.status !== CurveStatus.Finalized) gaps.push({ mint, recordId: record.id });
      const { virtualSol, virtualToken } = state;
      changes.set(mint, { ...base, status: CurveStatus.Migrated, virtualSol, virtualToken });
      continue;
    }
    const { isBuy, solAmount, tokenAmount, fee, virtualSol, virtualToken, finalized } = record.data;
    const solBefore = virtualSol - (isBuy ? solAmount - fee : -(solAmount + fee));
    const tokenBefore = virtualToken + (isBuy ? tokenAmount : -tokenAmount);
    const follows =
      state.status === CurveStatus.Trading &&
      state.virtualSol === solBefore &&
      state.virtualToken === tokenBefore;
    if (!follows) gaps.push({ mint, recordId: record.id });
    changes.set(mint, {
      ...base,
      status: finalized ? CurveStatus.Finalized : CurveStatus.Trading,
      virtualSol,
      virtualToken,
      ...addTrade(base, record.data),
    });
  }
  return { changes: [...changes.values()], gaps };
}
