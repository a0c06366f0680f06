// Turns records of the curve program into events for pages.
import { textOf, type NumberedRecord } from '../../indexer/records.js';
import { byAge } from './age.js';
import type { Happened, MoveJson, TradeJson } from './publish.js';

type RecordOf<Kind extends NumberedRecord['kind']> = Extract<NumberedRecord, { kind: Kind }>;

/** The records that are recent enough for an event each, and whether older ones were omitted. */
export function liveRecords(records: readonly NumberedRecord[]) {
  return byAge(records, (record) => (record.kind === 'unknown' ? undefined : record.data.timestamp));
}

export function happenedIn(records: readonly NumberedRecord[], finalized: boolean): Happened {
  const moved = new Map<string, MoveJson>();
  for (const record of records) {
    if (record.kind !== 'migrate' && record.kind !== 'graduate') continue;
    const mint = textOf(record.data.mint);
    const pool = record.kind === 'graduate' ? textOf(record.data.pool) : (moved.get(mint)?.pool ?? null);
    moved.set(mint, { mint, signature: record.signature, pool });
  }
  return {
    created: records.flatMap((record) => (record.kind === 'create' ? [textOf(record.data.mint)] : [])),
    trades: records.flatMap((record) => (record.kind === 'trade' ? [tradeJson(record, finalized)] : [])),
    moved: [...moved.values()],
  };
}

function tradeJson({ id, signature, slot, data }: RecordOf<'trade'>, finalized: boolean): TradeJson {
  return {
    id: String(id),
    mint: textOf(data.mint),
    signature,
    slot,
    trader: textOf(data.trader),
    venue: 'curve',
    isBuy: data.isBuy,
    solAmount: String(data.solAmount),
    tokenAmount: String(data.tokenAmount),
    fee: String(data.fee),
    virtualSol: String(data.virtualSol),
    virtualToken: String(data.virtualToken),
    graduated: data.finalized,
    timestamp: Number(data.timestamp),
    finalized,
  };
}
