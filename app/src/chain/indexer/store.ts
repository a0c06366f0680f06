// The indexer's SQL. Everything that writes takes part in a transaction begun by `advance`, which only the one indexer
// with the newest version of the state gets through: a deposed leader cannot write.
import { CurveStatus } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { column } from '../../db/arrays.js';
import { rowsOf, type Executor, type Transaction } from '../../db/database.js';
import type { CurveChange, CurveReserves } from './fold.js';
import type { IndexedTrade } from './hooks.js';
import type { Listed } from './node-history.js';
import { storableText, type NumberedRecord } from './records.js';

/** How far the indexer has read. */
export interface IndexerState {
  readonly version: bigint;
  /** The newest finalized transaction that was dealt with. */
  readonly cursor: { readonly signature: string; readonly slot: number } | undefined;
  /** Everything up to this slot is booked. */
  readonly scannedSlot: number | undefined;
  /** While a long gap is listed: the oldest transaction listed so far. */
  readonly listedTo: string | undefined;
  /** Whether a long gap is listed to its end, and waits in the backlog to be read. */
  readonly listed: boolean;
}

/** Thrown when another indexer has written since: it leads now. */
export class DeposedError extends Error {
  override readonly name = 'DeposedError';

  constructor() {
    super('another instance indexes now, or the index is being rebuilt');
  }
}

/** Thrown when the database holds the index of another program. */
export class WrongProgramError extends Error {
  override readonly name = 'WrongProgramError';
}

/** Reads the state, or begins one. @throws WrongProgramError when the database indexes another program */
export async function loadState(db: Executor, programId: string): Promise<IndexerState> {
  await db.execute(
    sql`insert into indexer_state (id, program_id) values (1, ${programId}) on conflict do nothing`,
  );
  const [row] = await rowsOf<Record<string, string | boolean | null>>(
    db,
    sql`select program_id, version::text as version, signature, slot::text as slot, scanned_slot::text as scanned_slot,
          listed_to, listed from indexer_state`,
  );
  if (row?.['program_id'] !== programId) {
    throw new WrongProgramError(
      `the database indexes program ${String(row?.['program_id'])}, not ${programId}; use another database, or set PROGRAM_ID`,
    );
  }
  const { version, signature, slot, scanned_slot: scanned, listed_to: listedTo, listed } = row;
  return {
    version: BigInt(version as string),
    cursor: signature === null ? undefined : { signature: signature as string, slot: Number(slot) },
    scannedSlot: scanned === null ? undefined : Number(scanned),
    listedTo: (listedTo as string | null) ?? undefined,
    listed: listed as boolean,
  };
}

/** What changes in the state; the rest stays. */
export type StateChange = Partial<Omit<IndexerState, 'version'>>;

/** Writes the next state. @throws DeposedError when `state` is not the newest one */
export async function advance(
  tx: Transaction,
  state: IndexerState,
  change: StateChange,
): Promise<IndexerState> {
  const next = { ...state, ...change, version: state.version + 1n };
  const rows = await rowsOf(
    tx,
    sql`update indexer_state set version = ${String(next.version)}::bigint, signature = ${next.cursor?.signature ?? null},
          slot = ${next.cursor?.slot ?? null}, scanned_slot = ${next.scannedSlot ?? null},
          listed_to = ${next.listedTo ?? null}, listed = ${next.listed}, updated_at = now()
        where version = ${String(state.version)}::bigint returning id`,
  );
  if (rows.length === 0) throw new DeposedError();
  return next;
}

/** Adds to the backlog, newest first as listed. */
export async function addToBacklog(tx: Transaction, listed: readonly Listed[]): Promise<void> {
  await tx.execute(sql`
    insert into indexer_backlog (signature, slot, failed)
    select signature, slot, failed from unnest(
      ${column(
        listed.map(({ signature }) => signature),
        'text',
      )}, ${column(
        listed.map(({ slot }) => slot),
        'bigint',
      )},
      ${column(
        listed.map(({ failed }) => failed),
        'boolean',
      )}
    ) with ordinality as listed(signature, slot, failed, position) order by position
  `);
}

