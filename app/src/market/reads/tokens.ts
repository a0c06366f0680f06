// The board: sorted pages of tokens.
import { CurveStatus } from '@curvekit/sdk';
import { sql, type SQL } from 'drizzle-orm';
import { rowsOf, type Executor } from '../../db/database.js';
import { column, preparedRows } from '../../db/statements.js';
import { idOf } from '../../index/trades/trade.js';
import { INSIDE, LEAST_INSIDE, searchable } from '../books/names.js';
import { encodeTokenCursor, type TokenPosition } from './cursor.js';
import { STATUSES, summaryOf, TOKEN_COLUMNS, type TokenRow, type TokenStatus } from './token-rows.js';

/** Sort orders of the board, largest first, and the column of `market_tokens` for each. */
const COLUMNS = {
  new: 'created_id',
  marketCap: 'market_cap',
  volume24h: 'day_volume',
  progress: 'progress_bps',
  lastTrade: 'last_trade_at',
} as const;

export type Sort = keyof typeof COLUMNS;
export const SORTS = Object.keys(COLUMNS) as [Sort, ...Sort[]];

export interface TokensQuery {
  readonly sort: Sort;
  readonly status?: TokenStatus | undefined;
  readonly creator?: string | undefined;
  /** Part of the name or the symbol, the beginning of the mint, or the creator's whole address. */
  readonly q?: string | undefined;
  /** Lamports, at least, in 24 hours. */
  readonly minVolume24h?: bigint | undefined;
  /** Unix seconds. */
  readonly createdFrom?: number | undefined;
  /** Only tokens of which the creator has sold none. */
  readonly creatorSold?: 'none' | undefined;
  readonly after?: TokenPosition | undefined;
  readonly limit: number;
}

export async function tokenPage(db: Executor, query: TokensQuery) {
  const { sort, limit } = query;
  const rows = await readerOf(query)<TokenRow>(db, pageQuery(query));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const end =
    rows.length > limit && last !== undefined
      ? { mint: last.mint, value: String(last[COLUMNS[sort]]) }
      : await lastRead(db, query);
  return { items: page.map(summaryOf), next: end === undefined ? null : encodeTokenCursor({ sort, ...end }) };
}

/** Only the common filters are prepared: with all of them, the texts would be more than a connection keeps. */
const readerOf = ({ minVolume24h, createdFrom, creatorSold }: TokensQuery) =>
  (minVolume24h ?? createdFrom ?? creatorSold) ? rowsOf : preparedRows;

/** The tokens with these addresses, in this order. */
export async function tokensNamed(db: Executor, mints: readonly string[]) {
  const rows = await preparedRows<TokenRow>(
    db,
    sql`select ${TOKEN_COLUMNS} from unnest(${column(mints, 'text')}) with ordinality as named (mint, place)
          cross join lateral (select * from market_tokens where market_tokens.mint = named.mint limit 1) m
          cross join lateral (select * from tokens where tokens.mint = named.mint limit 1) t
        where true ${SHOWN} order by named.place`,
  );
  return { items: rows.map(summaryOf), next: null };
}

/** Where the reading of a page with few tokens stopped. Undefined when it came to the end. */
async function lastRead(
  db: Executor,
  query: TokensQuery,
): Promise<{ readonly mint: string; readonly value: string } | undefined> {
  const filter = filterOf(query);
  if (filter === undefined) return undefined;
  const [row] = await readerOf(query)<{ mint: string; value: string }>(
    db,
    sql`select m.mint, m.key::text as value from (${inOrder(query)}) m where ${isMuch(filter)}
      order by m.key desc, m.mint desc offset ${sql.raw(String(MOST_READ - 1))} limit 1`,
  );
  return row;
}

/** A hidden token has only its own page. No list includes it. */
const SHOWN = sql.raw('and not exists (select 1 from hidden_tokens h where h.mint = m.mint)');

/**
 * Most tokens that are found by a filter and then sorted. A filter that more tokens pass is applied to the tokens in their
 * order instead.
 */
