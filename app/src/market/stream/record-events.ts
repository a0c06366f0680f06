// Records of the curve program as pages are told of them.
import { textOf, type NumberedRecord } from '../../indexer/records.js';
import type { Happened, MoveJson, TradeJson } from './publish.js';

type RecordOf<Kind extends NumberedRecord['kind']> = Extract<NumberedRecord, { kind: Kind }>;

/** Older records are history that is read later, such as by a back-fill: nobody waits for each of them. */
const LIVE_SECONDS = 600;

/** Records that pages are told of one by one, and whether there are others. */
export function liveRecords(records: readonly NumberedRecord[], nowMs: number) {
  const since = nowMs / 1_000 - LIVE_SECONDS;
  const live = records.filter(
    (record) => record.kind === 'unknown' || Number(record.data.timestamp) >= since,
  );
  return { live, hasOlder: live.length < records.length };
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