/** A part of the backlog. */
export interface BacklogPart {
  /** Oldest first. */
  readonly listed: readonly Listed[];
  /** Names its last row: the part after this one is younger. */
  readonly youngest: bigint;
}

/** The oldest of the backlog that is younger than `youngerThan`; undefined when there is nothing left. */
export async function readBacklog(
  db: Executor,
  youngerThan: bigint | undefined,
  limit: number,
): Promise<BacklogPart | undefined> {
  const rows = await rowsOf<{ age: string; signature: string; slot: string; failed: boolean }>(
    db,
    sql`select age::text as age, signature, slot::text as slot, failed from indexer_backlog
        ${youngerThan === undefined ? sql`` : sql`where age < ${String(youngerThan)}::bigint`}
        order by indexer_backlog.age desc limit ${limit}`,
  );
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  return {
    listed: rows.map(({ signature, slot, failed }) => ({ signature, slot: Number(slot), failed })),
    youngest: BigInt(last.age),
  };
}

/** Takes out the backlog what is as old as `youngest` or older; all of it when undefined. */
export async function clearBacklog(tx: Transaction, youngest?: bigint): Promise<void> {
  await tx.execute(
    youngest === undefined
      ? sql`truncate indexer_backlog`
      : sql`delete from indexer_backlog where age >= ${String(youngest)}::bigint`,
  );
}

/** A transaction that has records in the tables. */
export interface StoredTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly finalized: boolean;
}

/** Which of these transactions have records. */
export async function storedAmong(
  db: Executor,
  signatures: readonly string[],
): Promise<Map<string, StoredTransaction>> {
  if (signatures.length === 0) return new Map();
  const rows = await rowsOf<{ signature: string; slot: string; finalized: boolean }>(
    db,
    sql`select distinct signature, slot::text as slot, finalized from records
        where signature = any(${column(signatures, 'text')})`,
  );
  return new Map(
    rows.map(({ signature, slot, finalized }) => [signature, { signature, slot: Number(slot), finalized }]),
  );
}

/** A transaction whose records are not finalized yet. */
export interface Preview {
  readonly signature: string;
  readonly slot: number;
  readonly firstId: bigint;
  readonly lastId: bigint;
}

/** The transactions that are not finalized yet, in order. */
export async function loadPreviews(db: Executor): Promise<Preview[]> {
  const rows = await rowsOf<Record<'signature' | 'slot' | 'first' | 'last', string>>(
    db,
    sql`select signature, slot::text as slot, min(id)::text as first, max(id)::text as last
        from records where not finalized group by signature, slot order by min(id)`,
  );
  return rows.map(({ signature, slot, first, last }) => ({
    signature,
    slot: Number(slot),
    firstId: BigInt(first),
    lastId: BigInt(last),
  }));
}

/** Ids for that many records; returns the first. */
export async function takeIds(tx: Transaction, count: number): Promise<bigint> {
  const [row] = await rowsOf<{ last: string }>(
    tx,
    sql`select setval('records_id_seq', nextval('records_id_seq') + ${count}::bigint - 1)::text as last`,
  );
  return BigInt(row!.last) - BigInt(count) + 1n;
}

/** The curves' states, of those among the mints that have one. */
export async function loadReserves(
  db: Executor,
  mints: readonly string[],
): Promise<Map<string, CurveReserves>> {
  const rows = await rowsOf<{ mint: string; status: number; virtual_sol: string; virtual_token: string }>(
    db,
    sql`select mint, status, virtual_sol::text as virtual_sol, virtual_token::text as virtual_token
        from curve_states where mint = any(${column(mints, 'text')})`,
  );
  return new Map(
    rows.map(({ mint, status, virtual_sol: sol, virtual_token: token }) => [
      mint,
      { status, virtualSol: BigInt(sol), virtualToken: BigInt(token) },
    ]),
  );
}

