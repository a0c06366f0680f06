// The gate of payments. It is in the database, so all instances and commands see the same state, and a restored database
// has its own.
import { sql } from 'drizzle-orm';
import type { Context } from '../../context.js';
import { statement, type Database, type Executor, type Transaction } from '../../db/database.js';
import type { WATCH_ROLES } from '../../db/schema/index.js';
import { databaseIncarnation, paymentsHeldText, paymentsOutdated } from './functions.js';
import { ExplainedError } from '../../base/errors.js';

/** Payments are held. The message says why, and what to do. */
export class PaymentsHeldError extends ExplainedError {
  override readonly name = 'PaymentsHeldError';

  constructor(readonly reason: string) {
    super(`payments are paused: ${reason}`);
  }
}

/** Why payments are held, in one line; undefined when they are open. */
export async function paymentsHeld(db: Executor): Promise<string | undefined> {
  const [row] = await statement<{ held: string | null }>(db)`select ${paymentsHeldText({})} as held`;
  return row?.held ?? undefined;
}

/** Call it in the transaction that stores a payment. @throws PaymentsHeldError while payments are held */
export async function requirePaymentsOpen(db: Executor): Promise<void> {
  const reason = await paymentsHeld(db);
  if (reason !== undefined) throw new PaymentsHeldError(reason);
}

export type WatchRole = (typeof WATCH_ROLES)[number];

/** An address whose transactions are read. */
export interface Watch {
  readonly address: string;
  readonly role: WatchRole;
  /** Every transaction up to this slot is reconciled. */
  readonly slot: number | undefined;
  readonly signature: string | undefined;
  /** Every transaction up to this slot is set aside or stored to be judged. At least `slot`. */
  readonly listed: Through | undefined;
  /** The listing in progress, from new to old: what it will have listed, and where it continues. */
  readonly listing: { readonly through: Through; readonly before: string } | undefined;
}

/** A slot, and the newest transaction up to it. */
export interface Through {
  readonly slot: number;
  readonly signature: string | undefined;
}

export interface Gate {
  /** Identity of the current database. */
  readonly present: string;
  /** Identity of the reconciled database. */
  readonly incarnation: string | null;
  readonly waitingIncarnation: string | null;
  readonly waitingHeight: number | undefined;
  readonly held: string | null;
  /** The finalized slot that the last pass read up to. It has a block. */
  readonly reconciledSlot: number | undefined;
  /** When the last pass ended, in Unix milliseconds of the database's clock. */
  readonly reconciledAt: number | undefined;
  /** Whether the last pass ended so long ago that payments closed by themselves. */
  readonly isOutdated: boolean;
}

/**
 * Registers the addresses of this instance's keys for reconciliation. A new address, or a new role of one, closes the gate
 * until its transactions are reconciled. An address keeps its earlier roles: payments may have been made in them.
 */
export async function watchOwnKeys({ config, database }: Context): Promise<void> {
  const own: [WatchRole, string | undefined][] = [
    ['treasury', config.treasury?.publicKey.toBase58()],
    ['dex owner', config.dexOwner?.publicKey.toBase58()],
  ];
  const known = await readWatches(database.queries);
  const unknown = own.flatMap(([role, address]) =>
    address === undefined || known.some((one) => one.address === address && one.role === role)
      ? []
      : [{ role, address }],
  );
  if (unknown.length === 0) return;
  await database.transaction(async (tx) => {
    for (const { role, address } of unknown) {
      const added = await statement(tx)`
        insert into payment_watches (address, role) values (${address}, ${role})
        on conflict do nothing returning address`;
      if (added.length === 0) continue;
      await tx.execute(sql`update payments_gate set incarnation = null`);
      // They were no payments in the roles known then. The first look at the new role judges them again.
      await tx.execute(
        sql`delete from payment_findings where state = 'other' and strpos(detail, ${address}) > 0`,
      );
    }
  });
}

export async function readWatches(db: Executor): Promise<Watch[]> {
  const rows = await statement<Record<string, string | null>>(db)`
    select address, role, signature, slot::text as slot, listed_signature, listed_slot::text as listed_slot,
      listing_signature, listing_slot::text as listing_slot, listing_before
    from payment_watches order by role, address`;
  return rows.map((row) => {
    const processed = throughOf(row['slot'], row['signature']);
    const listed = throughOf(row['listed_slot'], row['listed_signature']);
    const through = throughOf(row['listing_slot'], row['listing_signature']);
    const before = row['listing_before'] ?? undefined;
    return {
      address: row['address']!,
      role: row['role'] as WatchRole,
      slot: processed?.slot,
      signature: processed?.signature,
      // An instance of an earlier version moves only `slot`.
      listed: (listed?.slot ?? -1) >= (processed?.slot ?? -1) ? listed : processed,
      listing: through === undefined || before === undefined ? undefined : { through, before },
    };
  });
}

function throughOf(
  slot: string | null | undefined,
  signature: string | null | undefined,
): Through | undefined {
  return slot === null || slot === undefined
    ? undefined
    : { slot: Number(slot), signature: signature ?? undefined };
}

/** The database counts microseconds, of which a JS number keeps a little less. */
const ROUNDING_MS = 0.01;
const IN_MILLISECONDS = sql`(extract(epoch from reconciled_at) * 1000)::text`;
const isOutdated = paymentsOutdated({ at: sql`reconciled_at` });

