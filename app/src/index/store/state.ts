// Progress of the index. Every write of the indexer starts with `advance`, which succeeds only for the newest version of
// the state. So a deposed leader cannot write.
import { sql } from 'drizzle-orm';
import { statement, type Executor, type Transaction, type Database } from '../../db/database.js';

export interface IndexerState {
  readonly version: bigint;
  /** The newest finalized transaction that was processed. */
  readonly cursor: { readonly signature: string; readonly slot: number } | undefined;
  /** Everything up to this slot is booked. */
  readonly scannedSlot: number | undefined;
  /** While a long gap is being listed: the oldest transaction listed so far. */
  readonly listedTo: string | undefined;
  /** Whether a long gap is fully listed and can be read from the backlog. */
  readonly listed: boolean;
  /** Slot of the program's oldest known transaction. It survives a reindex. */
  readonly firstSlot: number | undefined;
  /** Why booking is held; undefined while the RPC node's history is complete. */
  readonly held: string | undefined;
  /** Confirmed slots that the source has and that are not shown yet: more trades come than can be written. */
  readonly waitingSlots: number;
}

/** Another indexer has written since and is the leader now. */
export class DeposedError extends Error {
  override readonly name = 'DeposedError';

  constructor() {
    super('another instance indexes now, or the index is being rebuilt');
  }
}

/** The database has the index of another program. */
export class WrongProgramError extends Error {
  override readonly name = 'WrongProgramError';
}

/** Reads the state, or creates it. @throws WrongProgramError when the database indexes another program */
export async function loadState(db: Executor, programId: string): Promise<IndexerState> {
  await db.execute(
    sql`insert into indexer_state (id, program_id) values (1, ${programId}) on conflict do nothing`,
  );
  const [row] = await statement<Record<string, string | boolean | null>>(db)`
    select program_id, version::text as version, signature, slot::text as slot, scanned_slot::text as scanned_slot,
      listed_to, listed, first_slot::text as first_slot, held from indexer_state`;
  if (row?.['program_id'] !== programId) {
    throw new WrongProgramError(
      `the database indexes program ${String(row?.['program_id'])}, not ${programId}; use another database, or set PROGRAM_ID`,
    );
  }
  const { version, signature, slot, scanned_slot: scanned, listed_to: listedTo, listed } = row;
  const { first_slot: firstSlot, held } = row;
  return {
    version: BigInt(version as string),
    cursor: signature === null ? undefined : { signature: signature as string, slot: Number(slot) },
    scannedSlot: scanned === null ? undefined : Number(scanned),
    listedTo: (listedTo as string | null) ?? undefined,
    listed: listed as boolean,
    firstSlot: firstSlot === null ? undefined : Number(firstSlot),
    held: (held as string | null) ?? undefined,
    waitingSlots: 0,
  };
}

/** Fields of the state to change. */
export type StateChange = Partial<Omit<IndexerState, 'version'>>;

/** Writes the next state. @throws DeposedError when `state` is not the newest version */
export async function advance(
  tx: Transaction,
  state: IndexerState,
  change: StateChange,
): Promise<IndexerState> {
  const next = { ...state, ...change, version: state.version + 1n };
  const rows = await statement(tx)`
    update indexer_state set version = ${String(next.version)}::bigint, signature = ${next.cursor?.signature ?? null},
      slot = ${next.cursor?.slot ?? null}, scanned_slot = ${next.scannedSlot ?? null},
      listed_to = ${next.listedTo ?? null}, listed = ${next.listed}, first_slot = ${next.firstSlot ?? null},
      held = ${next.held ?? null}, waiting_slots = ${next.waitingSlots}, updated_at = now()
    where version = ${String(state.version)}::bigint returning id`;
  if (rows.length === 0) throw new DeposedError();
  return next;
}

/** Checks that `state` is the newest version, when there is nothing to write. @throws DeposedError when it is not */
export async function requireNewest(db: Executor, { version }: IndexerState): Promise<void> {
  const rows = await statement(db)`select id from indexer_state where version = ${String(version)}::bigint`;
  if (rows.length === 0) throw new DeposedError();
}

/** The newest slot in the index, confirmed or finalized; 0 without an index. */
export async function newestIndexedSlot(db: Executor): Promise<number> {
  const [row] = await statement<{ slot: string }>(db)`
    select greatest(0, (select scanned_slot from indexer_state),
      (select slot from other_records order by id desc limit 1),
      (select slot from trades order by id desc limit 1))::text as slot`;
  return Number(row?.slot ?? 0);
}

/**
 * Deletes everything derived from the chain, so that the indexer reads the program's history again. Rewards, claims, partners
 * and fetched metadata stay, and no trade is credited twice. A running indexer notices and starts over. Until it has finished,
 * reads are incomplete and `/ready` says so.
 */
export async function reindex(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    // Updates this row first: a running indexer has either written before, or will find that it is deposed.
    await tx.execute(sql`
      update indexer_state set version = version + 1, signature = null, slot = null, scanned_slot = null,
        listed_to = null, listed = false, held = null, mismatched_curves = 0,
        updated_at = now()
    `);
    await tx.execute(
      sql`truncate other_records, unfinalized, tokens, trade_rows, curve_migrations, graduations, curve_states, pending_rewards, indexer_backlog, indexer_anchors,
            unreadable_transactions, market_tokens, token_terms, token_names, candles, candle_hours, candle_days, position_rows`,
    );
    await tx.execute(sql`update market_state set rolled_to = 0, minutes_from = 0, pools_slot = null`);
    await tx.execute(sql`update volume_rewards set accrued = 0`);
  });
}
