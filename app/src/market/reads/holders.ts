// The largest holders of a token, from the RPC node. Cached for a while; concurrent requests share one read.
import { AMM, poolAddress } from '@curvekit/sdk';
import { PublicKey } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import pLimit from 'p-limit';
import type { Context } from '../../context.js';
import { preparedRows } from '../../db/statements.js';
import { unavailable } from '../../http/problem.js';
import { NodeError } from '../../chain/node-errors.js';
import { addHoldings } from '../../graduation/settlement/periods/holders.js';
import { Cache } from '../../base/cached-value.js';

/** The read lists every token account of a mint, which RPC nodes may refuse. */
const MAX_AGE_MS = 30_000;
const READS_AT_ONCE = 2;
/** Maximum tokens in the cache. The least recently used one is dropped. */
const MOST_TOKENS = 500;
export const MOST_HOLDERS = 100;
const BASIS_POINTS = 10_000n;

export const HOLDER_KINDS = ['curve', 'pool', 'creator', 'operator'] as const;

export interface Holders {
  /** Largest first, at most `MOST_HOLDERS`. */
  readonly largest: readonly { readonly wallet: string; readonly amount: bigint }[];
  /** Number of wallets with a balance, without the curve and the pool. */
  readonly people: number;
  /** Sum of all balances, in token base units. */
  readonly amount: bigint;
  readonly slot: number;
}

export class HoldersReader {
  readonly #kept = new Cache<Holders>(MAX_AGE_MS, MOST_TOKENS);
  readonly #limit = pLimit(READS_AT_ONCE);

  constructor(private readonly context: Context) {}

  /** Undefined when the token does not exist. @throws HttpProblem 503 when the RPC node does not list its accounts */
  async read(mint: string, limit: number) {
    const { database, deployment } = this.context;
    const [token] = await preparedRows<{ creator: string; curve: string }>(
      database.queries,
      sql`select creator, curve from tokens where mint = ${mint}`,
    );
    if (token === undefined) return undefined;
    const key = new PublicKey(mint);
    const authority = AMM.addresses(poolAddress(key, deployment).address, key).authority.toBase58();
    // The curve and the pool sell these tokens: nobody holds them.
    const markets = [token.curve, authority];
    const {
      largest,
      people,
      amount: all,
      slot,
    } = await this.#kept.get(mint, () => this.#limit(() => this.#readFrom(key, markets)));
    const operators = [
      deployment.admin,
      deployment.feeReceiver,
      deployment.dexOwner,
      deployment.graduation.treasury,
    ].map((one) => [one.toBase58(), 'operator'] as const);
    const kinds = new Map<string, (typeof HOLDER_KINDS)[number]>([
      ...operators,
      [token.creator, 'creator'],
      [token.curve, 'curve'],
      [authority, 'pool'],
    ]);
    return {
      items: largest.slice(0, limit).map(({ wallet, amount }) => ({
        wallet,
        amount: String(amount),
        shareBps: Number((amount * BASIS_POINTS) / all),
        is: kinds.get(wallet) ?? null,
      })),
      total: people,
      people,
      slot,
    };
  }

  async #readFrom(mint: PublicKey, markets: readonly string[]): Promise<Holders> {
    const amounts = new Map<string, bigint>();
    const { signal } = new AbortController();
    const { rpcUrl } = this.context.config;
    const query = { rpcUrl, mint, minContextSlot: 0, commitment: 'confirmed', signal } as const;
    try {
      return holdersOf(amounts, markets, await addHoldings(query, amounts));
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      throw unavailable('The node does not list the holders; try again later', error);
    }
  }
}

function holdersOf(amounts: ReadonlyMap<string, bigint>, markets: readonly string[], slot: number): Holders {
  const sorted = [...amounts].sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0));
  return {
    largest: sorted.slice(0, MOST_HOLDERS).map(([wallet, amount]) => ({ wallet, amount })),
    people: sorted.length - markets.filter((market) => amounts.has(market)).length,
    amount: sorted.reduce((sum, [, amount]) => sum + amount, 0n),
    slot,
  };
}
