// The outbox in the database: what is to be sent, and what became of it. Only the leader writes here.
import { sql } from 'drizzle-orm';
import { column, unnestable } from '../db/statements.js';
import { statement, type Executor, type Transaction } from '../db/database.js';
import { Tasks } from '../db/retries/tasks.js';

/** By endpoint and event: the first event of a subject that an endpoint did not take. Later ones of the subject wait behind it. */
export const sending = new Tasks('webhook');

/** Events of one endpoint that are read at once. */
const PAGE = 32;
/** An endpoint that leaves as many subjects waiting is down: it gets no new events until it takes one of them. */
const MOST_WAITING = 16;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 2 * 3_600_000;
/** How long an event is tried. */
const TRIED_MS = 86_400_000;
const KEPT = sql`interval '7 days'`;
const PRUNED_AT_ONCE = 10_000;

/** Whether the endpoint `e` gets the event `v`, which is its owner's. */
export const WANTED = sql`(v.endpoint_id = e.id or v.endpoint_id is null and (e.types is null or v.type = any(e.types)))`;
const OF_ENDPOINT = sql`t.kind = 'webhook' and t.subject > e.id || ' ' and t.subject < e.id || '!'`;
/** The tasks `t` of the endpoint `e`, and their events `v`. A subquery of one row keeps the plan from reading all events. */
export const WAITING = sql`tasks t cross join lateral (
  select v.* from webhook_events v where v.id = split_part(t.subject, ' ', 2) limit 1) v where ${OF_ENDPOINT}`;
/** Events `v` that the endpoint `e` has not taken: new ones, those that failed, and those that wait behind them. */
export const PENDING = sql`(
  select v.at from webhook_events v
  where v.partner_id = e.partner_id and v.position > e.cursor and ${WANTED}
  union all
  select v.at from webhook_events v where v.partner_id = e.partner_id and v.position is null and ${WANTED}
  union all
  select v.at from (select v.subject, v.position from ${WAITING}) w join webhook_events v
    on v.partner_id = e.partner_id and v.subject = w.subject and v.position between w.position and e.cursor and ${WANTED}
) pending`;

export interface WebhookEvent extends Record<string, unknown> {
  readonly id: string;
  readonly position: number;
  readonly type: string;
  readonly subject: string;
  /** JSON. */
  readonly data: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** Failed attempts; null for an event that is new to the endpoint. */
  readonly attempts: number | null;
}

/** What an endpoint gets next. */
export interface Round {
  readonly endpoint: string;
  readonly url: string;
  /** The newest first. */
  readonly secrets: readonly string[];
  /** When it was added or replayed, in Unix milliseconds. */
  readonly startedAt: number;
  readonly cursor: number;
  /** The cursor after the round. */
  readonly through: number;
  /** In order. Those that wait behind others are not among them. */
  readonly events: readonly WebhookEvent[];
}

/** What became of a round. */
export interface Outcome {
  readonly round: Round;
  readonly results: readonly { readonly event: WebhookEvent; readonly problem: string | undefined }[];
  /** The endpoint said that it does not exist any more. */
  readonly isGone: boolean;
}

/** Whether new events or replays wait to be taken over, or the time of an event has come. */
export async function hasNews(db: Executor, busy: readonly string[], now: Date): Promise<boolean> {
  const [row] = await statement<{ news: boolean }>(db)`
    select exists (select 1 from webhook_events where position is null)
      or exists (
        select 1 from webhook_endpoints e where e.id <> all(${column(busy, 'text')}) and (
          replay_from is not null
          or disabled_at is null and exists (
            select 1 from tasks t where ${OF_ENDPOINT} and t.due_at <= ${now.toISOString()}::timestamptz
          ))
      ) as news`;
  return row?.news === true;
}

