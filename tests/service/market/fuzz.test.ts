// The Market API answers every random request as its OpenAPI document says, and never with status 500. threat: any-search
import { expect } from 'chai';
import fc from 'fast-check';
import { Keypair } from '@solana/web3.js';
import { encodeIdCursor, encodeTokenCursor } from '#app/market/reads/cursor.js';
import { fieldsOf } from '#tests/service/api-client.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { fuzzedRequests, UNKNOWN_PARAMETER, type OpenApi } from '#tests/arbitraries/fuzzed-requests.js';
import { buyTokens, launch } from '#tests/program/tokens.js';
import { startMarketScene, type MarketScene } from '#tests/service/market.js';
import { SOL } from '#tests/constants.js';

const REQUESTS = 4_000;
/** Number of concurrent requests. */
const BATCH = 40;
/** Minimum number of each answer: about a quarter of the usual number, so that chance does not matter. */
const LEAST = 25;

/** Paths with tests of their own, because they change something or do not return JSON. */
const BESIDE_IT = /^\/v1\/market\/(faucet|images|metadata|stream|uploads)\b/;

describe(`the Market API under ${REQUESTS} random requests (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const cluster = useCluster();
  let scene: MarketScene;

  before(async () => {
    scene = await startMarketScene(cluster(), { MARKET_RATE_LIMIT_REQUESTS: '1000000' });
  });
  after(() => scene?.service.stop());

  it('answers as documented, and never with status 500', async () => {
    const token = await launch(cluster());
    const trader = await cluster().fundedWallet(10n * SOL);
    await buyTokens(cluster(), token, trader, SOL);
    await scene.untilTraded(token, 1);
    const [mint, address] = [token.mint.toBase58(), trader.publicKey.toBase58()];
    const { paths, ...rest } = scene.api.document as OpenApi;
    const ofMarket = Object.entries(paths).filter(
      ([path]) => path.startsWith('/v1/market') && !BESIDE_IT.test(path),
    );
    const requests = fuzzedRequests(
      { ...rest, paths: Object.fromEntries(ofMarket) },
      {
        mint: [mint, mint, Keypair.generate().publicKey.toBase58()],
        ...{ address: [address], creator: [address], trader: [address], q: ['cur', mint.slice(0, 5)] },
        name: ['Curvy', 'too long'.repeat(50)],
        cursor: [encodeTokenCursor({ sort: 'new', value: '5', mint }), encodeIdCursor('9')],
      },
    );
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(requests, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
        await Promise.all(
          batch.map(async ({ template, method, path, headers }) => {
            const undocumented = !scene.api.answers.knows(method, path);
            const answer = await scene.api.call(method, path, { headers, undocumented });
            if (answer.status >= 500) throw new Error(`${path}: ${answer.status} ${answer.text}`);
            expect(answer.status === 400 ? fieldsOf(answer) : []).not.to.include(UNKNOWN_PARAMETER);
            const what = `${template} ${undocumented ? 'undocumented' : answer.status}`;
            seen.set(what, (seen.get(what) ?? 0) + 1);
          }),
        );
      }),
      { numRuns: REQUESTS / BATCH, endOnFailure: true },
    );
    for (const [path] of ofMarket) {
      const statuses = path.endsWith('/config')
        ? [200]
        : path.includes('{mint}')
          ? [200, 400, 404]
          : [200, 400];
      for (const status of statuses)
        expect(seen.get(`${path} ${status}`), `${path} ${status}`).to.be.at.least(LEAST);
    }
  });
});