const MOST_SORTED = 5_000;
/** Most tokens that are read in their order for one page. Those that pass a filter can all be old, and a page then has few. */
export const MOST_READ = 50_000;

function pageQuery(query: TokensQuery): SQL {
  const { limit } = query;
  const filter = filterOf(query);
  const found =
    filter === undefined
      ? sql`select m.mint, m.key from (${inOrder(query, SHOWN, sql`${limit + 1}`)}) m`
      : filter.mints === undefined
        ? sql`select m.mint, m.key from (${inOrder(query)}) m where ${filter.holds} ${SHOWN}
            order by m.key desc, m.mint desc limit ${limit + 1}`
        : sql`with found as materialized (${candidatesOf(filter.mints)}), many as materialized (
            select count(*) > ${MOST_SORTED} as are from found
          )
          select m.mint, ${keyOf(query)} as key from (select distinct mint from found where not (select are from many)) f
            cross join lateral (
              select * from market_tokens where market_tokens.mint = f.mint limit 1
            ) m where m.status in (${sql.raw(wantedOf(query).join(','))}) ${beyond(query)} ${SHOWN} and ${filter.holds}
          union all (
            select m.mint, m.key from (${inOrder(query)}) m where (select are from many) ${SHOWN} and ${filter.holds}
            order by m.key desc, m.mint desc limit ${limit + 1}
          )`;
  return sql`
    select ${TOKEN_COLUMNS} from (
        select * from (${found}) found order by key desc, mint desc limit ${limit + 1}
      ) page
      cross join lateral (select * from market_tokens where market_tokens.mint = page.mint limit 1) m
      cross join lateral (select * from tokens where tokens.mint = page.mint limit 1) t
    order by ${orderOf(query)}`;
}

/** The sort value of a row `m` of `market_tokens`. */
const keyOf = ({ sort }: TokensQuery): SQL => sql.raw(`m.${COLUMNS[sort]}`);

/** Values of `new` are unique, and its index does not include the mint. */
const orderOf = (query: TokensQuery): SQL =>
  query.sort === 'new' ? sql`${keyOf(query)} desc` : sql`${keyOf(query)} desc, m.mint desc`;

const wantedOf = ({ status }: TokensQuery): readonly number[] =>
  status === undefined ? Object.values(CurveStatus) : [STATUSES.indexOf(status) + 1];

/** Rows after the last page's end. */
function beyond(query: TokensQuery): SQL {
  const { sort, after } = query;
  if (after === undefined) return sql``;
  return sort === 'new'
    ? sql`and ${keyOf(query)} < ${after.value}::numeric`
    : sql`and (${keyOf(query)}, m.mint) < (${after.value}::numeric, ${after.mint}::text)`;
}

/** Reads the order's index from its start, or from the last page's end: tokens and their sort values, in order. */
function inOrder(query: TokensQuery, more = sql``, limit = sql.raw(String(MOST_READ))): SQL {
  const parts = wantedOf(query).map(
    (one) => sql`
    (select m.mint, ${keyOf(query)} as key from market_tokens m where m.status = ${sql.raw(String(one))} ${beyond(query)} ${more}
      order by ${orderOf(query)} limit ${limit})`,
  );
  return sql`select * from (${sql.join(parts, sql` union all `)}) parts order by key desc, mint desc limit ${limit}`;
}

/** What a filter finds, at most one more than is sorted. */
const candidatesOf = (mints: NonNullable<Filter['mints']>): SQL =>
  sql`select mint from (${mints(MOST_SORTED + 1)}) candidates limit ${MOST_SORTED + 1}`;

/** Whether a filter finds more than is sorted. */
const isMuch = ({ mints }: Filter): SQL =>
  mints === undefined
    ? sql`true`
    : sql`(select count(*) > ${MOST_SORTED} from (${candidatesOf(mints)}) counted)`;

interface Filter {
  /** A query of the mints that pass, by an index that stops at the limit. Undefined where no index finds them. */
  readonly mints?: (limit: number) => SQL;
  /** Whether a row `m` of `market_tokens` passes. Subqueries of one row, which the planner does not turn into joins. */
  readonly holds: SQL;
}

