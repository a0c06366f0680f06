// The web page, its link previews and its RPC endpoint: `POST /rpc`, and SOL from the faucet on simulated clusters.
// threat: html-name, page-files, framed-page, script-end, shared-link, rpc-abuse
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { expect } from 'chai';
import sharp from 'sharp';
import { plainWords } from '#app/page/head.js';
import { type Service } from '#app/service.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { buyTokens, launch } from '#tests/program/tokens.js';
import { RpcFailure, startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { ApiClient } from '#tests/service/api-client.js';
import { buildTestPage, SCRIPT } from '#tests/service/built-page.js';
import { rawGet } from '#tests/service/raw-get.js';
import { eventually } from '#tests/service/service.js';
import { startTestService } from '#tests/service/test-service.js';
import { PAGE_NAMES, PAGES, type PageName } from '../../../web/src/pages/table.js';

const FAUCET = '/v1/market/faucet';
const call = (method: string, params: unknown[] = []) => ({ jsonrpc: '2.0', id: 7, method, params });
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const HOSTILE = '"><script>$&alert(1)</script>';
const BIDI = 'A\u202eB\u200bC';

describe('the web page served by the service', () => {
  const cluster = useCluster();
  let page: string;
  const running: Service[] = [];

  async function start(environment: Record<string, string>): Promise<Service> {
    const service = await startTestService(cluster(), environment);
    running.push(service);
    return service;
  }

  let url: string;
  let mint: string;
  let signature: string;
  const path = (name: string, init: RequestInit = {}) => fetch(url + name, init);

  before(async () => {
    page = await buildTestPage();
    const token = await launch(cluster(), { name: HOSTILE, symbol: BIDI });
    mint = token.mint.toBase58();
    ({ signature } = await buyTokens(cluster(), token, cluster().payer, 1_000_000n));
    ({ url } = await start({
      WEB_FOLDER: page,
      RATE_LIMIT_REQUESTS: '5',
      SERVICE_NAME: 'Moon',
      WEB_RPC_URL: 'https://node.example.com/public-key',
    }));
    await eventually(async () => (await path(`/r/${signature}`)).status === 200, 'the trade in the index');
  });
  after(() => Promise.all(running.map((service) => service.stop())));

  it('returns the built document for every path of the page, with its own rate limit', async () => {
    const wallet = Keypair.generate().publicKey.toBase58();
    const places: Partial<Record<PageName, string>> = { wallet, token: mint, receipt: signature };
    for (const page of PAGE_NAMES) {
      const name = PAGES[page].replace(/:\w+/, places[page] ?? '');
      for (let count = 0; count < 7; count += 1) {
        const answer = await path(name, { headers: BROWSER });
        expect(answer.status, name).to.equal(200);
        expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
        expect(answer.headers.get('cache-control')).to.equal('public, max-age=0, must-revalidate');
        expect(await answer.text()).to.contain('<div id="root">');
      }
    }
    const rewards = await path('/rewards', { headers: { Accept: '*/*' } });
    expect(rewards.status).to.equal(200);
    expect(await rewards.text()).to.contain(`<meta property="og:image" content="${url}/share.png">`);
    const head = await path('/', { method: 'HEAD' });
    expect([head.status, await head.text()]).to.deep.equal([200, '']);
  });

  it('lists its pages and tokens for search engines', async () => {
    const answer = await path('/sitemap.xml');
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([
      200,
      'application/xml; charset=utf-8',
    ]);
    const listed = [...(await answer.text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, at]) => at);
    expect(listed).to.deep.equal(
      ['/', '/launch', '/rewards', '/terms', `/t/${mint}`].map((name) => `${url}${name}`),
    );
  });

  it('answers an unknown path with 404 and the page if a browser asks', async () => {
    for (const name of [
      '/nothing',
      '/t/none',
      `/t/${Keypair.generate().publicKey.toBase58()}`,
      '/w/none',
      '/r/none',
      `/r/${'1'.repeat(64)}`,
      '/r/%3Cscript%3E',
      '/t/%E0%A4%A',
    ]) {
      const answer = await path(name, { headers: BROWSER });
      expect(answer.status, name).to.equal(404);
      const text = await answer.text();
      expect(text).to.contain('<div id="root">').and.to.contain('content="noindex"');
      expect(text).not.to.contain('canonical');
    }
    // Not a browser's request, or a path of the API.
    for (const [name, headers] of [
      ['/nothing', {}],
      ['/v1/internal/nothing', BROWSER],
    ] as const) {
      const answer = await path(name, { headers });
      expect([answer.status, answer.headers.get('content-type')], name).to.deep.equal([
        404,
        'application/json; charset=utf-8',
      ]);
    }
  });

  it('serves the document in the language of the address, else of the reader’s choice, else of the browser', async () => {
    const ask = async (query: string, headers: Record<string, string>) => {
      const answer = await path(`/launch${query}`, { headers });
      expect(answer.headers.get('vary')).to.contain('Accept-Language, Cookie');
      const html = await answer.text();
      const [, language] = /<html lang="(\w+)"/.exec(html)!;
      expect(html).to.contain(language === 'zh' ? '<title>发行代币 · Moon' : '<title>Launch a token · Moon');
      expect(html).to.contain(`hreflang="zh" href="${url}/launch?lang=zh"`);
      return language;
    };
    const zh = { 'Accept-Language': 'zh-CN,zh;q=0.9,en;q=0.8' };
    expect(await ask('', {})).to.equal('en');
    expect(await ask('', zh)).to.equal('zh');
    expect(await ask('', { 'Accept-Language': 'fr, de;q=0.5' })).to.equal('en');
    expect(await ask('', { ...zh, Cookie: 'a=b; lang=en' })).to.equal('en');
    expect(await ask('?lang=zh', { Cookie: 'lang=en' })).to.equal('zh');
    expect(await ask('?lang=xx&lang=zh', { Cookie: 'lang=constructor' })).to.equal('en');
  });

  it('fills in link previews, with token names escaped', async () => {
    const html = await (await path(`/t/${mint}`)).text();
    const title = '&#34;&#62;&#60;script&#62;$&#38;alert(1)&#60;/script&#62; (ABC) · Moon';
    expect(html).to.contain(`<title>${title}</title>`);
    expect(html).to.contain(`<meta property="og:title" content="${title}">`);
    expect(html).not.to.contain('<script>').and.not.to.contain('As built').and.not.to.contain('as built');
    expect(html).to.match(
      /name="description" content="Market cap \d+\.\d\d SOL, 0\.0 % of the way to graduation\."/,
    );
    expect(html).to.contain(`<link rel="canonical" href="${url}/t/${mint}">`);
    expect(html).to.contain('<meta name="twitter:card" content="summary_large_image">');
    expect(html).to.contain(`<meta property="og:image" content="${url}/og/${mint}.png">`);
    expect(html.match(/modulepreload" href="([^"]+)"/g)).to.deep.equal([
      'modulepreload" href="/assets/token-5e6f7a8b.js"',
      'modulepreload" href="/assets/curve-9c0d1e2f.js"',
      'modulepreload" href="/assets/main-1a2b3c4d.js"',
    ]);
    expect(await (await path('/launch')).text()).to.contain('<title>Launch a token · Moon</title>');
  });

  it("contains a heading before the script runs, on the board, the launch form and a token's page", async () => {
    const headingOf = async (name: string) => /<h1>.*<\/h1>/.exec(await (await path(name)).text())?.[0];
    const hostile = '&#34;&#62;&#60;script&#62;$&#38;alert(1)&#60;/script&#62;';
    expect(await headingOf(`/t/${mint}`)).to.equal(`<h1>${hostile} <span class="muted">ABC</span></h1>`);
    expect(await headingOf('/')).to.equal('<h1>Tokens</h1>');
    expect(await headingOf('/launch')).to.equal('<h1>Launch a token</h1>');
    for (const name of ['/?q=coffee', '/rewards', '/t/none'])
      expect(await headingOf(name), name).to.equal(undefined);
  });

  it("embeds the page's first data as JSON, which no token name can break out of", async () => {
    const html = await (await path(`/t/${mint}`)).text();
    const json = firstIn(html);
    expect(json).not.to.contain('<');
    const answerOf = async (name: string): Promise<unknown> => (await path(`/v1/market${name}`)).json();
    const { clusterTime, solUsdAge, ...config } = (await answerOf('/config')) as Record<string, unknown>;
    expect([typeof clusterTime, solUsdAge]).to.deep.equal(['number', null]);
    const token = (await answerOf(`/tokens/${mint}`)) as { name: string };
    expect(token.name).to.equal(HOSTILE);
    expect(JSON.parse(json!)).to.deep.equal({ config, token });
    expect(JSON.parse(firstIn(await (await path('/launch')).text())!)).to.deep.equal({ config });
    const soon = await answerOf('/tokens?sort=progress&status=trading&limit=3');
    expect(JSON.parse(firstIn(await (await path('/')).text())!)).to.deep.equal({ config, soon });
  });

  it('omits the embedded data while the RPC node does not answer', async () => {
    const node = await startRpcProxy(cluster().rpcUrl);
    const service = await start({ WEB_FOLDER: page, RPC_URL: node.url, INDEXER: 'off' });
    node.setHanging(true);
    const answer = await fetch(service.url);
    expect(answer.status).to.equal(200);
    expect(firstIn(await answer.text())).to.equal(undefined);
    await node.stop();
  });

  it("draws a token's picture for shared links, and lets caches keep it for a minute", async () => {
    const answer = await path(`/og/${mint}.png`);
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'image/png']);
    expect(answer.headers.get('cache-control')).to.equal('public, max-age=60');
    expect(answer.headers.get('cross-origin-resource-policy')).to.equal('cross-origin');
    const png = Buffer.from(await answer.arrayBuffer());
    expect(await sharp(png).metadata()).to.include({ format: 'png', width: 1_200, height: 630 });
    // The token's name is drawn, although it would also be hostile in SVG.
    const { data } = await sharp(png)
      .extract({ left: 80, top: 80, width: 500, height: 60 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(new Set(data).size).to.be.above(20);
    expect(Buffer.from(await (await path(`/og/${mint}.png`)).arrayBuffer()).equals(png)).to.equal(true);
    for (const name of [`/og/${Keypair.generate().publicKey.toBase58()}.png`, '/og/none.png', '/og/%00.png'])
      expect((await path(name)).status, name).to.equal(404);
  });

  it("draws a trade's picture and says in its link what was traded, with the token's name escaped", async () => {
    const html = await (await path(`/r/${signature}`)).text();
    expect(html).to.match(/<title>Bought \d+\.\d+K ABC for 0\.001 SOL · Moon<\/title>/);
    expect(html).to.match(
      /name="description" content="&#34;&#62;.*: trade 1 of 1 of this token in slot \d+\."/,
    );
    expect(html).to.contain(`<meta property="og:image" content="${url}/og/r/${signature}.png">`);
    expect(html).not.to.contain('<script>');
    const picture = async (name: string) => Buffer.from(await (await path(name)).arrayBuffer());
    const png = await picture(`/og/r/${signature}.png`);
    expect(await sharp(png).metadata()).to.include({ format: 'png', width: 1_200, height: 630 });
    expect(png.equals(await picture(`/og/${mint}.png`))).to.equal(false);
    for (const name of [`/og/r/${'1'.repeat(64)}.png`, '/og/r/none.png', '/og/r/%00.png'])
      expect((await path(name)).status, name).to.equal(404);
  });

  it('lets the worker of the page reach the node: a worker has the security policy of its own file', async () => {
    const { headers } = await path('/assets/main-1a2b3c4d.js');
    expect(headers.get('content-security-policy')).to.contain("connect-src 'self' https://node.example.com ");
  });

  it('leaves out of a name what XML refuses, so that its picture can be drawn', () => {
    expect(plainWords('a\uffffb\ufffe\ud800c\u0000')).to.equal('abc');
  });

  it('sends headers that block foreign scripts and frames', async () => {
    const { headers } = await path('/');
    expect(headers.get('content-security-policy')).to.equal(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;" +
        "connect-src 'self' https://node.example.com wss://node.example.com ws://localhost:* http://localhost;font-src 'self';manifest-src 'self';" +
        "base-uri 'none';form-action 'none';frame-ancestors 'none';require-trusted-types-for 'script';trusted-types worker offline",
    );
    expect(headers.get('cross-origin-opener-policy')).to.equal('same-origin-allow-popups');
    expect(headers.get('x-frame-options')).to.equal('DENY');
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
  });

  it('serves precompressed files, and lets caches store hashed names without an end', async () => {
    const script = '/assets/main-1a2b3c4d.js';
    const packed = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };
    for (const [encoding, unpack] of Object.entries(packed)) {
      const { headers, bytes } = await rawGet(url + script, { 'Accept-Encoding': encoding });
      expect(headers['content-encoding'] ?? 'identity').to.equal(encoding);
      expect(unpack(bytes).toString()).to.equal(SCRIPT);
      expect(Number(headers['content-length'])).to.equal(bytes.length);
      expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable');
      expect(headers['content-type']).to.equal('text/javascript; charset=utf-8');
      expect(headers['vary']).to.equal('Accept-Encoding');
    }
    const icon = await path('/icon.svg');
    expect(icon.headers.get('cache-control')).to.equal('public, max-age=3600');
    expect(icon.headers.get('content-type')).to.contain('image/svg+xml');
    for (const name of ['/', `/t/${mint}`, script]) {
      const etag = (await path(name)).headers.get('etag')!;
      const again = await rawGet(url + name, { 'If-None-Match': etag });
      expect([again.status, again.bytes.length], name).to.deep.equal([304, 0]);
    }
  });

  it("serves only the page's files: no build manifest, and nothing above its folder", async () => {
    for (const name of [
      '/.vite/manifest.json',
      '/assets/..%2f..%2fpackage.json',
      '/assets/main-1a2b3c4d.js.br',
      '/index.html',
    ])
      expect((await path(name)).status, name).to.equal(404);
  });

  it('says what to do if the page is not built', async () => {
    const bare = await start({ WEB_FOLDER: `${page}/none` });
    const answer = await fetch(bare.url);
    expect(answer.status).to.equal(404);
    expect(await answer.json()).to.deep.equal({
      status: 'error',
      code: 'PAGE_NOT_BUILT',
      message:
        'The web page is not built: run `npm run build` in the repository and start again, or set WEB_FOLDER to a built page',
    });
    expect((await fetch(`${bare.url}/docs`)).status).to.equal(200);
  });

  describe("the page's RPC endpoint and faucet", () => {
    let proxy: RpcProxy;
    let api: ApiClient;
    const startApi = async (environment: Record<string, string> = {}) => {
      const service = await start({ INDEXER: 'off', RPC_URL: proxy.url, ...environment });
      return new ApiClient(service.url, service.document);
    };
    before(async () => {
      proxy = await startRpcProxy(cluster().rpcUrl);
      api = await startApi();
    });
    after(() => proxy.stop());

    it("returns the node's answers, including its errors", async () => {
      const address = cluster().payer.publicKey.toBase58();
      const { status, body } = await api.post('/rpc', call('getBalance', [address]));
      expect(status).to.equal(200);
      expect(body).to.include({ id: 7 }).and.to.have.nested.property('result.value').above(0);
      proxy.rewrite(() => new RpcFailure(-32_005, 'Node is behind by 42 slots'));
      expect((await api.post('/rpc', call('getBalance', [address]))).body['error']).to.include({
        code: -32_005,
        message: 'Node is behind by 42 slots',
      });
      proxy.rewrite(undefined);
    });

    it("accepts only the page's methods, one call at a time, and validates the body", async () => {
      const REFUSED: readonly [body: unknown, message: RegExp][] = [
        [call('getProgramAccounts'), /method must be one of getAccountInfo, /],
        [call('requestAirdrop'), /method must be one of /],
        [[call('getBlockHeight')], /body must be a JSON object/],
        [{ ...call('getBlockHeight'), params: {} }, /params must be an array/],
        [{ method: 'getBlockHeight' }, /jsonrpc .*id /],
        ['no JSON', /body is not JSON/],
      ];
      for (const [body, message] of REFUSED) {
        const answer = await api.post('/rpc', body);
        expect(answer.status).to.equal(400);
        expect(answer.body).to.have.nested.property('error.code', -32_600);
        expect(answer.body).to.have.nested.property('error.message').that.matches(message);
      }
      expect((await api.post('/rpc', call('getBlockHeight', ['x'.repeat(20_000)]))).status).to.equal(413);
      // Clients may say more about themselves, which the node does not hear.
      let heard: object | undefined;
      proxy.rewrite((request, result) => ((heard = request), result));
      const more = { ...call('getBlockHeight'), client: 'js/9' };
      expect((await api.post('/rpc', more)).body).to.have.property('result');
      expect(heard).to.not.have.property('client');
      proxy.rewrite(undefined);
      expect((await api.get('/rpc', { undocumented: true })).status).to.equal(405);
    });

    it('does not reveal the URL of a node that is down', async () => {
      const away = await startApi({ RPC_URL: 'http://127.0.0.1:9/secret' });
      const { status, headers, text } = await away.post('/rpc', call('getBlockHeight'));
      expect([status, headers.get('retry-after')]).to.deep.equal([503, '5']);
      expect(text).not.to.contain('secret').and.not.to.contain('127.0.0.1');
      expect(JSON.parse(text)).to.have.nested.property('error.code', -32_603);
    });

    it('has its own rate limit per address, and answers over it with a JSON-RPC error', async () => {
      const limited = await startApi({ RATE_LIMIT_REQUESTS: '1' });
      let answer = await limited.post('/rpc', call('getBlockHeight'));
      expect(answer.headers.get('ratelimit-policy')).to.equal('300;w=60');
      for (let count = 1; count <= 300; count += 1) answer = await limited.post('/rpc', {});
      expect(answer.status).to.equal(429);
      expect(answer.body).to.have.nested.property('error.code', 429);
      expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 60);
    });

    it('does not exist if WEB_RPC_URL is set', async () => {
      const own = await startApi({ WEB_RPC_URL: 'https://node.example.com' });
      const asked = { body: call('getBlockHeight'), undocumented: true };
      expect((await own.call('POST', '/rpc', asked)).status).to.equal(404);
    });

    it('the faucet gives SOL on simulated clusters only', async () => {
      const address = Keypair.generate().publicKey;
      const real = await startApi({ SIMULATED_CLUSTER: 'off' });
      const asked = { body: { address: address.toBase58() }, undocumented: true };
      expect((await real.call('POST', FAUCET, asked)).status).to.equal(404);
      const simulated = await startApi({ SIMULATED_CLUSTER: 'on' });
      const { status, body } = await simulated.post(FAUCET, { address: address.toBase58() });
      expect([status, body['lamports']]).to.deep.equal([200, String(10 * LAMPORTS_PER_SOL)]);
      expect(await cluster().connection.getBalance(address)).to.equal(10 * LAMPORTS_PER_SOL);
      expect((await simulated.post(FAUCET, { address: 'none' })).status).to.equal(400);
    });
  });
});

function firstIn(html: string): string | undefined {
  return /<script type="application\/json" id="first">(.*?)<\/script>/s.exec(html)?.[1];
}
