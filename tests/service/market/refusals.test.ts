// Which requests the Market API refuses, and with which errors. threat: any-search, foreign-token
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { fieldsOf } from '#tests/service/api-client.js';
import { startMarketScene, type MarketScene } from '#tests/service/market.js';
import { eventually } from '#tests/service/service.js';
import { launch } from '#tests/program/tokens.js';

describe(`the Market API (${DATABASE_KIND}) with bad requests`, function () {
  this.timeout(60_000);
  const cluster = useCluster();
  let scene: MarketScene;
  let mint: string;

  before(async () => {
    scene = await startMarketScene(cluster(), { MARKET_RATE_LIMIT_REQUESTS: '300' });
    const [token] = [await launch(cluster()), await launch(cluster())];
    mint = token.mint.toBase58();
    await eventually(async () => (await scene.get.tokens()).items.length === 2, 'both tokens');
  });
  after(() => scene?.service.stop());

  it('answers 404 for a mint that is not a token of the launchpad', async () => {
    const unknown = Keypair.generate().publicKey.toBase58();
    for (const path of ['', '/trades', '/candles', '/holders']) {
      const { status, body } = await scene.api.get(`/v1/market/tokens/${unknown}${path}`);
      expect([status, body['code']], path).to.deep.equal([404, 'TOKEN_NOT_FOUND']);
    }
  });

  it('names the invalid field', async () => {
    const token = `/tokens/${mint}`;
    const { next } = await scene.get.tokens('sort=marketCap&limit=1');
    const wrong: [path: string, field: string][] = [
      ['/tokens?sort=age', 'sort'],
      ['/tokens?status=dead', 'status'],
      ['/tokens?creator=me', 'creator'],
      ['/tokens?limit=101', 'limit'],
      ['/tokens?cursor=x', 'cursor'],
      [`/tokens?sort=new&cursor=${next}`, 'cursor'],
      ['/tokens?q=%20', 'q'],
      [`/tokens?q=${'x'.repeat(65)}`, 'q'],
      ['/tokens/me', 'mint'],
      [`${token}/trades?side=both`, 'side'],
      [`${token}/trades?limit=201`, 'limit'],
      [`${token}/trades?cursor=${next}`, 'cursor'],
      [`${token}/candles?interval=61`, 'interval'],
      [`${token}/candles?to=-1`, 'to'],
      [`${token}/candles?limit=1001`, 'limit'],
      [`${token}/holders?limit=0`, 'limit'],
      ['/wallets/me', 'address'],
      [`/wallets/${mint}/trades?cursor=0`, 'cursor'],
    ];
    for (const [path, field] of wrong) {
      const answer = await scene.api.get(`/v1/market${path}`);
      expect([answer.status, answer.body['code'], fieldsOf(answer)], path).to.deep.equal([
        400,
        'VALIDATION_ERROR',
        [field],
      ]);
    }
  });

  it('has its own rate limit', async () => {
    const { headers } = await scene.api.get('/v1/market/tokens');
    expect(headers.get('ratelimit-policy')).to.equal('300;w=60');
  });
});
