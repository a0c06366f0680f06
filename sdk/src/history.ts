// A curve's state, fees and volumes, rebuilt from its log records alone.
import type { PublicKey } from '@solana/web3.js';
import { RecordGapError } from './errors.js';
import type { TokenOwnerData } from './generated/accounts.js';
import { GRADUATION_VIRTUAL_TOKEN } from './generated/program.js';
import type { CreateRecord, MigrateRecord, TradeRecord } from './generated/records.js';
import type { RecordContent } from './records.js';
import { CurveStatus } from './status.js';

/** What a token's trades add up to. Lamports and smallest token units. */
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
  /** Lamports of platform fees, of buys and sells. */
  readonly fees: bigint;
}

/** What one token's records add up to. Lamports and smallest token units. */
export interface CurveHistory extends TradeTotals {
  /** How it began. */
  readonly created: CreateRecord;
  readonly status: CurveStatus;
  /** Virtual SOL reserve after the last record. */
  readonly virtualSol: bigint;
  /** Virtual token reserve after the last record. */
  readonly virtualToken: bigint;
  /** Unix seconds of the last record. */
  readonly updatedAt: bigint;
  /** How it ended, once it is migrated. */
  readonly migrated: MigrateRecord | undefined;
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
  if (record.kind === 'create') return begin(history, record.data);
  if (history === undefined) throw gap(record.data.mint, `a ${record.kind} comes before the creation`);
  return record.kind === 'trade' ? trade(history, record.data) : migrate(history, record.data);
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

/** The totals with one more trade. */
export function addTrade(
  totals: TradeTotals,
  { isBuy, solAmount, tokenAmount, fee }: TradeRecord,
): TradeTotals {
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

function begin(history: CurveHistory | undefined, created: CreateRecord): CurveHistory {
  if (history !== undefined) throw gap(created.mint, 'it is created twice');
  return {
    created,
    status: CurveStatus.Trading,
    virtualSol: created.virtualSol,
    virtualToken: created.virtualToken,
    buys: 0,
    sells: 0,
    solPaid: 0n,
    solReceived: 0n,
    tokensBought: 0n,
    tokensSold: 0n,
    fees: 0n,
    updatedAt: created.timestamp,
    migrated: undefined,
  };
}

function trade(history: CurveHistory, record: TradeRecord): CurveHistory {
  const { mint, isBuy, solAmount, tokenAmount, fee, virtualSol, virtualToken, finalized, timestamp } = record;
  if (history.status !== CurveStatus.Trading) throw gap(mint, 'a trade comes after trading has ended');
  const solDelta = isBuy ? solAmount - fee : -(solAmount + fee);
  const tokenDelta = isBuy ? -tokenAmount : tokenAmount;
  if (history.virtualSol + solDelta !== virtualSol || history.virtualToken + tokenDelta !== virtualToken) {
    throw gap(
      mint,
      `a trade leads to reserves of ${virtualSol} and ${virtualToken}, but from ${history.virtualSol} and ` +
        `${history.virtualToken} it leads to ${history.virtualSol + solDelta} and ${history.virtualToken + tokenDelta}`,
    );
  }
  if (finalized !== (virtualToken === GRADUATION_VIRTUAL_TOKEN)) {
    throw gap(mint, `a trade to ${virtualToken} units says that finalized is ${finalized}`);
  }
  return {
    ...history,
    status: finalized ? CurveStatus.Finalized : CurveStatus.Trading,
    virtualSol,
    virtualToken,
    ...addTrade(history, record),
    updatedAt: timestamp,
  };
}

function migrate(history: CurveHistory, migrated: MigrateRecord): CurveHistory {
  if (history.status !== CurveStatus.Finalized)
    throw gap(migrated.mint, 'a migration comes before graduation, or twice');
  return { ...history, status: CurveStatus.Migrated, updatedAt: migrated.timestamp, migrated };
}

function gap(mint: PublicKey, problem: string): RecordGapError {
  return new RecordGapError(mint.toBase58(), problem);
}
