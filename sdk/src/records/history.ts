// A curve's state, fees and volumes, rebuilt from its log records alone.
import { RecordGapError } from '../errors.js';
import { addTrade, foldRecord, NO_TRADES, type CurveReserves, type TradeTotals } from './fold.js';
import type { TokenOwnerData } from '../generated/accounts.js';
import type { GraduateRecord } from '../generated/graduation/records.js';
import type { CreateRecord, MigrateRecord } from '../generated/records.js';
import type { RecordContent } from './record.js';

/** What one token's records add up to. Lamports and smallest token units. */
export interface CurveHistory extends CurveReserves, TradeTotals {
  /** How it began. */
  readonly created: CreateRecord;
  /** Unix seconds of the last record. */
  readonly updatedAt: bigint;
  /** How it ended, once it is migrated. */
  readonly migrated: MigrateRecord | undefined;
  /** The pool it went to, where the graduation program migrated it. */
  readonly graduated: GraduateRecord | undefined;
}

/**
 * The history with one more record of the same token. Nothing is changed in place.
 *
 * Each trade must lead from the reserves before it to those it states, so a missing record shows at the next one.
 *
 * @param history what came before; undefined for a token's first record, its creation
 * @throws RecordGapError when the record does not follow
 */
export function applyRecord(history: CurveHistory | undefined, record: RecordContent): CurveHistory {
  const { reserves, gap } = foldRecord(history, record);
  if (gap !== undefined) throw new RecordGapError(record.data.mint.toBase58(), gap);
  const updatedAt = record.data.timestamp;
  if (record.kind === 'create') {
    const open = { migrated: undefined, graduated: undefined };
    return { ...NO_TRADES, ...reserves!, ...open, created: record.data, updatedAt };
  }
  const next = { ...history!, ...reserves!, updatedAt };
  if (record.kind === 'trade') return { ...next, ...addTrade(next, record.data) };
  return record.kind === 'migrate' ? { ...next, migrated: record.data } : { ...next, graduated: record.data };
}

/**
 * The histories of all tokens, by mint in base58, from records in the order they were made.
 *
 * @throws RecordGapError when a record does not follow from the ones before
 */
export function rebuildHistories(records: Iterable<RecordContent>): Map<string, CurveHistory> {
  const histories = new Map<string, CurveHistory>();
  for (const record of records) {
    const mint = record.data.mint.toBase58();
    histories.set(mint, applyRecord(histories.get(mint), record));
  }
  return histories;
}

/** What the curve's account must hold after these records: compare it with {@link fetchTokenOwnerData}. */
export function expectedAccount({ created, status, virtualSol, virtualToken }: CurveHistory): TokenOwnerData {
  return {
    initialized: status,
    virtualSol,
    virtualToken,
    afterMigrationFee: created.afterMigrationFee,
    afterMigrationBurnBp: created.burnBp,
  };
}
