// Applies one log record to a curve's state. All code that rebuilds state from records uses it.
import { requireU64 } from '../checks/numbers.js';
import { requireObject } from '../checks/options.js';
import { CurveStatus } from '../curve/status.js';
import { GRADUATION_VIRTUAL_TOKEN } from '../generated/program.js';
import type { TradeRecord } from '../generated/records.js';
import type { RecordContent } from './record.js';

/** A curve's state according to its records. Lamports and smallest token units. */
export interface CurveReserves {
  readonly status: CurveStatus;
  /** Virtual SOL reserve after the last record. */
  readonly virtualSol: bigint;
  /** Virtual token reserve after the last record. */
  readonly virtualToken: bigint;
}

/** Totals of a token's trades. Lamports and smallest token units. */
export interface TradeTotals {
  readonly buys: number;
  readonly sells: number;
  /** Lamports that buyers have paid, fees included. */
  readonly solPaid: bigint;
  /** Lamports that sellers have received, after fees. */
  readonly solReceived: bigint;
  /** Token units bought. */
  readonly tokensBought: bigint;
  /** Token units sold back. */
  readonly tokensSold: bigint;
  /** Lamports of platform fees, from buys and sells. */
  readonly fees: bigint;
}

/** The result of applying a record. */
export interface FoldStep {
  /** Undefined while the creation is unknown. */
  readonly reserves: CurveReserves | undefined;
  /** Why the record does not match the state before it. Undefined when it does. */
  readonly gap: string | undefined;
}

/** The totals before the first trade. */
export const NO_TRADES: TradeTotals = /* @__PURE__ */ Object.freeze({
  buys: 0,
  sells: 0,
  solPaid: 0n,
  solReceived: 0n,
  tokensBought: 0n,
  tokensSold: 0n,
  fees: 0n,
});

/**
 * The state after a record. Records contain the resulting reserves, so the state is correct even after a gap.
 *
 * @param before undefined before a token's creation
 */
export function foldRecord(before: CurveReserves | undefined, record: RecordContent): FoldStep {
  requireRecord(record);
  if (record.kind === 'create') {
    const { virtualSol, virtualToken } = record.data;
    const gap = before === undefined ? undefined : 'it is created twice';
    return { reserves: { status: CurveStatus.Trading, virtualSol, virtualToken }, gap };
  }
  if (before === undefined) {
    return { reserves: undefined, gap: `a ${record.kind} comes before the creation` };
  }
  if (record.kind === 'migrate') {
    const { status, virtualSol, virtualToken } = before;
    const gap =
      status === CurveStatus.Finalized ? undefined : 'a migration comes before graduation, or twice';
    return { reserves: { status: CurveStatus.Migrated, virtualSol, virtualToken }, gap };
  }
  if (record.kind === 'graduate') {
    const gap =
      before.status === CurveStatus.Migrated ? undefined : 'a graduation comes before its migration';
    return { reserves: before, gap };
  }
  const { virtualSol, virtualToken, finalized } = record.data;
  const status = finalized ? CurveStatus.Finalized : CurveStatus.Trading;
  return { reserves: { status, virtualSol, virtualToken }, gap: gapBefore(record.data, before) };
}

/** The totals with one more trade. */
export function addTrade(totals: TradeTotals, trade: TradeRecord): TradeTotals {
  requireObject('totals', totals);
  requireObject('trade', trade);
  const { isBuy, solAmount, tokenAmount, fee } = trade;
  for (const [name, amount] of Object.entries({ solAmount, tokenAmount, fee }))
    requireU64(`trade.${name}`, amount);
  return {
    buys: totals.buys + (isBuy ? 1 : 0),
    sells: totals.sells + (isBuy ? 0 : 1),
    solPaid: totals.solPaid + (isBuy ? solAmount : 0n),
    solReceived: totals.solReceived + (isBuy ? 0n : solAmount),
    tokensBought: totals.tokensBought + (isBuy ? tokenAmount : 0n),
    tokensSold: totals.tokensSold + (isBuy ? 0n : tokenAmount),
    fees: totals.fees + fee,
  };
}

/** @throws InvalidArgumentError for a value that is not a record */
export function requireRecord(record: RecordContent): void {
  requireObject('record', record);
  requireObject('record.data', record.data);
}

/** Why a trade does not match the state before it. */
function gapBefore(trade: TradeRecord, before: CurveReserves): string | undefined {
  const { isBuy, solAmount, tokenAmount, fee, virtualSol, virtualToken, finalized } = trade;
  if (before.status !== CurveStatus.Trading) return 'a trade comes after trading has ended';
  const solAfter = before.virtualSol + (isBuy ? solAmount - fee : -(solAmount + fee));
  const tokenAfter = before.virtualToken + (isBuy ? -tokenAmount : tokenAmount);
  if (solAfter !== virtualSol || tokenAfter !== virtualToken) {
    return (
      `a trade leads to reserves of ${virtualSol} and ${virtualToken}, but from ${before.virtualSol} and ` +
      `${before.virtualToken} it leads to ${solAfter} and ${tokenAfter}`
    );
  }
  if (finalized !== (virtualToken === GRADUATION_VIRTUAL_TOKEN)) {
    return `a trade to ${virtualToken} units says that finalized is ${finalized}`;
  }
  return undefined;
}
