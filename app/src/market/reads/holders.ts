// The largest holders of a token, from the node: kept for a while, and read once however many ask.
import { AMM, poolAddress } from '@curvekit/sdk';
import { PublicKey } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import pLimit from 'p-limit';
import type { Context } from '../../context.js';
import { preparedRows } from '../../db/prepared.js';
import { unavailable } from '../../http/problem.js';
import { NodeError } from '../../rpc/node-errors.js';
import { readHoldings } from '../../settlement/holders.js';
import { Kept } from '../kept.js';

/** What a node may be asked to list: every account of a token. */
const MAX_AGE_MS = 30_000;
const READS_AT_ONCE = 2;
/** Tokens whose holders are kept; the one that was asked for longest ago goes first. */
const MOST_TOKENS = 500;
export const MOST_HOLDERS = 100;
const BASIS_POINTS = 10_000n;

export const HOLDER_KINDS = ['curve', 'pool', 'creator'] as const;

export interface Holders {
  /** Largest first, at most `MOST_HOLDERS`. */
  readonly largest: readonly { readonly wallet: string; readonly amount: bigint }[];
  /** Wallets that hold any. */
  readonly count: number;
  /** Token units of all of them. */
  readonly amount: bigint;
  readonly slot: number;
}

type Parts = Pick<Context, 'config' | 'database' | 'deployment'>;

export class HoldersReader {
  readonly #kept = new Map<string, Kept<Holders>>();
  readonly #limit = pLimit(READS_AT_ONCE);

  constructor(private readonly parts: Parts) {}

  /** Undefined when there is no such token. @throws HttpProblem 503 when the node does not list its accounts */
  async read(mint: string, limit: number) {
    const { database, deployment } = this.parts;
    const [token] = await preparedRows<{ creator: string; curve: string }>(
      database.queries,
      sql`select creator, curve from tokens where mint = ${mint}`,
    );
    if (token === undefined) return undefined;
    const { largest, count, amount: all, slot } = await this.#keptOf(mint).get();
    const key = new PublicKey(mint);
    const { authority } = AMM.addresses(poolAddress(key, deployment).address, key);
    const kinds = new Map<string, (typeof HOLDER_KINDS)[number]>([
      [token.creator, 'creator'],
      [token.curve, 'curve'],
      [authority.toBase58(), 'pool'],
    ]);
    return {
      items: largest.slice(0, limit).map(({ wallet, amount }) => ({
        wallet,
        amount: String(amount),
        shareBps: Number((amount * BASIS_POINTS) / all),
        is: kinds.get(wallet) ?? null,
      })),
      total: count,
      slot,
    };
  }

  #keptOf(mint: string): Kept<Holders> {
    const kept =
      this.#kept.get(mint) ??
      new Kept(MAX_AGE_MS, () => this.#limit(() => this.#readFrom(new PublicKey(mint))));
    this.#kept.delete(mint);
    this.#kept.set(mint, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_TOKENS && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }

  async #readFrom(mint: PublicKey): Promise<Holders> {
    const amounts = new Map<string, bigint>();
    const { signal } = new AbortController();
    const { rpcUrl } = this.parts.config;
    const batches = readHoldings({ rpcUrl, mint, minContextSlot: 0, commitment: 'confirmed', signal });
    try {
      for (;;) {
        const next = await batches.next();
        if (next.done === true) return holdersOf(amounts, next.value);
        for (const { owner, balance } of next.value) amounts.set(owner, (amounts.get(owner) ?? 0n) + balance);
      }
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      throw unavailable('The node does not list the holders; try again later', error);
    }
  }
}

function holdersOf(amounts: ReadonlyMap<string, bigint>, slot: number): Holders {
  const sorted = [...amounts].sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0));
  return {
    largest: sorted.slice(0, MOST_HOLDERS).map(([wallet, amount]) => ({ wallet, amount })),
    count: sorted.length,
    amount: sorted.reduce((sum, [, amount]) => sum + amount, 0n),
    slot,
  };
}
