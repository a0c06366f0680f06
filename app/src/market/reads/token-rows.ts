// Tokens as the API shows them.
import { CurveStatus, isVisible } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { picturePath } from '../../tokens/pictures/document.js';

const IDENTITY = `exists (select 1 from hidden_tokens h where h.mint = m.mint) as hidden,
  (select d.picture from token_metadata d where d.mint = m.mint) as picture`;
/** Columns that `identityOf` reads in addition to name and symbol, from a row `m` of `market_tokens`. */
export const IDENTITY_COLUMNS = sql.raw(IDENTITY);

/** Columns of a token, from rows `m` of `market_tokens` and `t` of `tokens`. Numbers wider than 32 bits are text. */
export const TOKEN_COLUMNS =
  sql.raw(`m.mint, t.name, t.symbol, t.creator, t.created_at::text as created_at, m.status,
  m.virtual_sol::text as virtual_sol, m.virtual_token::text as virtual_token,
  m.initial_virtual_token::text as initial_virtual_token, m.market_cap::text as market_cap, m.progress_bps,
  m.day_volume::text as day_volume, m.day_open::text as day_open, m.trades::text as trades,
  m.last_trade_at::text as last_trade_at, m.created_id::text as created_id,
  case when m.status = ${CurveStatus.Migrated} then (select true from graduations g where g.mint = m.mint) is not null
    else false end as has_pool,
  ${IDENTITY},
  not exists (select 1 from unfinalized u where u.id = m.last_id) as finalized`);

export type TokenRow = Readonly<
  Record<
    | 'mint'
    | 'name'
    | 'symbol'
    | 'creator'
    | 'created_at'
    | 'virtual_sol'
    | 'virtual_token'
    | 'initial_virtual_token'
    | 'market_cap'
    | 'day_volume'
    | 'day_open'
    | 'trades'
    | 'last_trade_at'
    | 'created_id',
    string
  >
> & {
  readonly status: number;
  readonly progress_bps: number;
  readonly has_pool: boolean;
  /** Hidden by the operator: the API shows nothing that its creator chose. */
  readonly hidden: boolean;
  readonly picture: string | null;
  readonly finalized: boolean;
};

export const STATUSES = ['trading', 'graduated', 'migrated'] as const;
export type TokenStatus = (typeof STATUSES)[number];
export const VENUES = ['curve', 'graduating', 'pool', 'unknown'] as const;

const BASIS_POINTS = 10_000n;

export function summaryOf(row: TokenRow) {
  const lastTradeAt = Number(row.last_trade_at);
  return {
    mint: row.mint,
    ...identityOf(row),
    creator: row.creator,
    createdAt: Number(row.created_at),
    status: STATUSES[row.status - 1]!,
    venue: venueOf(row),
    virtualSol: row.virtual_sol,
    virtualToken: row.virtual_token,
    initialVirtualToken: row.initial_virtual_token,
    marketCap: row.market_cap,
    progressBps: row.progress_bps,
    volume24h: row.day_volume,
    change24hBps: changeOf(row),
    trades: Number(row.trades),
    lastTradeAt: lastTradeAt === 0 ? null : lastTradeAt,
    finalized: row.finalized,
  };
}

export function identityOf({
  mint,
  name,
  symbol,
  hidden,
  picture,
}: Pick<TokenRow, 'mint' | 'name' | 'symbol' | 'hidden' | 'picture'>) {
  if (hidden) return { name: 'Hidden token', symbol: 'HIDDEN', image: null };
  const shown = (text: string) => (isVisible(text) ? text : `${mint.slice(0, 4)}…${mint.slice(-4)}`);
  return { name: shown(name), symbol: shown(symbol), image: picture === null ? null : picturePath(picture) };
}

export function venueOf({
  status,
  has_pool: hasPool,
}: Pick<TokenRow, 'status' | 'has_pool'>): (typeof VENUES)[number] {
  if (status === CurveStatus.Trading) return 'curve';
  if (status === CurveStatus.Finalized) return 'graduating';
  return hasPool ? 'pool' : 'unknown';
}

/** Change in basis points. Null for a token without a trade. */
function changeOf({ trades, market_cap: cap, day_open: open }: TokenRow): number | null {
  const before = BigInt(open);
  if (trades === '0' || before === 0n) return null;
  return Number(((BigInt(cap) - before) * BASIS_POINTS) / before);
}