/** Stores records and what they say. */
export async function insertRecords(
  tx: Transaction,
  records: readonly NumberedRecord[],
  finalized: boolean,
): Promise<void> {
  if (records.length === 0) return;
  await tx.execute(sql`
    insert into records (id, signature, "outer", "inner", slot, kind, mint, finalized, raw)
    select id, signature, o, i, slot, kind, mint, ${finalized}, raw from unnest(
      ${column(
        records.map(({ id }) => id),
        'bigint',
      )}, ${column(
        records.map(({ signature }) => signature),
        'text',
      )},
      ${column(
        records.map(({ position }) => position.outer),
        'smallint',
      )},
      ${column(
        records.map(({ position }) => position.inner),
        'smallint',
      )},
      ${column(
        records.map(({ slot }) => slot),
        'bigint',
      )}, ${column(
        records.map(({ kind }) => kind),
        'text',
      )},
      ${column(
        records.map((r) => (r.kind === 'unknown' ? null : r.data.mint.toBase58())),
        'text',
      )},
      ${column(
        records.map((r) => (r.kind === 'unknown' ? Buffer.from(r.data).toString('base64') : null)),
        'text',
      )}
    ) as fresh(id, signature, o, i, slot, kind, mint, raw)
  `);
  await insertTokens(
    tx,
    records.filter((record) => record.kind === 'create'),
  );
  await insertTrades(
    tx,
    records.filter((record) => record.kind === 'trade'),
  );
  await insertMigrations(
    tx,
    records.filter((record) => record.kind === 'migrate'),
  );
}

async function insertTokens(
  tx: Transaction,
  records: readonly Extract<NumberedRecord, { kind: 'create' }>[],
): Promise<void> {
  if (records.length === 0) return;
  const data = records.map((record) => record.data);
  await tx.execute(sql`
    insert into tokens (mint, record_id, creator, curve, name, symbol, uri, after_migration_fee_bps, burn_bps,
      holders_bps, lp_bps, initial_virtual_sol, initial_virtual_token, platform_fee_bps, created_at)
    select * from unnest(
      ${column(
        data.map(({ mint }) => mint.toBase58()),
        'text',
      )}, ${column(
        records.map(({ id }) => id),
        'bigint',
      )},
      ${column(
        data.map(({ creator }) => creator.toBase58()),
        'text',
      )},
      ${column(
        data.map(({ tokenOwnerPda }) => tokenOwnerPda.toBase58()),
        'text',
      )},
      ${column(
        data.map(({ name }) => storableText(name)),
        'text',
      )},
      ${column(
        data.map(({ symbol }) => storableText(symbol)),
        'text',
      )},
      ${column(
        data.map(({ uri }) => storableText(uri)),
        'text',
      )},
      ${column(
        data.map(({ afterMigrationFee }) => afterMigrationFee),
        'integer',
      )},
      ${column(
        data.map(({ burnBp }) => burnBp),
        'integer',
      )}, ${column(
        data.map(({ holdersBp }) => holdersBp),
        'integer',
      )},
      ${column(
        data.map(({ lpBp }) => lpBp),
        'integer',
      )}, ${column(
        data.map(({ virtualSol }) => virtualSol),
        'numeric',
      )},
      ${column(
        data.map(({ virtualToken }) => virtualToken),
        'numeric',
      )},
      ${column(
        data.map(({ platformFeeBps }) => platformFeeBps),
        'integer',
      )},
      ${column(
        data.map(({ timestamp }) => timestamp),
        'bigint',
      )}
    )
  `);
}

