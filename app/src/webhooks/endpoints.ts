// Endpoints, as the operator's command line and the Partner API manage them. `partnerId` is the owner; OPERATOR for the operator.
import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { ExplainedError } from '../base/errors.js';
import { statement, type Database, type Executor } from '../db/database.js';
import { webhookEndpoints, webhookSecrets } from '../db/schema/index.js';
import { webhookTest } from './functions.js';
import { OPERATOR } from './events.js';
import { PENDING, WAITING, WANTED } from './outbox.js';

/** Endpoints of one partner. */
const MOST_ENDPOINTS = 10;
const ID_BYTES = 8;
const SECRET_BYTES = 32;
const LISTED_DEAD_LETTERS = 10;

export type WebhookRefusal =
  /** The owner has no such endpoint. */
  | 'endpoint'
  /** There is no such event of the owner, or no more. */
  | 'event'
  /** The partner has as many endpoints as it may have. */
  | 'limit';

/** The message says what to do. */
export class WebhookError extends ExplainedError {
  override readonly name = 'WebhookError';

  constructor(
    readonly refusal: WebhookRefusal,
    message: string,
  ) {
    super(message);
  }
}

export interface NewEndpoint {
  readonly partnerId: number;
  readonly url: string;
  /** All by default. */
  readonly types?: readonly string[] | undefined;
}

/** Adds an endpoint, which gets events from now on. The secret is shown this once. @throws WebhookError `limit` */
export async function addEndpoint(
  database: Database,
  { partnerId, url, types }: NewEndpoint,
): Promise<{ readonly id: string; readonly secret: string }> {
  const id = randomBytes(ID_BYTES).toString('hex');
  const secret = newSecret();
  await database.transaction(async (tx) => {
    const held = await statement(tx)`select 1 from webhook_endpoints where partner_id = ${partnerId}`;
    if (partnerId !== OPERATOR && held.length >= MOST_ENDPOINTS)
      throw new WebhookError('limit', `A partner has at most ${MOST_ENDPOINTS} webhooks; remove one first`);
    await tx.insert(webhookEndpoints).values({
      ...{ id, partnerId, url, startedAt: new Date() },
      types: types === undefined ? null : [...types],
      cursor: sql`(select coalesce(max(position), 0) from webhook_events)`,
    });
    await tx.insert(webhookSecrets).values({ endpointId: id, secret });
  });
  return { id, secret };
}

export interface ListedEndpoint extends Record<string, unknown> {
  readonly id: string;
  /** Name of the partner; null for the operator's. */
  readonly partner: string | null;
  readonly url: string;
  /** Null for all. */
  readonly types: string[] | null;
  readonly state: 'active' | 'disabled';
  /** Events that were not delivered yet. */
  readonly waiting: number;
  /** Events that were given up. */
  readonly dead: number;
  /** The newest of them. */
  readonly deadLetters: { event: string; type: string; diedAt: string; problem: string }[];
  /** Why the oldest event that waits was not taken. */
  readonly problem: string | null;
}

/** @param partnerId all owners by default */
export function listEndpoints(db: Executor, partnerId?: number): Promise<ListedEndpoint[]> {
  return statement<ListedEndpoint>(db)`
    select e.id, (select name from partners p where p.id = e.partner_id) as partner, e.url, e.types,
      case when e.disabled_at is null then 'active' else 'disabled' end as state,
      (select count(*)::integer from ${PENDING}) as waiting,
      (select t.problem from ${WAITING} and t.problem is not null order by v.position limit 1) as problem,
      (select count(*)::integer from webhook_dead_letters d where d.endpoint_id = e.id) as dead,
      coalesce((select json_agg(json_build_object('event', d.event_id,
          'type', (select type from webhook_events v where v.id = d.event_id), 'problem', d.problem,
          'diedAt', to_char(d.died_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by d.died_at desc, d.position desc) from (
        select d.*, (select position from webhook_events v where v.id = d.event_id) as position from webhook_dead_letters d
        where d.endpoint_id = e.id order by d.died_at desc, position desc limit ${LISTED_DEAD_LETTERS}) d), '[]') as "deadLetters"
    from webhook_endpoints e ${partnerId === undefined ? sql`` : sql`where e.partner_id = ${partnerId}`}
    order by e.partner_id, e.created_at, e.id`;
}

