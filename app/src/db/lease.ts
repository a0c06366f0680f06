// Leases in a table. A row has the holder, a fencing token and the end of the lease. When the lease or the holder's
// database session ends, another process can take it. The token makes late writes of the old holder fail.
import { sql, type SQL } from 'drizzle-orm';
import { DeposedError, statement, type Executor, type Fence, type Lease, type Queries } from './database.js';

/** How long a lease lasts without renewal. */
export const LEASE_MS = 11_000;
const RENEW_MS = 2_000;
/** A holder that gets no answer to its renewals stops this long before the lease ends. */
const GIVE_UP_MS = 1_000;
/**
 * The time that a lease must still last when a transaction commits. The database disconnects a frozen process after
 * `idle_in_transaction_session_timeout`, which is shorter, so that process can never commit after the lease has ended.
 */
export const FENCE_MARGIN_MS = 4_000;

/** Tokens come from the clock, so that a restored database never issues the token of an earlier holder again. */
const MICROSECONDS = sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`;

const milliseconds = (count: number): SQL => sql`${count} * interval '1 millisecond'`;

/** Takes a lease. Undefined while another process holds it. */
export async function takeLease(db: Executor, name: string, holder: string): Promise<Lease | undefined> {
  const askedAt = performance.now();
  const [row] = await statement<{ token: string }>(db)`
    insert into leases (name, holder, token, expires_at, session_pid, session_start)
    select ${name}, ${holder}, ${MICROSECONDS}, clock_timestamp() + ${milliseconds(LEASE_MS)}, pid, backend_start
    from pg_stat_activity where pid = pg_backend_pid()
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at,
      token = greatest(leases.token + 1, excluded.token), session_pid = excluded.session_pid,
      session_start = excluded.session_start
    where leases.expires_at <= clock_timestamp() or not exists (
      select 1 from pg_stat_activity where pid = leases.session_pid and backend_start = leases.session_start
    )
    returning token::text as token`;
  return row === undefined ? undefined : hold(db, { name, token: BigInt(row.token) }, askedAt);
}

/** SQL condition: none of the leases has another holder, and each lasts long enough for a commit. */
export function areHeld(fences: readonly Fence[]): SQL {
  if (fences.length === 0) return sql`true`;
  return sql.join(fences.map(isHeld), sql` and `);
}

function isHeld({ name, token }: Fence): SQL {
  return sql`exists (select 1 from leases where name = ${name} and token = ${String(token)}::bigint
    and expires_at > clock_timestamp() + ${milliseconds(FENCE_MARGIN_MS)})`;
}

/** @throws DeposedError when one of the leases may have another holder before the transaction commits */
export async function requireHeld(db: Executor, fences: readonly Fence[]): Promise<void> {
  const [row] = await statement<{ held: boolean }>(db)`select ${areHeld(fences)} as held`;
  if (row?.held !== true) throw new DeposedError();
}

/** Renews the lease until it is released or lost. */
function hold(db: Executor, fence: Fence, askedAt: number): Lease {
  const { name, token } = fence;
  const lost = new AbortController();
  const own = sql`name = ${name} and token = ${String(token)}::bigint`;
  let ends = askedAt + LEASE_MS;
  let timer: NodeJS.Timeout | undefined;
  let releasing: Promise<void> | undefined;

  async function renew(): Promise<void> {
    const renewedAt = performance.now();
    if (renewedAt >= ends - GIVE_UP_MS) return lost.abort();
    try {
      const rows = await statement(db)`
        update leases set expires_at = clock_timestamp() + ${milliseconds(LEASE_MS)},
          session_pid = pid, session_start = backend_start
        from pg_stat_activity
        where pid = pg_backend_pid() and ${own} and expires_at > clock_timestamp() returning 1 as renewed`;
      if (rows.length === 0) return lost.abort();
      ends = renewedAt + LEASE_MS;
    } catch {
      // The database is unavailable. The timer retries until the lease ends.
    }
    if (releasing === undefined) schedule();
  }

  function schedule(): void {
    timer = setTimeout(() => void renew(), RENEW_MS);
    timer.unref();
  }

  /** Stops the holder in time when a renewal gets no answer. */
  const watch = setInterval(() => {
    if (performance.now() >= ends - GIVE_UP_MS) lost.abort();
  }, RENEW_MS / 4);
  watch.unref();
  lost.signal.addEventListener('abort', () => {
    clearTimeout(timer);
    clearInterval(watch);
  });
  schedule();

  async function release(): Promise<void> {
    clearTimeout(timer);
    clearInterval(watch);
    lost.abort();
    // If this fails, the lease ends by itself.
    await db
      .execute(sql`update leases set expires_at = clock_timestamp() where ${own}`)
      .catch(() => undefined);
  }

  return { name, token, lost: lost.signal, release: () => (releasing ??= release()) };
}

// Read-only queries for the leader's jobs. Their writes must go through a transaction, which checks the lease.

const WRITES: ReadonlySet<string | symbol> = new Set(['insert', 'update', 'delete', 'transaction']);

/** A view of the queries whose writing methods throw. */
export function readingOnly(queries: Queries): Queries {
  return new Proxy(queries, {
    get(target, name, receiver) {
      if (WRITES.has(name)) {
        throw new Error(
          `a leader's queries only read: ${String(name)} belongs into a transaction, which checks the lease`,
        );
      }
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}