async function insertTrades(
  tx: Transaction,
  records: readonly Extract<NumberedRecord, { kind: 'trade' }>[],
): Promise<void> {
  if (records.length === 0) return;
  const data = records.map((record) => record.data);
  await tx.execute(sql`
    insert into trades (record_id, mint, trader, is_buy, sol_amount, token_amount, fee, virtual_sol, virtual_token,
      graduated, timestamp)
    select * from unnest(
      ${column(
        records.map(({ id }) => id),
        'bigint',
      )}, ${column(
        data.map(({ mint }) => mint.toBase58()),
        'text',
      )},
      ${column(
        data.map(({ trader }) => trader.toBase58()),
        'text',
      )}, ${column(
        data.map(({ isBuy }) => isBuy),
        'boolean',
      )},
      ${column(
        data.map(({ solAmount }) => solAmount),
        'numeric',
      )},
      ${column(
        data.map(({ tokenAmount }) => tokenAmount),
        'numeric',
      )}, ${column(
        data.map(({ fee }) => fee),
        'numeric',
      )},
      ${column(
        data.map(({ virtualSol }) => virtualSol),
        'numeric',
      )},
      ${column(
        data.map(({ virtualToken }) => virtualToken),
        'numeric',
      )},
      ${column(
        data.map(({ finalized }) => finalized),
        'boolean',
      )}, ${column(
        data.map(({ timestamp }) => timestamp),
        'bigint',
      )}
    )
  `);
}

async function insertMigrations(
  tx: Transaction,
  records: readonly Extract<NumberedRecord, { kind: 'migrate' }>[],
): Promise<void> {
  if (records.length === 0) return;
  const data = records.map((record) => record.data);
  await tx.execute(sql`
    insert into curve_migrations (record_id, mint, fee_account, sol_amount, token_amount, timestamp)
    select * from unnest(
      ${column(
        records.map(({ id }) => id),
        'bigint',
      )}, ${column(
        data.map(({ mint }) => mint.toBase58()),
        'text',
      )},
      ${column(
        data.map(({ feeAccount }) => feeAccount.toBase58()),
        'text',
      )},
      ${column(
        data.map(({ solAmount }) => solAmount),
        'numeric',
      )},
      ${column(
        data.map(({ tokenAmount }) => tokenAmount),
        'numeric',
      )}, ${column(
        data.map(({ timestamp }) => timestamp),
        'bigint',
      )}
    )
  `);
}

/** Writes the curves' new states and adds to their totals. */
export async function applyChanges(tx: Transaction, changes: readonly CurveChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.execute(sql`
    insert into curve_states as state (mint, status, virtual_sol, virtual_token, buys, sells, sol_paid, sol_received,
      tokens_bought, tokens_sold, fees, last_record_id, updated_at)
    select * from unnest(
      ${column(
        changes.map(({ mint }) => mint),
        'text',
      )}, ${column(
        changes.map(({ status }) => status),
        'smallint',
      )},
      ${column(
        changes.map(({ virtualSol }) => virtualSol),
        'numeric',
      )},
      ${column(
        changes.map(({ virtualToken }) => virtualToken),
        'numeric',
      )},
      ${column(
        changes.map(({ buys }) => buys),
        'bigint',
      )}, ${column(
        changes.map(({ sells }) => sells),
        'bigint',
      )},
      ${column(
        changes.map(({ solPaid }) => solPaid),
        'numeric',
      )},
      ${column(
        changes.map(({ solReceived }) => solReceived),
        'numeric',
      )},
      ${column(
        changes.map(({ tokensBought }) => tokensBought),
        'numeric',
      )},
      ${column(
        changes.map(({ tokensSold }) => tokensSold),
        'numeric',
      )}, ${column(
        changes.map(({ fees }) => fees),
        'numeric',
      )},
      ${column(
        changes.map(({ lastRecordId }) => lastRecordId),
        'bigint',
      )},
      ${column(
        changes.map(({ updatedAt }) => updatedAt),
        'bigint',
      )}
    )
    on conflict (mint) do update set status = excluded.status, virtual_sol = excluded.virtual_sol,
      virtual_token = excluded.virtual_token, buys = state.buys + excluded.buys, sells = state.sells + excluded.sells,
      sol_paid = state.sol_paid + excluded.sol_paid, sol_received = state.sol_received + excluded.sol_received,
      tokens_bought = state.tokens_bought + excluded.tokens_bought, tokens_sold = state.tokens_sold + excluded.tokens_sold,
      fees = state.fees + excluded.fees, last_record_id = excluded.last_record_id, updated_at = excluded.updated_at
  `);
}

