// The market's tables after a graduation: trades in the pool, reorgs of such trades, and the end of the 24-hour window.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'drizzle-orm';
import bs58 from 'bs58';
import { PublicKey } from '@solana/web3.js';
import { curveAddress, DEFAULT_DEPLOYMENT, type CurveRecord, type RecordContent } from '@curvekit/sdk';
import { rowsOf, type Database } from '#app/db/database.js';
import { IndexWriter } from '#app/indexer/index-writer.js';
import { reindex } from '#app/indexer/reindex.js';
import { loadState } from '#app/indexer/store/state.js';
import { createLogger } from '#app/logging/logging.js';
import { finalizePoolTrades } from '#app/trades/store.js';
import type { PoolTrade } from '#app/trades/trade.js';
import { dropPoolTrades, storePoolTrades } from '#app/market/books/pool-trades.js';
import { lapse } from '#app/market/day-job.js';
import { marketHooks } from '#app/market/hooks.js';
import { candlesOf } from '#app/market/reads/candles.js';
import { versionOfToken } from '#app/market/reads/token.js';
import { tokenDetail } from '#app/market/reads/token.js';
import { tradePage } from '#app/market/reads/trades.js';
import { createMetrics } from '#app/metrics.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { expectMarketOf } from '#tests/database/market-rows.js';
import { SOL } from '#tests/constants.js';

const DAY = 86_400;
const BEGIN = 1_800_000_000;
const INITIAL_TOKEN = 1_073_000_000_000_000n;
const GRADUATION_TOKEN = 280_000_000_000_000n;
const CLOSING_SOL = 115_000_000_000n;
const MINT = new PublicKey(createHash('sha256').update('market books').digest());
const TRADERS = [DEFAULT_DEPLOYMENT.admin, DEFAULT_DEPLOYMENT.dexOwner].map((key) => key.toBase58());

const signatureOf = (text: string) => bs58.encode(createHash('sha512').update(text).digest());

/** A token whose curve sells out in one trade, and whose pool opens at once. */
function graduatedToken(): CurveRecord[] {
  const mint = MINT;
  const shares = { afterMigrationFee: 0, burnBp: 0, holdersBp: 0, lpBp: 0, platformFeeBps: 100 };
  const contents: RecordContent[] = [
    {
      kind: 'create',
      data: {
        ...{ mint, creator: DEFAULT_DEPLOYMENT.admin, tokenOwnerPda: curveAddress(mint).address, ...shares },
        ...{ name: 'Pooled', symbol: 'POOL', uri: '' },
        ...{ virtualSol: 30n * SOL, virtualToken: INITIAL_TOKEN, timestamp: BigInt(BEGIN) },
      },
    },
    {
      kind: 'trade',
      data: {
        ...{ mint, trader: DEFAULT_DEPLOYMENT.admin, isBuy: true, solAmount: 86n * SOL, fee: SOL },
        ...{ tokenAmount: INITIAL_TOKEN - GRADUATION_TOKEN, virtualSol: CLOSING_SOL },
        ...{ virtualToken: GRADUATION_TOKEN, finalized: true, timestamp: BigInt(BEGIN + 30) },
      },
    },
    {
      kind: 'migrate',
      data: {
        ...{ mint, feeAccount: DEFAULT_DEPLOYMENT.feeReceiver, solAmount: 85n * SOL, tokenAmount: 1n },
        timestamp: BigInt(BEGIN + 40),
      },
    },
    {
      kind: 'graduate',
      data: {
        ...{
          mint,
          pool: DEFAULT_DEPLOYMENT.feeReceiver,
          poolSol: 84_123_456_789n,
          poolToken: 204_000_000_000_001n,
        },
        ...{ communitySol: 0n, communityToken: 0n, burnt: 0n, costs: 0n, lpBurnt: 0n },
        timestamp: BigInt(BEGIN + 40),
      },
    },
  ];
  return contents.map((content, index) => ({
    ...content,
    signature: signatureOf(`record ${index}`),
    slot: index + 1,
    position: { outer: 0, inner: -1 },
  }));
}