/** An endpoint, and its owner; undefined for any, as the operator's command line names them. */
export interface Named {
  readonly id: string;
  readonly partnerId?: number;
}

/** Makes a new secret. The one before signs too until the overlap ends; an older one ends now. @throws WebhookError `endpoint` */
export async function rotateSecret(
  database: Database,
  named: Named,
  overlapSeconds: number,
): Promise<string> {
  const secret = newSecret();
  await database.transaction(async (tx) => {
    // The lock serializes rotations.
    await requireOne(named, statement(tx)`select 1 from webhook_endpoints e where ${is(named)} for update`);
    await tx.execute(
      sql`update webhook_secrets set expires_at = now() where endpoint_id = ${named.id} and expires_at > now()`,
    );
    await tx.execute(sql`update webhook_secrets set expires_at = now() + ${overlapSeconds} * interval '1 second'
      where endpoint_id = ${named.id} and expires_at is null`);
    await tx.insert(webhookSecrets).values({ endpointId: named.id, secret });
  });
  return secret;
}

/**
 * Sends again from an event, or from a time, and enables the endpoint.
 *
 * @returns how many events that are
 * @throws WebhookError `endpoint`, `event`
 */
export async function replay(database: Database, named: Named, from: string | Date): Promise<number> {
  const position =
    typeof from === 'string'
      ? sql`(select v.position from webhook_events v where v.id = ${from} and v.partner_id = e.partner_id and ${WANTED})`
      : sql`coalesce((select min(v.position) from webhook_events v where v.at >= ${from.toISOString()}::timestamptz), e.cursor + 1)`;
  return database.transaction(async (tx) => {
    const [found] = await requireOne(
      named,
      statement<{ events: number | null }>(tx)`
        select case when f.position is not null then (select count(*)::integer from webhook_events v
          where v.partner_id = e.partner_id and v.position >= f.position and ${WANTED}) end as events
        from webhook_endpoints e cross join lateral (select ${position} as position) f where ${is(named)}`,
    );
    if (found!.events === null)
      throw new WebhookError(
        'event',
        `There is no event ${String(from)} for this webhook. Events are kept for 7 days`,
      );
    await tx.execute(
      sql`update webhook_endpoints e set replay_from = ${position}, disabled_at = null where ${is(named)}`,
    );
    return found!.events;
  });
}

/** Adds a test event. @returns its id @throws WebhookError `endpoint` */
export async function testEndpoint(database: Database, named: Named): Promise<string> {
  const [row] = await database.transaction((tx) =>
    requireOne(
      named,
      statement<{ id: string }>(
        tx,
      )`select ${webhookTest({ endpoint: named.id, partner: sql`e.partner_id` })} as id
        from webhook_endpoints e where ${is(named)}`,
    ),
  );
  return row!.id;
}

/** @throws WebhookError `endpoint` */
export async function removeEndpoint(database: Database, named: Named): Promise<void> {
  await database.transaction((tx) =>
    requireOne(named, statement(tx)`delete from webhook_endpoints e where ${is(named)} returning 1`),
  );
}

const is = ({ id, partnerId }: Named) =>
  sql`e.id = ${id} ${partnerId === undefined ? sql`` : sql`and e.partner_id = ${partnerId}`}`;

async function requireOne<Row>({ id }: Named, asked: Promise<Row[]>): Promise<Row[]> {
  const rows = await asked;
  if (rows.length === 0)
    throw new WebhookError('endpoint', `There is no webhook ${id.slice(0, 2 * ID_BYTES)}`);
  return rows;
}

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
