// A token whose curve has sold out, in an index of its own, and the trades of its pool.
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import bs58 from 'bs58';
import { PublicKey } from '@solana/web3.js';
import { curveAddress, DEFAULT_DEPLOYMENT, type CurveRecord, type RecordContent } from '@curvekit/sdk';
import type { Database } from '#app/db/database.js';
import { IndexWriter } from '#app/index/index-writer.js';
import { loadState, reindex } from '#app/index/store/state.js';
import { createLogger } from '#app/base/logging/logging.js';
import { marketHooks } from '#app/market/books/book-tokens.js';
import { createMetrics } from '#app/base/metrics.js';
import type { PoolTrade } from '#app/index/trades/trade.js';
import { SOL } from '#tests/constants.js';

export const DAY = 86_400;
/** Unix seconds of the token's creation. */
export const BEGIN = 1_800_000_000;
const INITIAL_TOKEN = 1_073_000_000_000_000n;
export const GRADUATION_TOKEN = 280_000_000_000_000n;
export const CLOSING_SOL = 115_000_000_000n;
export const MINT = new PublicKey(createHash('sha256').update('market books').digest());
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

export async function indexGraduated(database: Database): Promise<readonly CurveRecord[]> {
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
export function nextTrade(
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

/** The reserves with which its pool opened. */
export const POOL = { virtualSol: 84_123_456_789n, virtualToken: 204_000_000_000_001n };