/** Numbers new events in the order of commits, and starts replays of endpoints that are not busy. */
export async function takeNews(tx: Transaction, busy: readonly string[], now: Date): Promise<void> {
  await tx.execute(sql`
    update webhook_events v set position = fresh.place + greatest(
      (select max(position) from webhook_events), (select max(cursor) from webhook_endpoints), 0)
    from (select number, row_number() over (order by number) as place from webhook_events where position is null) fresh
    where v.number = fresh.number`);
  await tx.execute(sql`
    with started as (
      update webhook_endpoints e set cursor = replay_from - 1, replay_from = null, started_at = ${now.toISOString()}::timestamptz
      where replay_from is not null and e.id <> all(${column(busy, 'text')}) returning e.id, e.cursor
    ), forgotten as (
      delete from tasks t using started e where ${OF_ENDPOINT}
        and (select position from webhook_events v where v.id = split_part(t.subject, ' ', 2)) > e.cursor
    )
    delete from webhook_dead_letters d where d.endpoint_id = any(array(select id from started))
      and (select position from webhook_events v where v.id = d.event_id) > (select cursor from started e where e.id = d.endpoint_id)`);
}

interface RoundRow extends WebhookEvent, Omit<Round, 'through' | 'events'> {
  readonly wanted: boolean;
}

/** What endpoints that are not busy get next: new events, and those whose time to be tried again has come. */
export async function nextRounds(db: Executor, busy: readonly string[], now: Date): Promise<Round[]> {
  const fields = sql`v.id, v.position::float8 as position, v.type, v.subject, v.data,
    (extract(epoch from v.at) * 1000)::float8 as at`;
  const rows = await statement<RoundRow>(db)`
    select e.id as endpoint, e.url, e.cursor::float8 as cursor, (extract(epoch from e.started_at) * 1000)::float8 as "startedAt",
      array(select secret from webhook_secrets s where s.endpoint_id = e.id and (expires_at is null or expires_at > now())
        order by expires_at desc nulls first) as secrets, n.*
    from webhook_endpoints e
    cross join lateral (select array_agg(v.subject) as subjects from ${WAITING}) w
    cross join lateral (
      (select ${fields}, null::integer as attempts, ${WANTED} and not coalesce(v.subject = any(w.subjects), false) as wanted
        from webhook_events v
        where v.partner_id = e.partner_id and v.position > e.cursor and coalesce(cardinality(w.subjects), 0) < ${MOST_WAITING}
        order by v.position limit ${PAGE})
      union all
      (select ${fields}, t.attempts, true from ${WAITING} and t.due_at <= ${now.toISOString()}::timestamptz
        order by v.position limit ${PAGE})
    ) n
    where e.disabled_at is null and e.replay_from is null and e.id <> all(${column(busy, 'text')})
    order by e.id, n.position`;
  const rounds = new Map<
    string,
    { -readonly [Name in keyof Round]: Round[Name] } & { events: WebhookEvent[] }
  >();
  for (const { endpoint, url, cursor, startedAt, secrets, wanted, ...event } of rows) {
    const round = rounds.get(endpoint) ?? {
      endpoint,
      url,
      cursor,
      startedAt,
      secrets,
      through: cursor,
      events: [],
    };
    rounds.set(endpoint, round);
    round.through = Math.max(round.through, event.position);
    if (wanted) round.events.push(event);
  }
  return [...rounds.values()];
}

