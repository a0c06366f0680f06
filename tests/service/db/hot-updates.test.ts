// Rows that trades and claims update again and again: a new version finds room beside the old one, and no index changes.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import bs58 from 'bs58';
import { sql } from 'drizzle-orm';
import { Keypair } from '@solana/web3.js';
import {
  curveAddress,
  DEFAULT_DEPLOYMENT,
  GRADUATION_VIRTUAL_TOKEN,
  type RecordContent,
} from '@curvekit/sdk';
import { openDatabase, rowsOf, type Database } from '#app/db/database.js';
import { DUST_TOKENS } from '#app/graduation/graduation-job.js';
import type { EngineParts } from '#app/index/engine.js';
import { IndexWriter } from '#app/index/index-writer.js';
import type { UnnumberedRecord } from '#app/index/records.js';
import { loadState } from '#app/index/store/state.js';
import { credit } from '#app/ledger/credit.js';
import { createLogger } from '#app/base/logging/logging.js';
import { marketHooks } from '#app/market/hooks.js';
import { createMetrics } from '#app/base/metrics.js';
import { referralHooks } from '#app/partners/referrals.js';
import { postgresWithTables } from '#tests/database/database.js';

const TOKENS = 50;
const TRADERS = 20;
const BATCHES = 150;
const TRADES_OF_BATCH = 40;
const BEGIN = 1_800_000_000;
/** Trades of a slot are stored together. */
const SECONDS_OF_BATCH = 0.4;
const CLAIMS = 200;

/** The least share of updates that are HOT, of each table that is updated with each trade or claim. */
const LEAST: Readonly<Record<string, number>> = {
  candles: 0.9,
  curve_states: 0.9,
  indexer_state: 0.95,
  leases: 0.9,
  ledger_accounts: 0.95,
  partner_totals: 0.95,
  partner_users: 0.9,
  position_rows: 0.9,
  treasury: 0.95,
};

const keys = (count: number) => Array.from({ length: count }, () => Keypair.generate().publicKey);
const [mints, traders] = [keys(TOKENS), keys(TRADERS)];