export async function readGate(db: Executor): Promise<Gate> {
  const [row] = await statement<Record<string, string | null>>(db)`
    select ${databaseIncarnation({})} as present, incarnation, waiting_incarnation, waiting_height::text as height, held,
      reconciled_slot::text as slot, ${IN_MILLISECONDS} as at, ${isOutdated}::text as outdated
    from (select 1) one left join payments_gate on id = 1`;
  const [height, slot, at] = [row?.['height'] ?? null, row?.['slot'] ?? null, row?.['at'] ?? null];
  return {
    present: row?.['present'] ?? '',
    incarnation: row?.['incarnation'] ?? null,
    waitingIncarnation: row?.['waiting_incarnation'] ?? null,
    waitingHeight: height === null ? undefined : Number(height),
    held: row?.['held'] ?? null,
    reconciledSlot: slot === null ? undefined : Number(slot),
    reconciledAt: at === null ? undefined : Number(at),
    isOutdated: row?.['outdated'] === 'true',
  };
}

/**
 * Closes payments as after a restore: reconciliation must wait until every transaction signed before has landed or expired.
 */
export async function closeAsUnknown(database: Database): Promise<void> {
  await database.transaction((tx) =>
    tx.execute(
      sql`update payments_gate set incarnation = null, waiting_incarnation = null, waiting_height = null`,
    ),
  );
}

/**
 * Stores the finalized height at which every earlier transaction has expired. Only the first call for a database counts.
 */
export async function noteWait(database: Database, present: string, height: number): Promise<void> {
  await database.transaction((tx) =>
    tx.execute(sql`
      insert into payments_gate (id, waiting_incarnation, waiting_height) values (1, ${present}, ${height})
      on conflict (id) do update set waiting_incarnation = excluded.waiting_incarnation, waiting_height = excluded.waiting_height
      where payments_gate.waiting_incarnation is distinct from excluded.waiting_incarnation
    `),
  );
}

export interface Reconciled {
  readonly slot: number;
  /** The database that may make payments from now on; null while payments are held. */
  readonly incarnation: string | null;
  readonly held: string | null;
  readonly progress: string | null;
}

/**
 * Ends a pass. Addresses that it did not read keep the gate closed.
 *
 * @returns when, in Unix milliseconds of the database's clock
 */
export async function endPass(
  tx: Transaction,
  { slot, incarnation, held, progress }: Reconciled,
  watches: readonly Watch[],
): Promise<number> {
  for (const { address, role, listed } of watches) {
    if (listed === undefined) continue;
    await tx.execute(sql`
      update payment_watches set signature = ${listed.signature ?? null}, slot = ${listed.slot}
      where address = ${address} and role = ${role} and (slot is null or slot <= ${listed.slot}::bigint)
    `);
  }
  const [unread] = await statement<{ unread: boolean }>(tx)`
    select exists (select 1 from payment_watches where slot is null) as unread`;
  const opened = unread?.unread === true ? null : incarnation;
  // `now()` is the time when the transaction began: a pass that waits for another one would end before it.
  const [row] = await statement<{ at: string }>(tx)`
    insert into payments_gate (id, incarnation, reconciled_at, reconciled_slot, held, progress)
    values (1, ${opened}, clock_timestamp(), ${slot}, ${held}, ${progress})
    on conflict (id) do update set incarnation = excluded.incarnation, reconciled_at = clock_timestamp(),
      reconciled_slot = excluded.reconciled_slot, held = excluded.held, progress = excluded.progress, unread = null
    returning ${IN_MILLISECONDS} as at`;
  return Number(row?.at);
}

/** Stores why reconciliation cannot continue, or how many listed transactions it still has to read. */
export async function noteProgress(database: Database, progress: string, unread?: number): Promise<void> {
  await database.transaction((tx) =>
    tx.execute(sql`
      insert into payments_gate (id, progress, unread) values (1, ${progress}, ${unread ?? null})
      on conflict (id) do update set progress = excluded.progress, unread = excluded.unread
    `),
  );
}

/**
 * Ends a pass that has not read everything, of a database that certainly was not set back since the last pass: open payments
 * stay open. Everything that this database has signed is stored in it.
 *
 * @param endedAt when this process ended its last pass
 * @returns when, in Unix milliseconds of the database's clock; undefined when payments are not open
 */
export async function continuePass(
  database: Database,
  { endedAt, progress, unread }: { endedAt: number; progress: string; unread: number },
): Promise<number | undefined> {
  const [row] = await database.transaction(
    (tx) =>
      statement<{ at: string }>(tx)`
      update payments_gate set reconciled_at = clock_timestamp(), progress = ${progress}, unread = ${unread}
      where incarnation = ${databaseIncarnation({})} and not ${isOutdated}
        and extract(epoch from reconciled_at) * 1000 >= ${endedAt - ROUNDING_MS}::numeric
      returning ${IN_MILLISECONDS} as at`,
  );
  return row && Number(row.at);
}

/** What a reconciliation that is still reading says, in one line; undefined when it has read everything. */
export async function stillReading(db: Executor): Promise<string | undefined> {
  const [row] = await statement<{ progress: string | null }>(db)`
    select progress from payments_gate where unread is not null`;
  return row?.progress ?? undefined;
}
