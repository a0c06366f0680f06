// What a wallet holds and has traded of each token, and the tokens that it created.
import { fetchMarket, positionOf, TOKEN_PROGRAM_ADDRESS, type CurveState, type Market } from '@curvekit/sdk';
import { PublicKey } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import pLimit from 'p-limit';
import { Cache } from '../../base/cached-value.js';
import type { Context } from '../../context.js';
import { preparedRows, column } from '../../db/statements.js';
import { askNode } from '../../chain/connection.js';
import { idOf } from '../../index/trades/trade.js';
import { worthOf } from '../books/sql.js';
import type { MarketConfig } from '../config.js';
import { identityOf, IDENTITY_COLUMNS, venueOf, type TokenRow } from './token-rows.js';
import { tokenPage } from './tokens.js';

/** Maximum tokens listed: those worth the most, and the newest created ones. */
const MOST_POSITIONS = 200;
const MOST_CREATED = 100;
const READS_AT_ONCE = 8;
/** A pool's fees change only when the AMM's admin changes its tier. Its reserves are those of the index. */
const POOL_FEES_MS = 60_000;
const MOST_POOLS = 1_000;
/** Mint, owner and amount: the beginning of a token account. web3.js passes on the slice, and its type does not have it. */
const TOKEN_ACCOUNT_START = { commitment: 'confirmed', dataSlice: { offset: 0, length: 72 } } as const;

type PositionRow = Readonly<
  Record<
    'mint' | 'name' | 'symbol' | 'traded' | 'paid' | 'received' | 'virtual_sol' | 'virtual_token',
    string
  >
> &
  Pick<TokenRow, 'hidden' | 'picture' | 'status' | 'has_pool'> & {
    /** Null without an answer of the node. */
    readonly amount: string | null;
  };

type Parts = Context & { readonly market: MarketConfig };

const WORTH = sql.raw(
  worthOf('greatest(coalesce(h.amount, p.amount), 0)', 'm.virtual_sol', 'm.virtual_token'),
);

export class WalletReader {
  readonly #limit = pLimit(READS_AT_ONCE);
  readonly #pools = new Cache<Market | null>(POOL_FEES_MS, MOST_POOLS);

  constructor(private readonly parts: Parts) {}

  async read(address: string) {
    const { database } = this.parts;
    // A wallet can hold tokens that it did not buy here, and send away what it bought: only the chain knows the amounts.
    const held = await this.#limit(() => this.#heldBy(address)).catch(() => undefined);
    const [rows, created] = await Promise.all([
      database.read((db) => preparedRows<PositionRow>(db, positionsOf(address, held))),
      database.read((db) => tokenPage(db, { sort: 'new', creator: address, limit: MOST_CREATED })),
    ]);
    return { tokens: await Promise.all(rows.map((row) => this.#positionOf(row))), created: created.items };
  }

  /** Token units by mint, of all token accounts of the wallet. @throws when the node does not answer */
  async #heldBy(address: string): Promise<Map<string, bigint>> {
    const { value } = await askNode(
      this.parts.connection.getTokenAccountsByOwner(
        new PublicKey(address),
        { programId: TOKEN_PROGRAM_ADDRESS },
        TOKEN_ACCOUNT_START,
      ),
    );
    const amounts = new Map<string, bigint>();
    for (const { account } of value) {
      const mint = new PublicKey(account.data.subarray(0, 32)).toBase58();
      const amount = account.data.readBigUInt64LE(64);
      if (amount > 0n) amounts.set(mint, (amounts.get(mint) ?? 0n) + amount);
    }
    return amounts;
  }

  async #positionOf(row: PositionRow) {
    const { mint, amount, paid, received, traded } = row;
    const shown = { mint, ...identityOf(row), venue: venueOf(row), traded, paid, received };
    const market = amount === null ? null : await this.#marketOf(row);
    if (amount === null) return { ...shown, amount, untraded: null, value: null, profit: null };
    const sums = { tokenAmount: BigInt(traded), paid: BigInt(paid), received: BigInt(received) };
    const untraded = BigInt(amount) - sums.tokenAmount;
    const { saleValue = null, profit = null } =
      market === null ? {} : positionOf(market, BigInt(amount), sums);
    const text = (value: bigint | null) => (value === null ? null : String(value));
    return { ...shown, amount, untraded: String(untraded), value: text(saleValue), profit: text(profit) };
  }

  /** The market by the reserves of the index; null when the node does not answer. */
  async #marketOf(row: PositionRow): Promise<CurveState | Market | null> {
    const [virtualSol, virtualToken] = [BigInt(row.virtual_sol), BigInt(row.virtual_token)];
    if (venueOf(row) !== 'pool') {
      const platformFeeBps = await this.parts.market.platformFeeBps().catch(() => undefined);
      if (platformFeeBps === undefined) return null;
      return { virtualSol, virtualToken, platformFeeBps, initialized: row.status };
    }
    const market = await this.#poolOf(row.mint).catch(() => null);
    if (market?.venue !== 'pool') return null;
    return { ...market, pool: { ...market.pool, sol: virtualSol, token: virtualToken } };
  }

  #poolOf(mint: string): Promise<Market | null> {
    const { connection, deployment } = this.parts;
    return this.#pools.get(mint, () =>
      this.#limit(() => fetchMarket(connection, new PublicKey(mint), { deployment })),
    );
  }
}

function positionsOf(address: string, held: ReadonlyMap<string, bigint> | undefined) {
  const mints = column([...(held?.keys() ?? [])], 'text');
  const amounts = column([...(held?.values() ?? [])], 'numeric');
  const missing = held === undefined ? sql`null::numeric` : sql`0::numeric`;
  return sql`
    with held as (select * from unnest(${mints}, ${amounts}) as h (mint, amount)),
      mine as (select mint, amount, paid, received from positions where wallet_id = ${idOf(sql`${address}::text`)})
    select t.mint, t.name, t.symbol, coalesce(h.amount, ${missing})::text as amount, coalesce(p.amount, 0)::text as traded,
      coalesce(p.paid, 0)::text as paid, coalesce(p.received, 0)::text as received, m.status,
      m.virtual_sol::text as virtual_sol, m.virtual_token::text as virtual_token,
      exists (select 1 from graduations g where g.mint = m.mint) as has_pool, ${IDENTITY_COLUMNS}
    from (select mint from held union select mint from mine) w
      join tokens t on t.mint = w.mint join market_tokens m on m.mint = w.mint
      left join held h on h.mint = w.mint left join mine p on p.mint = w.mint
    order by ${WORTH} desc, t.mint limit ${MOST_POSITIONS}`;
}