describe('updates of hot rows (postgres)', function () {
  this.timeout(120_000);
  let database: Database;

  before('trade and claim', async () => {
    database = await openDatabase({ kind: 'postgres', url: await postgresWithTables(), poolSize: 4 });
    const lease = await database.tryLead('hot updates');
    await registerUsers();
    await trade();
    await claim();
    // Renewed every two seconds.
    while ((await updatesOf('leases')).updates === 0)
      await new Promise((resolve) => setTimeout(resolve, 200));
    await lease!.release();
  });
  after(() => database?.close());

  async function registerUsers(): Promise<void> {
    await database.queries.execute(sql`
      with partner as (insert into partners (name, payout_wallet) values ('P', ${traders[0]!.toBase58()}) returning id)
      insert into partner_users (wallet, partner_id, signature, registered_slot)
      select wallet, partner.id, 'of ' || wallet, 0 from partner,
        unnest(${`{${traders.map(String).join(',')}}`}::text[]) as users (wallet)`);
  }

  async function trade(): Promise<void> {
    const parts = {
      database,
      hooks: [referralHooks(1_000), marketHooks],
      logger: createLogger('silent'),
      metrics: createMetrics({ ofProcess: false }),
    };
    const state = await loadState(database.queries, DEFAULT_DEPLOYMENT.programId.toBase58());
    // The writer does not use the parts that read from a node.
    const writer = new IndexWriter(parts as unknown as EngineParts, state);
    const write = (contents: readonly RecordContent[], slot: number) =>
      writer.writeBatch(
        {
          ...{ agreedTo: undefined, dropFrom: undefined, unreadable: [], independent: true },
          fresh: contents.map((content, index) => recordOf(content, slot, index)),
        },
        { scannedSlot: slot },
      );
    await write(mints.map(creationOf), 1);
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const trades = Array.from({ length: TRADES_OF_BATCH }, (_, index) => tradeOf(batch, index));
      await write(trades, 2 + batch);
    }
  }

  /** Credits, reserves and pays, as claims and settlements do. */
  async function claim(): Promise<void> {
    const mint = mints[0]!.toBase58();
    for (let n = 0; n < CLAIMS; n += 1) {
      const wallet = traders[n % TRADERS]!.toBase58();
      await database.transaction(async (tx) => {
        await credit(tx, 'settlement', {
          ...{ key: `credit ${n}`, mint, asset: 'SOL' },
          credits: [{ wallet, amount: 1_000n }],
        });
        await tx.execute(
          sql`select * from ledger_reserve(${`reserve ${n}`}, ${wallet}, ${mint}, 'SOL', array['settlement'])`,
        );
        await tx.execute(
          sql`select ledger_end_reserve(${`end ${n}`}, ${wallet}, ${mint}, 'SOL', 1000, 0, 'claimed')`,
        );
        await tx.execute(sql`select treasury_pay('SOL', 0, ${n}::bigint)`);
      });
    }
  }

  async function updatesOf(table: string): Promise<{ updates: number; hot: number }> {
    const [row] = await rowsOf<{ updates: number; hot: number }>(
      database.queries,
      sql`select coalesce(sum(n_tup_upd), 0)::integer as updates, coalesce(sum(n_tup_hot_upd), 0)::integer as hot
          from pg_stat_user_tables, pg_stat_clear_snapshot() where relname = ${table}`,
    );
    return row!;
  }

  it('leave a curve out of those that wait until the dust is left', async () => {
    const [row] = await rowsOf<{ waits: string }>(
      database.queries,
      sql`select pg_get_expr(adbin, adrelid) as waits from pg_attrdef where adrelid = 'curve_states'::regclass`,
    );
    expect(row!.waits).to.include(String(GRADUATION_VIRTUAL_TOKEN + DUST_TOKENS));
  });

  for (const [table, least] of Object.entries(LEAST))
    it(`updates of ${table}: ${least * 100} % of them change no index`, async () => {
      // A connection reports what it has done within a second.
      await database.queries.execute(sql`select pg_stat_force_next_flush()`);
      const { updates, hot } = await updatesOf(table);
      expect(updates, 'updates').to.be.at.least(1);
      expect(hot / updates, `${hot} of ${updates}`).to.be.at.least(least);
    });
});

function creationOf(mint: (typeof mints)[number]): RecordContent {
  const shares = { afterMigrationFee: 0, burnBp: 0, holdersBp: 0, lpBp: 0, platformFeeBps: 100 };
  return {
    kind: 'create',
    data: {
      ...{ mint, creator: DEFAULT_DEPLOYMENT.admin, tokenOwnerPda: curveAddress(mint).address, ...shares },
      ...{ name: 'Hot', symbol: 'HOT', uri: '', virtualSol: 30_000_000_000n },
      ...{ virtualToken: 1_073_000_000_000_000n, timestamp: BigInt(BEGIN) },
    },
  };
}

/** Half of the trades are of a tenth of the tokens. */
function tradeOf(batch: number, index: number): RecordContent {
  const turn = batch * TRADES_OF_BATCH + index;
  const among = index % 2 === 0 ? TOKENS / 10 : TOKENS;
  return {
    kind: 'trade',
    data: {
      ...{ mint: mints[(turn * 7) % among]!, trader: traders[(turn * 13) % TRADERS]!, isBuy: true },
      ...{ solAmount: 1_000_000n, tokenAmount: 1_000_000n, fee: 10_000n, finalized: false },
      ...{ virtualSol: 30_000_000_000n + BigInt(turn), virtualToken: 1_073_000_000_000_000n - BigInt(turn) },
      timestamp: BigInt(BEGIN + Math.floor(batch * SECONDS_OF_BATCH)),
    },
  };
}

function recordOf(content: RecordContent, slot: number, index: number): UnnumberedRecord {
  const signature = bs58.encode(createHash('sha512').update(`hot ${slot} ${index}`).digest());
  return { ...content, signature, slot, position: { outer: 0, inner: 0 } };
}