type Step =
  | { readonly do: 'trade'; readonly amounts: readonly bigint[]; readonly seconds: number }
  | { readonly do: 'drop' | 'finalize'; readonly share: number }
  | { readonly do: 'lapse'; readonly seconds: number };

const share = fc.double({ min: 0, max: 1, noNaN: true });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('trade' as const),
      amounts: fc.array(fc.bigInt({ min: -SOL, max: 3n * SOL }), { minLength: 1, maxLength: 4 }),
      seconds: fc.nat(100),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('drop' as const), share }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('finalize' as const), share }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lapse' as const), seconds: fc.nat(300) }) },
);

interface Stored extends PoolTrade {
  readonly id: bigint;
  finalized: boolean;
}

describe(`the market tables of pool trades (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  let database: Database;

  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  /** Resets the index to the graduated token only. */
  async function begin(): Promise<readonly CurveRecord[]> {
    await reindex(database);
    await database.queries.execute(sql`update market_state set lapsed_to = 0`);
    const state = await loadState(database.queries, DEFAULT_DEPLOYMENT.programId.toBase58());
    const parts = {
      ...{ database, deployment: DEFAULT_DEPLOYMENT, hooks: [marketHooks] },
      ...{ logger: createLogger('silent'), metrics: createMetrics({ ofProcess: false }) },
    };
    const fresh = graduatedToken();
    const writer = new IndexWriter(parts as never, state);
    const batch = { agreedTo: undefined, dropFrom: undefined, unreadable: [], independent: true };
    await writer.writeBatch({ ...batch, fresh }, {});
    return fresh;
  }

  let serial = 0;
  /** The pool's next trade: it buys for `lamports`, or sells if the number is negative. */
  function nextTrade(
    last: Pick<PoolTrade, 'virtualSol' | 'virtualToken'>,
    lamports: bigint,
    timestamp: number,
  ) {
    const virtualSol = last.virtualSol + lamports;
    const virtualToken = (last.virtualSol * last.virtualToken) / virtualSol;
    const difference = last.virtualToken - virtualToken;
    serial += 1;
    return {
      ...{ mint: MINT.toBase58(), trader: TRADERS[serial % TRADERS.length]!, isBuy: lamports >= 0n },
      solAmount: lamports < 0n ? -lamports : lamports,
      tokenAmount: difference < 0n ? -difference : difference,
      ...{ virtualSol, virtualToken, timestamp, signature: signatureOf(`pool ${serial}`) },
      ...{ slot: 10 + serial, outer: 0, inner: 3, fee: 7n },
    };
  }

  const candlesOfVersion = new Map<string, string>();
  /** Answers are cached by this version, so two different charts must never share one. */
  async function expectVersion(): Promise<void> {
    const mint = MINT.toBase58();
    const version = await versionOfToken(database.queries, mint);
    const candles = JSON.stringify(await candlesOf(database.queries, { mint, interval: 60, limit: 1_000 }));
    expect(candlesOfVersion.get(version!) ?? candles).to.equal(candles);
    candlesOfVersion.set(version!, candles);
  }

  it('equal the sum of all trades, whatever trades a reorg removes', async () => {
    let dropped = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
        const records = await begin();
        const opened = records.at(-1)!;
        if (opened.kind !== 'graduate') throw new Error('the last record is no graduation');
        const pool = { virtualSol: opened.data.poolSol, virtualToken: opened.data.poolToken };
        let stored: Stored[] = [];
        let now = BEGIN + 50;
        for (const each of steps) {
          const open = stored.filter(({ finalized }) => !finalized);
          if (each.do === 'trade') {
            now += each.seconds;
            const fresh: PoolTrade[] = [];
            for (const lamports of each.amounts)
              fresh.push(nextTrade(fresh.at(-1) ?? stored.at(-1) ?? pool, lamports, now));
            const first = await database.transaction((tx) => storePoolTrades(tx, fresh, false));
            stored.push(...fresh.map((trade, i) => ({ ...trade, id: first! + BigInt(i), finalized: false })));
          } else if (each.do === 'lapse') {
            await lapse(database, now - each.seconds + DAY);
          } else if (open.length > 0) {
            const { id, slot } = open[Math.floor(each.share * (open.length - 1))]!;
            if (each.do === 'finalize') {
              await database.transaction((tx) => finalizePoolTrades(tx, MINT.toBase58(), slot));
              for (const trade of open) if (trade.slot <= slot) trade.finalized = true;
            } else {
              const lost = stored.filter((trade) => trade.id >= id).length;
              expect(await database.transaction((tx) => dropPoolTrades(tx, MINT.toBase58(), id))).to.equal(
                lost,
              );
              stored = stored.filter((trade) => trade.id < id);
              dropped += lost;
            }
          }
          await expectMarketOf(database.queries, records, stored);
          await expectVersion();
        }
      }),
      { numRuns: 40 },
    );
    expect(dropped).to.be.above(0);
  });

  it('continue the list of trades and the chart across the graduation', async () => {
    await begin();
    const mint = MINT.toBase58();
    const pool = { virtualSol: 84_123_456_789n, virtualToken: 204_000_000_000_001n };
    const trade = nextTrade(pool, SOL, BEGIN + 50);
    await database.transaction((tx) => storePoolTrades(tx, [trade], false));
    const { items } = await tradePage(database.queries, { mint, limit: 10 });
    expect(items.map(({ venue, finalized }) => [venue, finalized])).to.deep.equal([
      ['pool', false],
      ['curve', true],
    ]);
    expect(items[0]).to.deep.include({ signature: trade.signature, slot: trade.slot, fee: '7' });
    const token = await tokenDetail(database.queries, mint);
    expect(token).to.deep.include({ venue: 'pool', virtualSol: String(trade.virtualSol), trades: 2 });
    expect(token).to.deep.include({ finalized: false, progressBps: 10_000 });
    expect(token?.migration?.pool).to.equal(DEFAULT_DEPLOYMENT.feeReceiver.toBase58());
    for (const interval of [15, 60] as const) {
      const candles = await candlesOf(database.queries, { mint, interval, limit: 10 });
      expect(candles.at(-1)?.[4]).to.equal(token?.marketCap);
      expect(candles.reduce((sum, candle) => sum + candle[6], 0)).to.equal(2);
    }
  });

  it('remove trades from the 24-hour volume minute by minute', async () => {
    await begin();
    const mint = MINT.toBase58();
    const volume = async () => (await tokenDetail(database.queries, mint))?.volume24h;
    // The curve's trade is in the first minute.
    const minute = BEGIN - (BEGIN % 60);
    await lapse(database, minute + DAY + 59);
    expect(await volume()).to.equal(String(86n * SOL));
    const before = await tokenDetail(database.queries, mint);
    expect(before?.change24hBps).to.be.above(0);
    await lapse(database, minute + DAY + 60);
    expect(await volume()).to.equal('0');
    // The remaining change comes only from the opening of the pool.
    const after = await tokenDetail(database.queries, mint);
    expect(after?.change24hBps).to.be.within(0, 50);
    // A trade of that minute that is stored later does not count in the 24 hours either.
    const late = nextTrade({ virtualSol: CLOSING_SOL, virtualToken: GRADUATION_TOKEN }, SOL, BEGIN + 45);
    await database.transaction((tx) => storePoolTrades(tx, [late], true));
    expect(await volume()).to.equal('0');
    await lapse(database, minute);
    const [state] = await rowsOf<{ lapsed: string }>(
      database.queries,
      sql`select lapsed_to::text as lapsed from market_state`,
    );
    expect(Number(state?.lapsed), 'a clock that goes back changes nothing').to.equal(minute + 60);
  });
});
