// Updates the stored trades of one pool from the chain: removes trades that a reorg dropped, adds new ones, and marks
// finalized ones.
import { AMM, poolAfterSwap, type PoolState, type PoolSwap } from '@curvekit/sdk';
import { PublicKey, type Connection } from '@solana/web3.js';
import { type Database, statement, type Executor } from '../../db/database.js';
import { finalizePoolTrades, lockIds } from '../../index/trades/store.js';
import type { NodeHistory, Listed } from '../../index/node-history.js';
import { dropPoolTrades, storePoolTrades } from '../books/pool-trades.js';
import { askNode } from '../../chain/connection.js';
import { fromSwap, type PoolTrade, idOf, isFinal } from '../../index/trades/trade.js';
import { keepOpen, type OpenPool } from './open-pools.js';
import { sql } from 'drizzle-orm';

/** Maximum transactions whose trades are stored in one database transaction. */
const CHUNK = 200;
/** Maximum transactions whose swaps are cached, so that unfinalized ones are fetched once. */
const MOST_KEPT = 2_000;

/** A node may not list yet what another one has finalized. */
const NODES_APART_SLOTS = 32;

interface Swaps {
  readonly swaps: readonly PoolSwap[];
  /** Unix seconds. */
  readonly timestamp: number;
}

export interface PoolProgress {
  /** Whether trades after `completeTo` are stored. */
  readonly hasOpen: boolean;
  /** Every trade up to this finalized slot is stored, as far as the RPC nodes behind one address agree. */
  readonly completeTo: number;
  /** Whether the stored trades lead to the pool's current reserves. RPC nodes show changed accounts before they list the transactions. */
  readonly isCaughtUp: boolean;
}

export interface PoolParts {
  readonly database: Database;
  readonly connection: Connection;
  readonly historyOf: (address: string) => NodeHistory;
  readonly onDropped: (trades: number) => void;
}

export class PoolReader {
  readonly #history: NodeHistory;
  readonly #kept = new Map<string, Swaps>();

  constructor(
    private readonly parts: PoolParts,
    private readonly pool: OpenPool,
  ) {
    this.#history = parts.historyOf(pool.pool);
  }

