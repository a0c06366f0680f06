// Stores trades of one token with the indexer's own writer, as if a node had confirmed them. A simulated cluster keeps
// every transaction in memory, and is too slow for so many trades.
import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { Keypair, type PublicKey } from '@solana/web3.js';
import { fetchCurveState, quoteBuy, quoteSell, type CurveState } from '@curvekit/sdk';
import type { ClusterClock, LocalCluster } from '@curvekit/testing';
import { pino } from 'pino';
import type { Database } from '#app/db/database.js';
import type { EngineParts } from '#app/index/engine.js';
import { IndexWriter } from '#app/index/index-writer.js';
import type { UnnumberedRecord } from '#app/index/records.js';
import { loadState } from '#app/index/store/state.js';
import { marketHooks } from '#app/market/books/book-tokens.js';
import { createMetrics } from '#app/base/metrics.js';

const TRADERS = 100;

export class TradeWriter {
  readonly #traders = Array.from({ length: TRADERS }, () => Keypair.generate().publicKey);
  readonly #startedAt = Date.now();
  /** Token reserve at the start. */
  readonly #unsold: bigint;
  #written = 0;

  private constructor(
    private readonly writer: IndexWriter,
    private readonly mint: PublicKey,
    private curve: CurveState,
    private readonly clock: ClusterClock,
  ) {
    this.#unsold = curve.virtualToken;
  }

  /** Continues from the token's state on the cluster. No other indexer may write at the same time. */
  static async open(cluster: LocalCluster, database: Database, mint: PublicKey): Promise<TradeWriter> {
    const parts = {
      database,
      hooks: [marketHooks],
      logger: pino({ level: 'silent' }),
      metrics: createMetrics({ ofProcess: false }),
    };
    const state = await loadState(database.queries, cluster.programId.toBase58());
    const curve = await fetchCurveState(cluster.connection, mint, { deployment: cluster.deployment });
    if (curve === null) throw new Error(`${mint.toBase58()} has no curve`);
    // The writer does not use the parts that read from a node.
    const writer = new IndexWriter(parts as unknown as EngineParts, state);
    return new TradeWriter(writer, mint, curve, await cluster.clock());
  }

  /** Stores trades in one transaction. @returns their signatures */
  async write(count: number): Promise<readonly string[]> {
    const records = Array.from({ length: count }, () => this.#next());
    await this.writer.writePreviews(records, undefined);
    return records.map(({ signature }) => signature);
  }

  /** Two buys, then a sell of half of the sold tokens, repeatedly, so that the curve never sells out. */
  #next(): UnnumberedRecord {
    const turn = this.#written;
    this.#written += 1;
    const sold = this.#unsold - this.curve.virtualToken;
    const isBuy = turn % 3 !== 2;
    const quote = isBuy
      ? quoteBuy(this.curve, 10_000_000n + BigInt(turn % 977) * 100_007n)
      : quoteSell(this.curve, sold / 2n);
    const [solAmount, tokenAmount] =
      'solSpent' in quote ? [quote.solSpent, quote.tokenOut] : [quote.solOut, quote.tokenToSpend];
    const { virtualSol, virtualToken, fee } = quote;
    this.curve = { ...this.curve, virtualSol, virtualToken };
    const elapsed = BigInt(Math.floor((Date.now() - this.#startedAt) / 1_000));
    return {
      kind: 'trade',
      data: {
        mint: this.mint,
        trader: this.#traders[turn % TRADERS]!,
        isBuy,
        solAmount,
        tokenAmount,
        fee,
        virtualSol,
        virtualToken,
        finalized: false,
        timestamp: this.clock.unixTimestamp + elapsed,
      },
      signature: bs58.encode(createHash('sha512').update(`page ${this.#startedAt} ${turn}`).digest()),
      slot: Number(this.clock.slot) + 1 + turn,
      position: { outer: 0, inner: 0 },
    };
  }
}
