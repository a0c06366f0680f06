// The board: sorted pages of tokens.
import { CurveStatus } from '@curvekit/sdk';
import { sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../db/database.js';
import { preparedRows } from '../../db/prepared.js';
import { searchable } from '../books/terms.js';
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
  /** Prefix of the name, the symbol or the mint, or the creator's whole address. */
  readonly q?: string | undefined;
  readonly after?: TokenPosition | undefined;
  readonly limit: number;
}

export async function tokenPage(db: Executor, query: TokensQuery) {
  const { sort, limit } = query;
  const rows = await preparedRows<TokenRow>(db, pageQuery(query));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next =
    rows.length > limit && last !== undefined
      ? encodeTokenCursor({ sort, mint: last.mint, value: String(last[COLUMNS[sort]]) })
      : null;
  return { items: page.map(summaryOf), next };
}

/** A hidden token has only its own page. No list includes it. */
const SHOWN = sql.raw('and not exists (select 1 from hidden_tokens h where h.mint = m.mint)');

function pageQuery({ sort, status, creator, q, after, limit }: TokensQuery): SQL {
  const key = sql.raw(`m.${COLUMNS[sort]}`);
  // Values of `new` are unique, and its index does not include the mint.
  const order = sort === 'new' ? sql`${key} desc` : sql`${key} desc, m.mint desc`;
  const beyond =
    after === undefined
      ? sql``
      : sort === 'new'
        ? sql`and ${key} < ${after.value}::numeric`
        : sql`and (${key}, m.mint) < (${after.value}::numeric, ${after.mint}::text)`;
  const from = (status: number) => sql`
    (select m.mint, ${key} as key from market_tokens m where m.status = ${sql.raw(String(status))} ${beyond} ${SHOWN}
      order by ${order} limit ${limit + 1})`;
  const wanted = status === undefined ? Object.values(CurveStatus) : [STATUSES.indexOf(status) + 1];
  const found =
    creator === undefined && q === undefined
      ? sql.join(wanted.map(from), sql` union all `)
      : sql`select m.mint, ${key} as key from market_tokens m where m.status in (${sql.raw(wanted.join(','))}) ${beyond} ${SHOWN}
          ${creatorCondition(creator)} ${searchCondition(q)}`;
  return sql`
    select ${TOKEN_COLUMNS} from (
        select * from (${found}) found order by key desc, mint desc limit ${limit + 1}
      ) page
      join market_tokens m on m.mint = page.mint join tokens t on t.mint = m.mint
    order by ${order}`;
}

function creatorCondition(creator: string | undefined): SQL {
  if (creator === undefined) return sql``;
  return sql`and m.mint in (select tokens.mint from tokens where tokens.creator = ${creator})`;
}

/** Sorts after every text with this prefix, because no text contains a larger character. */
const END = '\u{10FFFF}';

/** Any other text is not a prefix of an address, and the database may refuse it. */
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;
/** Characters of the shortest address. */
const ADDRESS_LENGTH = 32;

function searchCondition(q: string | undefined): SQL {
  if (q === undefined) return sql``;
  const term = searchable(q);
  const byTerm = sql`select token_terms.mint from token_terms where term >= ${term} and term < ${term + END}`;
  const byMint = sql`select tokens.mint from tokens where tokens.mint >= ${q} and tokens.mint < ${q + END}`;
  const byCreator = sql`select tokens.mint from tokens where tokens.creator = ${q}`;
  const found = [
    ...(term === '' ? [] : [byTerm]),
    ...(BASE58.test(q) ? [byMint] : []),
    ...(BASE58.test(q) && q.length >= ADDRESS_LENGTH ? [byCreator] : []),
  ];
  return found.length === 0 ? sql`and false` : sql`and m.mint in (${sql.join(found, sql` union `)})`;
}