/** Makes the previews up to a record final; what was pending of them is no more. @returns their trades */
export async function finalizePreviews(tx: Transaction, lastId: bigint): Promise<IndexedTrade[]> {
  const last = sql`${String(lastId)}::bigint`;
  await tx.execute(sql`delete from pending_rewards where record_id <= ${last}`);
  const rows = await rowsOf<Record<string, string | number | boolean>>(
    tx,
    sql`with final as (
          update records set finalized = true where not finalized and id <= ${last} returning *
        )
        select r.id::text as id, r.signature, r."outer" as o, r."inner" as i, r.slot::text as slot, t.mint, t.trader, t.is_buy,
          t.sol_amount::text as sol, t.token_amount::text as token, t.fee::text as fee, t.timestamp::text as timestamp
        from final r join trades t on t.record_id = r.id order by r.id`,
  );
  return rows.map((row) => ({
    recordId: BigInt(row['id'] as string),
    signature: row['signature'] as string,
    outer: row['o'] as number,
    inner: row['i'] as number,
    slot: Number(row['slot']),
    mint: row['mint'] as string,
    trader: row['trader'] as string,
    isBuy: row['is_buy'] as boolean,
    solAmount: BigInt(row['sol'] as string),
    tokenAmount: BigInt(row['token'] as string),
    fee: BigInt(row['fee'] as string),
    timestamp: Number(row['timestamp']),
  }));
}

/**
 * Removes the previews from a record on: their fork has lost. The curves go back to the state after their last record
 * that stays.
 *
 * @returns how many records were removed
 */
export async function dropPreviews(tx: Transaction, firstId: bigint): Promise<number> {
  const first = sql`${String(firstId)}::bigint`;
  await tx.execute(sql`
    update curve_states s set
      buys = s.buys - gone.buys, sells = s.sells - gone.sells, sol_paid = s.sol_paid - gone.sol_paid,
      sol_received = s.sol_received - gone.sol_received, tokens_bought = s.tokens_bought - gone.tokens_bought,
      tokens_sold = s.tokens_sold - gone.tokens_sold, fees = s.fees - gone.fees
    from (
      select mint, count(*) filter (where is_buy) as buys, count(*) filter (where not is_buy) as sells,
        coalesce(sum(sol_amount) filter (where is_buy), 0) as sol_paid,
        coalesce(sum(sol_amount) filter (where not is_buy), 0) as sol_received,
        coalesce(sum(token_amount) filter (where is_buy), 0) as tokens_bought,
        coalesce(sum(token_amount) filter (where not is_buy), 0) as tokens_sold, sum(fee) as fees
      from trades where record_id >= ${first} group by mint
    ) gone where s.mint = gone.mint
  `);
  // A curve has a trade before any migration, and nothing but trades and one migration: its state after what stays is
  // that of its last trade, or of its creation.
  await tx.execute(sql`
    update curve_states s set
      status = case when last.graduated then ${CurveStatus.Finalized}::smallint else ${CurveStatus.Trading}::smallint end,
      virtual_sol = coalesce(last.virtual_sol, t.initial_virtual_sol),
      virtual_token = coalesce(last.virtual_token, t.initial_virtual_token),
      last_record_id = coalesce(last.record_id, t.record_id), updated_at = coalesce(last.timestamp, t.created_at)
    from tokens t left join lateral (
      select * from trades where trades.mint = t.mint and trades.record_id < ${first} order by trades.record_id desc limit 1
    ) last on true
    where s.mint = t.mint and s.last_record_id >= ${first}
  `);
  const [row] = await rowsOf<{ count: number }>(
    tx,
    sql`with gone as (delete from records where id >= ${first} and not finalized returning 1)
        select count(*)::integer as count from gone`,
  );
  return row!.count;
}
