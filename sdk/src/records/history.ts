// Rebuilds a curve's state, fees and volumes from its log records alone.
import { requireObject } from '../checks/options.js';
import { InvalidArgumentError, RecordGapError } from '../errors/index.js';
import type { TokenOwnerData } from '../generated/accounts.js';
import type { GraduateRecord } from '../generated/graduation/records.js';
import type { CreateRecord, MigrateRecord } from '../generated/records.js';
import {
  addTrade,
  foldRecord,
  NO_TRADES,
  requireRecord,
  type CurveReserves,
  type TradeTotals,
} from './fold.js';
import type { RecordContent } from './record.js';

/** The totals of one token's records. Lamports and smallest token units. */
export interface CurveHistory extends CurveReserves, TradeTotals {
  /** The record of the creation. */
  readonly created: CreateRecord;
  /** Unix seconds of the last record. */
  readonly updatedAt: bigint;
  /** The record of the migration. Undefined before it. */
  readonly migrated: MigrateRecord | undefined;
  /** The record of the graduation, when the graduation program migrated the curve. */
  readonly graduated: GraduateRecord | undefined;
}

/**
 * Returns the history with one more record of the same token. Does not modify its argument.
 *
 * Each trade must lead from the reserves before it to its own reserves, so a missing record is detected at the next
 * one.
 *
 * @param history the history so far; undefined for a token's first record, its creation
 * @throws RecordGapError when the record does not match the history
 */
export function applyRecord(history: CurveHistory | undefined, record: RecordContent): CurveHistory {
  requireRecord(record);
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
 * The histories of all tokens, by mint in base58, from records in order.
 *
 * @throws RecordGapError when a record does not match the records before it
 */
export function rebuildHistories(records: Iterable<RecordContent>): Map<string, CurveHistory> {
  const histories = new Map<string, CurveHistory>();
  const given: unknown = records;
  if (
    typeof (Object(given) as Partial<Iterable<unknown>>)[Symbol.iterator] !== 'function' ||
    typeof given === 'string'
  )
    throw new InvalidArgumentError('records', 'must be a list of records');
  for (const record of records) {
    requireRecord(record);
    const mint = record.data.mint.toBase58();
    histories.set(mint, applyRecord(histories.get(mint), record));
  }
  return histories;
}

/** The expected content of the curve's account after these records. Compare it with {@link fetchTokenOwnerData}. */
export function expectedAccount(history: CurveHistory): TokenOwnerData {
  requireObject('history', history);
  const { created, status, virtualSol, virtualToken } = history;
  requireObject('history.created', created);
  return {
    initialized: status,
    virtualSol,
    virtualToken,
    afterMigrationFee: created.afterMigrationFee,
    afterMigrationBurnBp: created.burnBp,
  };
}
