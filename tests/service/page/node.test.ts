// The RPC methods that the page needs: `POST /rpc`, and SOL from the faucet on simulated clusters. threat: rpc-abuse
import { Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { expect } from 'chai';
import { createMetrics } from '#app/base/metrics.js';
import { startService, type Service } from '#app/service.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { openTestDatabase } from '#tests/database/database.js';
import { RpcFailure, startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { ApiClient } from '#tests/service/api-client.js';
import { testConfig } from '#tests/service/service.js';

const FAUCET = '/v1/market/faucet';
const call = (method: string, params: unknown[] = []) => ({ jsonrpc: '2.0', id: 7, method, params });

describe("the page's RPC endpoint and faucet", () => {
  const cluster = useCluster();
  const running: Service[] = [];
  let proxy: RpcProxy;
  let api: ApiClient;

  async function start(environment: Record<string, string> = {}): Promise<ApiClient> {
    const config = testConfig(cluster(), { PORT: '0', INDEXER: 'off', RPC_URL: proxy.url, ...environment });
    const service = await startService(config, {
      overrides: {
        database: await openTestDatabase(),
        deployment: cluster().deployment,
        metrics: createMetrics({ ofProcess: false }),
      },
    });
    running.push(service);
    return new ApiClient(service.url, service.document);
  }

  before(async function () {
    this.timeout(120_000);
    proxy = await startRpcProxy(cluster().rpcUrl);
    api = await start();
  });
  after(async () => {
    await Promise.all(running.map((service) => service.stop()));
    await proxy.stop();
  });

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
    const away = await start({ RPC_URL: 'http://127.0.0.1:9/secret' });
    const { status, headers, text } = await away.post('/rpc', call('getBlockHeight'));
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '5']);
    expect(text).not.to.contain('secret').and.not.to.contain('127.0.0.1');
    expect(JSON.parse(text)).to.have.nested.property('error.code', -32_603);
  });

  it('has its own rate limit per address, and answers over it with a JSON-RPC error', async () => {
    const limited = await start({ RATE_LIMIT_REQUESTS: '1' });
    let answer = await limited.post('/rpc', call('getBlockHeight'));
    expect(answer.headers.get('ratelimit-policy')).to.equal('300;w=60');
    for (let count = 1; count <= 300; count += 1) answer = await limited.post('/rpc', {});
    expect(answer.status).to.equal(429);
    expect(answer.body).to.have.nested.property('error.code', 429);
    expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 60);
  });

  it('does not exist if WEB_RPC_URL is set', async () => {
    const own = await start({ WEB_RPC_URL: 'https://node.example.com' });
    const asked = { body: call('getBlockHeight'), undocumented: true };
    expect((await own.call('POST', '/rpc', asked)).status).to.equal(404);
  });

  it('the faucet gives SOL on simulated clusters only', async () => {
    const address = Keypair.generate().publicKey;
    const real = await start({ SIMULATED_CLUSTER: 'off' });
    const asked = { body: { address: address.toBase58() }, undocumented: true };
    expect((await real.call('POST', FAUCET, asked)).status).to.equal(404);
    const simulated = await start({ SIMULATED_CLUSTER: 'on' });
    const { status, body } = await simulated.post(FAUCET, { address: address.toBase58() });
    expect([status, body['lamports']]).to.deep.equal([200, String(10 * LAMPORTS_PER_SOL)]);
    expect(await cluster().connection.getBalance(address)).to.equal(10 * LAMPORTS_PER_SOL);
    expect((await simulated.post(FAUCET, { address: 'none' })).status).to.equal(400);
  });
});
