// The SDK's MarketClient against the service.
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import { ApiError, MarketClient, type MarketErrorCode } from '@curvekit/sdk/market';
import { rejection } from '#tests/mocha/failures.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { codesOf, documentedErrors } from '#tests/service/error-codes.js';
import { startMarketScene, type MarketScene } from '#tests/service/market.js';
import { eventually } from '#tests/service/service.js';
import { buyTokens, launch, type Token } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

/** Every code that the SDK knows. The compiler checks that none is missing. */
const SDK_CODES: Readonly<Record<MarketErrorCode, true>> = {
  VALIDATION_ERROR: true,
  TOKEN_NOT_FOUND: true,
  RATE_LIMIT_EXCEEDED: true,
  NOT_FOUND: true,
  METHOD_NOT_ALLOWED: true,
  SERVICE_UNAVAILABLE: true,
  INTERNAL_ERROR: true,
};

describe("the SDK's MarketClient", function () {
  this.timeout(60_000);
  const cluster = useCluster();
  let scene: MarketScene;
  let client: MarketClient;
  let token: Token;
  let mint: string;
  let trader: string;

  before(async () => {
    scene = await startMarketScene(cluster());
    client = new MarketClient({ baseUrl: scene.service.url, fetch: scene.api.answers.fetch });
    token = await launch(cluster());
    mint = token.mint.toBase58();
    const wallet = await cluster().fundedWallet(10n * SOL);
    trader = wallet.publicKey.toBase58();
    await buyTokens(cluster(), token, wallet, SOL);
    await buyTokens(cluster(), token, wallet, 2n * SOL);
    await scene.untilTraded(token, 2);
  });
  after(() => scene?.service.stop());

  it('knows every documented error code, and no other', () => {
    // Uploads are not checked here: they have a client of their own.
    const paths = ['/v1/market/config', '/v1/market/tokens', '/v1/market/wallets'];
    const codes = codesOf(paths.flatMap((path) => documentedErrors(scene.service.document, path, 'code')));
    expect(codes).to.deep.equal(Object.keys(SDK_CODES).sort());
  });

  it('returns what the service answers', async () => {
    expect((await client.config()).chain).to.equal('solana:localnet');
    const detail = await client.token(mint);
    expect(detail).to.deep.equal(await scene.get.token(token));
    expect(
      (await client.tokens({ sort: 'marketCap', status: 'trading', q: 'curv' })).items[0]?.mint,
    ).to.equal(mint);
    const all = await client.tokenTrades(mint);
    expect(all).to.deep.equal(await scene.get.trades(token));
    const first = await client.tokenTrades(mint, { limit: 1, side: 'buy', trader });
    const rest = await client.tokenTrades(mint, { cursor: first.next ?? undefined });
    expect([...first.items, ...rest.items]).to.deep.equal(all.items);
    expect(await client.candles(mint, { interval: 300, limit: 5 })).to.deep.equal(
      await scene.get.candles(token, 'interval=300&limit=5'),
    );
    expect((await client.holders(mint, { limit: 1 })).items).to.have.length(1);
    expect((await client.wallet(trader)).tokens[0]?.paid).to.equal(String(3n * SOL));
    expect((await client.walletTrades(trader)).items).to.deep.equal(all.items);
  });

  it('throws an ApiError with the code and the field of a refused request', async () => {
    const unknown = await rejection(client.token(Keypair.generate().publicKey.toBase58()), ApiError);
    expect([unknown.status, unknown.code]).to.deep.equal([404, 'TOKEN_NOT_FOUND']);
    const wrong = await rejection(client.tokens({ limit: 1_000 }), ApiError);
    expect(wrong.fields.map(({ field }) => field)).to.deep.equal(['limit']);
  });

  it('bypasses the cache with `fresh`', async () => {
    const wallet = await cluster().fundedWallet(10n * SOL);
    await buyTokens(cluster(), token, wallet, SOL);
    await scene.untilTraded(token, 3);
    const kept = await client.token(mint);
    await buyTokens(cluster(), token, wallet, SOL);
    await eventually(async () => (await scene.get.token(token)).trades === kept.trades + 1, 'the trade');
    expect((await client.token(mint, { fresh: true })).trades).to.equal(kept.trades + 1);
  });

  it('aborts a request when its signal aborts', async () => {
    const signal = AbortSignal.abort(new Error('left the page'));
    const error = await rejection(client.tokens({ signal }), Error);
    expect(error.message).to.equal('left the page');
  });
});
