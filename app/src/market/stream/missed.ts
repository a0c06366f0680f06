// Finds the events that a client missed. Anyone may ask, from any id, so each read is bounded by an index.
import { sql, type SQL } from 'drizzle-orm';
import { column } from '../../db/arrays.js';
import { BOARD } from './topics.js';

export interface Missed {
  readonly after: bigint;
  readonly upTo: bigint;
  /** Maximum ids. Each topic reads at most as many rows of its index. */
  readonly most: number;
}

/** A query of the ids of the topics' oldest missed events, like `topicsOf`. */
export function missedIds(topics: readonly string[], { after, upTo, most }: Missed): SQL {
  const [from, to] = [sql`${String(after)}::bigint`, sql`${String(upTo)}::bigint`];
  // Pairs are compared, because only the index of the name has their order. With `name = … order by id`, the planner may
  // read all events by their ids, for a name that has none.
  const ofEach = (kind: string, name: SQL) => sql`
    select found.id from unnest(${column(named(topics, kind), 'text')}) as asked (name)
      cross join lateral (
        select id from market_events
        where ${name} is not null and (${name}, id) > (asked.name, ${from}) and (${name}, id) <= (asked.name, ${to})
        order by ${name}, id limit ${most}
      ) as found`;
  // The board has these too: they concern every topic.
  const ofAll = topics.includes(BOARD) ? sql`type <> 'trade'` : sql`type in ('dropped', 'reset')`;
  return sql`
    select id from (
      ${ofEach('token', sql`mint`)}
      union ${ofEach('wallet', sql`wallet`)}
      union (select id from market_events where ${ofAll} and id > ${from} and id <= ${to} order by id limit ${most})
    ) as missed order by id limit ${most}`;
}

function named(topics: readonly string[], kind: string): string[] {
  const prefix = `${kind}:`;
  return topics.filter((topic) => topic.startsWith(prefix)).map((topic) => topic.slice(prefix.length));
}