/** Stores what became of rounds. @returns events that were given up */
export async function settle(tx: Transaction, outcomes: readonly Outcome[], now: number): Promise<number> {
  if (outcomes.length === 0) return 0;
  const at = sql`${new Date(now).toISOString()}::timestamptz`;
  // An endpoint that was removed meanwhile is not among them.
  const stored = await statement<{ id: string }>(tx)`
    update webhook_endpoints e set cursor = o.through, disabled_at = case when o.gone then ${at} end
    from unnest(${unnestable(outcomes, {
      id: ['text', ({ round }) => round.endpoint],
      through: ['bigint', ({ round, isGone }) => (isGone ? round.cursor : round.through)],
      gone: ['boolean', ({ isGone }) => isGone],
    })}) as o(id, through, gone) where e.id = o.id returning e.id`;
  const known = new Set(stored.map(({ id }) => id));
  const results = outcomes.flatMap(({ round, results, isGone }) =>
    isGone || !known.has(round.endpoint) ? [] : results.map((result) => ({ ...result, round })),
  );
  const endpointOf = ({ round }: (typeof results)[number]) => round.endpoint;
  const taskOf = ({ round, event }: (typeof results)[number]) => `${round.endpoint} ${event.id}`;
  const isDead = ({ problem, event, round }: (typeof results)[number]) =>
    problem !== undefined && now - Math.max(event.at, round.startedAt) > TRIED_MS;
  const ended = results.filter((result) => result.problem === undefined || isDead(result));
  const dead = ended.filter(isDead);
  await sending.done(tx, ...ended.filter(({ event }) => event.attempts !== null).map(taskOf));
  if (dead.length > 0)
    await tx.execute(sql`
      insert into webhook_dead_letters (endpoint_id, event_id, problem, died_at) select *, ${at} from unnest(${unnestable(
        dead,
        {
          endpoint_id: ['text', endpointOf],
          event_id: ['text', ({ event }) => event.id],
          problem: ['text', ({ problem }) => problem!],
        },
      )}) on conflict do nothing`);
  for (const result of results) {
    if (result.problem === undefined || isDead(result)) continue;
    // Endpoints that went down together come back one after the other.
    const pauses = { firstMs: FIRST_PAUSE_MS * (0.75 + Math.random() / 2), longestMs: LONGEST_PAUSE_MS };
    await sending.postpone(tx, { subject: taskOf(result), problem: result.problem, now, pauses });
  }
  // What waited behind an event comes next.
  const behind = ended.filter(({ event, problem }) => event.attempts !== null || problem !== undefined);
  if (behind.length > 0)
    await tx.execute(sql`
      insert into tasks (kind, subject, attempts, due_at) select 'webhook', e.id || ' ' || n.id, 0, ${at}
      from unnest(${unnestable(behind, {
        endpoint: ['text', endpointOf],
        subject: ['text', ({ event }) => event.subject],
        position: ['bigint', ({ event }) => event.position],
      })}) as b(endpoint, subject, position)
      join webhook_endpoints e on e.id = b.endpoint
      cross join lateral (select v.id from webhook_events v where v.partner_id = e.partner_id and v.subject = b.subject
        and v.position > b.position and v.position <= e.cursor and ${WANTED} order by v.position limit 1) n
      on conflict do nothing`);
  // An endpoint that has come back takes the rest at once.
  const back = results.filter(({ event, problem }) => problem === undefined && (event.attempts ?? 0) > 0);
  if (back.length > 0)
    await tx.execute(sql`
      update tasks t set due_at = least(due_at, ${at}) from webhook_endpoints e
      where e.id = any(${column(back.map(endpointOf), 'text')}) and ${OF_ENDPOINT}`);
  return dead.length;
}

/** Deletes old events, expired secrets, and tasks of events or endpoints that are gone. */
export async function tidy(tx: Transaction): Promise<void> {
  await tx.execute(sql`delete from webhook_events where number in (
    select number from webhook_events where at < now() - ${KEPT} order by at limit ${PRUNED_AT_ONCE})`);
  await tx.execute(sql`delete from webhook_secrets where expires_at <= now()`);
  await tx.execute(sql`delete from tasks t where t.kind = 'webhook' and (
    (select e.id from webhook_endpoints e where e.id = split_part(t.subject, ' ', 1)) is null
    or (select v.id from webhook_events v where v.id = split_part(t.subject, ' ', 2)) is null)`);
}

/** Events that wait in all, and the age of the oldest in seconds: those that no job has numbered too. */
export async function undelivered(
  db: Executor,
): Promise<{ readonly waiting: number; readonly oldest: number }> {
  const [row] = await statement<{ waiting: number; oldest: number }>(db)`
    select count(*)::integer as waiting, coalesce(extract(epoch from now() - min(at)), 0)::float8 as oldest
    from webhook_endpoints e cross join lateral ${PENDING} where e.disabled_at is null`;
  return row!;
}

/** What became of an event: `problem` is null when the endpoint took it; undefined while nothing was tried. */
export async function fateOf(
  db: Executor,
  endpoint: string,
  event: string,
): Promise<{ readonly problem: string | null } | undefined> {
  const [row] = await statement<{ passed: boolean; problem: string | null }>(db)`
    select coalesce(v.position <= e.cursor, false) or e.disabled_at is not null as passed, coalesce(
      case when e.disabled_at is not null then 'it answered HTTP 410 and gets no events until a replay' end,
      (select problem from tasks where kind = 'webhook' and subject = e.id || ' ' || v.id),
      (select problem from webhook_dead_letters d where d.endpoint_id = e.id and d.event_id = v.id)) as problem
    from webhook_endpoints e, webhook_events v where e.id = ${endpoint} and v.id = ${event}`;
  return row?.passed === true ? { problem: row.problem } : undefined;
}