  /**
   * @returns undefined when a reorg removed the pool's graduation
   * @throws NodeError, IncompleteTransactionError when the RPC node does not return what it lists; then nothing is stored
   */
  async read(signal: AbortSignal): Promise<PoolProgress | undefined> {
    const { database } = this.parts;
    // Read first: then every listed transaction at this slot or before it is final.
    const finalSlot = await this.#history.slot('finalized', signal);
    const stored = await storedTransactions(database.queries, this.pool.mint);
    const final = stored.filter(({ finalized }) => finalized).at(-1);
    const open = stored.filter(({ finalized }) => !finalized);
    const listed = await this.#listedSince(final ?? this.pool.opened, signal);
    const found = await this.#withSwaps(listed, signal);
    const agreed = open.findIndex(({ signature, slot }, index) => {
      const other = found[index];
      return other?.signature !== signature || other.slot !== slot;
    });
    const kept = agreed === -1 ? open : open.slice(0, agreed);
    const last = kept.at(-1) ?? final;
    const live = await this.#live();
    return this.#store(found.slice(kept.length), {
      drops: open[kept.length],
      live,
      before: last?.after ?? this.pool,
      finalSlot,
      signal,
    });
  }

  /** Successful transactions of the pool after a given one, oldest first. */
  async #listedSince(
    since: { readonly signature: string; readonly slot: number },
    signal: AbortSignal,
  ): Promise<Listed[]> {
    const listed: Listed[] = [];
    let until: string | undefined = since.signature;
    for (let before: string | undefined; ;) {
      const page = await this.#history.list({ until, before }, 'confirmed', signal);
      if (page === undefined) {
        // The RPC node pruned `until`, or a reorg removed `before`: list from the newest transaction down to the slot.
        if (until === undefined && before === undefined) return [];
        listed.length = 0;
        [until, before] = [undefined, undefined];
        continue;
      }
      listed.push(...page);
      if (this.#history.isLastPage(page, since.slot)) break;
      before = page.at(-1)!.signature;
    }
    // An RPC node that pruned `until` also lists older transactions.
    const known = await finalSignatures(this.parts.database.queries, this.pool.mint, since.slot);
    known.add(since.signature);
    return listed
      .filter(({ signature, slot, failed }) => !failed && slot >= since.slot && !known.has(signature))
      .reverse();
  }

  async #withSwaps(listed: readonly Listed[], signal: AbortSignal): Promise<(Listed & Swaps)[]> {
    const missing = listed.filter(({ signature }) => !this.#kept.has(signature));
    const addresses = AMM.addresses(new PublicKey(this.pool.pool), new PublicKey(this.pool.mint));
    const fetched = new Map<string, Swaps>();
    const settled = await this.#history.fetch(missing, 'confirmed', signal);
    for (const [index, one] of settled.entries()) {
      const { signature, slot, blockTime } = missing[index]!;
      // An unreadable transaction does not affect other trades, because the next trade shows the reserves.
      const swaps = one.kind === 'read' ? AMM.swaps(one.transaction, addresses) : [];
      const timestamp = swaps.length === 0 ? 0 : (blockTime ?? (await this.#timeOf(slot)));
      fetched.set(signature, { swaps, timestamp });
    }
    const all = listed.map((one) => ({
      ...one,
      ...(fetched.get(one.signature) ?? this.#kept.get(one.signature)!),
    }));
    this.#kept.clear();
    for (const { signature, swaps, timestamp } of all.slice(-MOST_KEPT))
      this.#kept.set(signature, { swaps, timestamp });
    return all.filter(({ swaps }) => swaps.length > 0);
  }

  async #timeOf(slot: number): Promise<number> {
    const time = await askNode(this.parts.connection.getBlockTime(slot));
    return time ?? Math.floor(Date.now() / 1_000);
  }

  /** The pool's current state; null when the RPC node has not reached the graduation. */
  async #live(): Promise<PoolState | null> {
    const addresses = AMM.addresses(new PublicKey(this.pool.pool), new PublicKey(this.pool.mint));
    const accounts = await askNode(
      this.parts.connection.getMultipleAccountsInfo(AMM.accounts(addresses), 'confirmed'),
    );
    return AMM.decode(addresses, accounts);
  }

  async #store(
    fresh: readonly (Listed & Swaps)[],
    {
      drops,
      live,
      before,
      finalSlot,
      signal,
    }: {
      readonly drops: StoredTransaction | undefined;
      readonly live: PoolState | null;
      /** Reserves before the first new trade. */
      readonly before: Reserves;
      readonly finalSlot: number;
      readonly signal: AbortSignal;
    },
  ): Promise<PoolProgress | undefined> {
    const { database, onDropped } = this.parts;
    const { mint } = this.pool;
    if (live === null) return { hasOpen: true, isCaughtUp: false, completeTo: -1 };
    // Uses the current fee rates.
    let pool: PoolState = { ...live, sol: before.sol, token: before.token };
    for (let start = 0; start === 0 || start < fresh.length; start += CHUNK) {
      signal.throwIfAborted();
      const trades: PoolTrade[] = [];
      for (const one of fresh.slice(start, start + CHUNK)) {
        for (const swap of one.swaps) {
          const after = poolAfterSwap(pool, swap);
          trades.push(fromSwap({ ...one, mint }, swap, pool, after));
          pool = after;
        }
      }
      const isOpen = await database.transaction(async (tx) => {
        await lockIds(tx);
        if (!(await keepOpen(tx, this.pool))) return false;
        if (start === 0 && drops !== undefined) onDropped(await dropPoolTrades(tx, mint, drops.firstId));
        await storePoolTrades(tx, trades, false);
        await finalizePoolTrades(tx, mint, finalSlot);
        return true;
      });
      if (!isOpen) return undefined;
    }
    const isCaughtUp = pool.sol === live.sol && pool.token === live.token;
    const stored = await storedTransactions(database.queries, mint);
    const completeTo = finalSlot - NODES_APART_SLOTS;
    return { hasOpen: stored.some(({ slot }) => slot > completeTo), isCaughtUp, completeTo };
  }
}

// The transactions of a pool whose trades are stored.

/** Tradable reserves of a pool. Lamports and token base units. */
interface Reserves {
  readonly sol: bigint;
  readonly token: bigint;
}

interface StoredTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly finalized: boolean;
  readonly firstId: bigint;
  /** Reserves after its last trade. */
  readonly after: Reserves;
}

/** The newest finalized transaction of a pool, and all unfinalized ones, oldest first. */
async function storedTransactions(db: Executor, mint: string): Promise<StoredTransaction[]> {
  const ofMint = sql`mint_id = ${idOf(sql`${mint}`)}`;
  const rows = await statement<
    Record<'signature' | 'slot' | 'first' | 'sol' | 'token', string> & { readonly finalized: boolean }
  >(db)`
    select signature, slot::text as slot, finalized, min(id)::text as first,
      (array_agg(virtual_sol::text order by id desc))[1] as sol,
      (array_agg(virtual_token::text order by id desc))[1] as token
    from (
      select *, ${isFinal('trades.id')} as finalized from trades where ${ofMint} and venue = 'pool' and id >= coalesce((
        select id from trades where ${ofMint} and venue = 'pool' and ${isFinal('trades.id')} order by id desc limit 1
      ), 0)
    ) newest
    group by signature, slot, finalized order by min(id)`;
  return rows.map(({ signature, slot, finalized, first, sol, token }) => ({
    signature,
    slot: Number(slot),
    finalized,
    firstId: BigInt(first),
    after: { sol: BigInt(sol), token: BigInt(token) },
  }));
}

/** Transactions of a slot that have finalized trades of a pool. */
async function finalSignatures(db: Executor, mint: string, slot: number): Promise<Set<string>> {
  const rows = await statement<{ signature: string }>(db)`
    select distinct signature from trades
    where mint_id = ${idOf(sql`${mint}`)} and venue = 'pool' and slot = ${slot} and ${isFinal('trades.id')}`;
  return new Set(rows.map(({ signature }) => signature));
}
