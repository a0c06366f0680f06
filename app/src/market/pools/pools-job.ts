// Indexes the trades of graduated tokens' pools, on one instance at a time.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pLimit from 'p-limit';
import { Backoff, AMM } from '@curvekit/sdk';
import type { Context } from '../../context.js';
import type { Database } from '../../db/database.js';
import { NodeHistory } from '../../index/node-history.js';
import { leaderJob, type Step, type Job } from '../../db/jobs/leader-job.js';
import { shownMessage } from '../../base/logging/logged-error.js';
import { Tasks } from '../../db/retries/tasks.js';
import { lastSlot } from '../listing/blocks.js';
import { poolsOpenedAfter, type OpenPool } from './open-pools.js';
import { PoolReader } from './read-pool.js';
import { PublicKey, type Connection } from '@solana/web3.js';
import { BoundedMap } from '../../base/bounded-map.js';
import { askNode } from '../../chain/connection.js';

const AT_ONCE = 4;
/** A leader that starts reads the pools of all graduated tokens. */
const OPENED_PER_QUERY = 1_000;
/** How often unfinalized trades are read again. */
const FINALITY_MS = 2_000;
/** How often a pool is read without a changed vault: two trades can cancel each other out. */
const ANYWAY_MS = 60_000;
/** After a failure, and while trades are left to read. */
const PAUSES = { firstMs: 50, longestMs: 60_000 };

/** By token. */
const reading = new Tasks('pool');

interface Followed {
  pool: OpenPool;
  reader: PoolReader;
  readAgainAt: number;
  backoff: Backoff;
  /** Every trade up to this finalized slot is stored. */
  completeTo: number;
  /** Whether reading it failed last time. */
  isWaiting: boolean;
}

/** Indexes the trades of every pool that a graduation opened. */
export function createPoolsJob(context: Context): Job {
  const { database, logger } = context;
  return leaderJob({
    name: 'pools',
    database,
    logger,
    work: (signal, leading, step) => new Pools(context, leading, step).follow(signal),
  });
}

class Pools {
  readonly #followed = new Map<string, Followed>();
  readonly #vaults: Vaults;
  #newest = 0n;