function filterOf(query: TokensQuery): Filter | undefined {
  const { creator, q, minVolume24h, createdFrom, creatorSold } = query;
  const filters: Filter[] = [
    ...(creatorSold === undefined ? [] : [UNSOLD]),
    ...(minVolume24h === undefined ? [] : [volumeFilter(minVolume24h, wantedOf(query))]),
    ...(createdFrom === undefined ? [] : [ageFilter(createdFrom)]),
    ...(q === undefined ? [] : [searchFilter(q)]),
    ...(creator === undefined ? [] : [creatorFilter(creator)]),
  ];
  return (
    filters.at(-1) && {
      ...filters.at(-1),
      holds: sql.join(
        filters.map(({ holds }) => holds),
        sql` and `,
      ),
    }
  );
}

/** A creator's row of positions counts what it has sold; who has not traded has none. */
const UNSOLD: Filter = {
  holds: sql`coalesce((select p.sold = 0 from position_rows p
    where p.wallet_id = ${idOf(sql`(select tokens.creator from tokens where tokens.mint = m.mint)`)}
      and p.mint_id = ${idOf(sql`m.mint`)}), true)`,
};

function volumeFilter(least: bigint, statuses: readonly number[]): Filter {
  const enough = sql`day_volume >= ${String(least)}::numeric`;
  const of = (status: number, limit: number) =>
    sql`(select mint from market_tokens where status = ${sql.raw(String(status))} and ${enough} order by day_volume, mint limit ${limit})`;
  return {
    mints: (limit) =>
      sql.join(
        statuses.map((status) => of(status, limit)),
        sql` union all `,
      ),
    holds: sql`(select ${enough} from market_tokens x where x.mint = m.mint)`,
  };
}

function ageFilter(from: number): Filter {
  return {
    mints: (limit) =>
      sql`(select mint from tokens where created_at >= ${from}::bigint order by created_at desc limit ${limit})`,
    holds: sql`(select tokens.created_at >= ${from}::bigint from tokens where tokens.mint = m.mint)`,
  };
}

function creatorFilter(creator: string): Required<Filter> {
  return {
    mints: (limit) =>
      sql`(select mint from tokens where creator = ${creator} order by creator, record_id limit ${limit})`,
    holds: sql`(select tokens.creator = ${creator} from tokens where tokens.mint = m.mint)`,
  };
}

/** Sorts after every text with this prefix, because no text contains a larger character. */
const END = '\u{10FFFF}';

/** Any other text is not a prefix of an address, and the database may refuse it. */
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;
/** Characters of the shortest address. */
const ADDRESS_LENGTH = 32;

function termFilter(term: string): Required<Filter> {
  const isTerm = sql`term >= ${term} and term < ${term + END}`;
  return {
    mints: (limit) => sql`(select mint from token_terms where ${isTerm} order by term, mint limit ${limit})`,
    holds: sql`coalesce((select true from token_terms where token_terms.mint = m.mint and ${isTerm} limit 1), false)`,
  };
}

function searchFilter(q: string): Required<Filter> {
  const term = searchable(q);
  const found: Required<Filter>[] = [
    ...(term === '' ? [] : [termFilter(term)]),
    ...([...term].length < LEAST_INSIDE ? [] : [termFilter(INSIDE + term)]),
    ...(BASE58.test(q)
      ? [
          {
            mints: (limit: number) =>
              sql`(select mint from tokens where mint >= ${q} and mint < ${q + END} order by mint limit ${limit})`,
            holds: sql`(m.mint >= ${q} and m.mint < ${q + END})`,
          },
        ]
      : []),
    ...(BASE58.test(q) && q.length >= ADDRESS_LENGTH ? [creatorFilter(q)] : []),
  ];
  if (found.length === 0) return { mints: () => sql`select mint from tokens where false`, holds: sql`false` };
  return {
    mints: (limit) =>
      sql.join(
        found.map(({ mints }) => mints(limit)),
        sql` union all `,
      ),
    holds: sql`(${sql.join(
      found.map(({ holds }) => holds),
      sql` or `,
    )})`,
  };
}