  constructor(
    private readonly context: Context,
    private readonly database: Database,
    private readonly step: Step,
  ) {
    this.#vaults = new Vaults(context.connection);
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { config } = this.context;
    const limit = pLimit(AT_ONCE);
    while (!signal.aborted) {
      // Read first: the pools of all graduations up to it are then known.
      const scanned = config.listsPools ? await this.step(() => lastSlot(this.database.queries)) : undefined;
      await this.step(() => this.#addNew());
      const moved = await this.step(() =>
        this.#vaults.moved([...this.#followed.values()].map(({ pool }) => pool)),
      );
      const now = this.context.now();
      for (const { mint } of moved) this.#followed.get(mint)!.readAgainAt = 0;
      const due = [...this.#followed.values()].filter(({ readAgainAt }) => readAgainAt <= now);
      await Promise.all(due.map((one) => limit(() => this.step(() => this.#read(one, signal)))));
      if (scanned !== undefined) await this.step(() => this.#keepComplete(scanned));
      await sleep(config.indexer.pollMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Keeps the slot up to which the trades of all pools are stored. Not during a reindex. */
  async #keepComplete(scanned: number): Promise<void> {
    let to = scanned;
    for (const { completeTo } of this.#followed.values()) to = Math.min(to, completeTo);
    await this.database.queries.execute(sql`update market_state set pools_slot = ${to}
      where coalesce(pools_slot, -1) < ${to} and (select scanned_slot from indexer_state) >= ${to}`);
  }

  async #addNew(): Promise<void> {
    for (;;) {
      const opened = await poolsOpenedAfter(this.database.queries, this.#newest, OPENED_PER_QUERY);
      for (const pool of opened) this.#followed.set(pool.mint, this.#follow(pool));
      this.#newest = opened.at(-1)?.recordId ?? this.#newest;
      if (opened.length < OPENED_PER_QUERY) return;
    }
  }

  #follow(pool: OpenPool): Followed {
    return {
      pool,
      reader: this.#readerOf(pool),
      readAgainAt: 0,
      backoff: newBackoff(),
      completeTo: -1,
      isWaiting: true,
    };
  }

  #readerOf(pool: OpenPool): PoolReader {
    const { config, connection, logger } = this.context;
    return new PoolReader(
      {
        database: this.database,
        connection,
        historyOf: (address) =>
          new NodeHistory(config, address, (error) =>
            logger.warn(
              { err: error, pool: address },
              'a request for the trades of a pool failed and is repeated. If that lasts, run `curvekit doctor`',
            ),
          ),
        onDropped: (trades) =>
          logger.warn(
            { mint: pool.mint, trades },
            'dropped trades of a pool that were on an abandoned fork; reading the canonical ones',
          ),
      },
      pool,
    );
  }

  async #done(mint: string): Promise<void> {
    await this.database.transaction((tx) => reading.done(tx, mint));
  }

  async #read(followed: Followed, signal: AbortSignal): Promise<void> {
    const { pool, reader } = followed;
    const { logger, now } = this.context;
    try {
      const progress = await reader.read(signal);
      if (progress === undefined) {
        this.#followed.delete(pool.mint);
        return await this.#done(pool.mint);
      }
      const { hasOpen, isCaughtUp } = progress;
      followed.completeTo = progress.completeTo;
      if (isCaughtUp) followed.backoff = newBackoff();
      if (followed.isWaiting) await this.#done(pool.mint);
      followed.isWaiting = false;
      const pause = hasOpen ? FINALITY_MS : ANYWAY_MS;
      // Liquidity changes are not trades. After one, the stored reserves differ until the next trade.
      followed.readAgainAt = now() + (isCaughtUp ? pause : Math.min(pause, followed.backoff.next()));
    } catch (error) {
      if (signal.aborted) return;
      followed.isWaiting = true;
      const postponed = { subject: pool.mint, problem: shownMessage(error), now: now(), pauses: PAUSES };
      followed.readAgainAt = await this.database.transaction((tx) => reading.postpone(tx, postponed));
      logger.warn(
        { err: error, mint: pool.mint },
        'reading the trades of a pool failed and is tried again: `curvekit tasks` says when',
      );
    }
  }
}

function newBackoff(): Backoff {
  return new Backoff(PAUSES);
}

// Finds pools with new swaps: every swap changes the balance of the pool's wrapped SOL vault.

/** Maximum accounts in one RPC request. */
const ACCOUNTS_PER_CALL = 100;
/** A pool beyond it is read each time, as if it had moved. */
const MOST_POOLS = 100_000;
/** Offset of the amount in a token account. */
const AMOUNT = { offset: 64, length: 8 } as const;

class Vaults {
  /** By mint. */
  readonly #addresses = new BoundedMap<string, PublicKey>(MOST_POOLS);
  readonly #amounts = new BoundedMap<string, bigint>(MOST_POOLS);

  constructor(private readonly connection: Connection) {}

  /** The pools whose vault balance has changed since the last call, or is read for the first time. */
  async moved(pools: readonly OpenPool[]): Promise<OpenPool[]> {
    const moved: OpenPool[] = [];
    for (let start = 0; start < pools.length; start += ACCOUNTS_PER_CALL) {
      const part = pools.slice(start, start + ACCOUNTS_PER_CALL);
      const accounts = await askNode(
        this.connection.getMultipleAccountsInfo(
          part.map((pool) => this.#addressOf(pool)),
          { commitment: 'confirmed', dataSlice: AMOUNT },
        ),
      );
      for (const [index, pool] of part.entries()) {
        const data = accounts[index]?.data;
        // The account is missing: this RPC node lags behind the one that returned the graduation.
        if (data?.length !== AMOUNT.length) continue;
        const amount = data.readBigUInt64LE();
        if (this.#amounts.get(pool.mint) === amount) continue;
        this.#amounts.set(pool.mint, amount);
        moved.push(pool);
      }
    }
    return moved;
  }

  #addressOf({ mint, pool }: OpenPool): PublicKey {
    let address = this.#addresses.get(mint);
    if (address === undefined) {
      address = AMM.addresses(new PublicKey(pool), new PublicKey(mint)).vaults.sol;
      this.#addresses.set(mint, address);
    }
    return address;
  }
}
