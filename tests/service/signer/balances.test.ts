// The metric of what the service's keys hold.
import { Keypair, type Connection } from '@solana/web3.js';
import { expect } from 'chai';
import { measureBalances } from '#app/sending/balance-metrics.js';
import { readConfig } from '#app/config/config.js';
import { createMetrics } from '#app/base/metrics.js';
import { connectNode } from '#app/chain/connection.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { useStandingClock } from '#tests/mocha/standing-clock.js';
import { RpcFailure, startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { keyVariable } from '#tests/service/service-context.js';

const FUNDED = 7_000_000n;

describe("the balances of the service's keys", () => {
  const cluster = useCluster();
  const clock = useStandingClock();
  const [treasury, payer] = [Keypair.generate(), Keypair.generate()];
  let proxy: RpcProxy;
  let connection: Connection;
  before(async () => {
    proxy = await startRpcProxy(cluster().rpcUrl);
    connection = connectNode({ rpcUrl: proxy.url });
    await cluster().fund(treasury.publicKey, FUNDED);
  });
  afterEach(() => proxy.rewrite(undefined));
  after(() => proxy.stop());

  function measured(environment: Record<string, string>): () => Promise<string[]> {
    const metrics = createMetrics({ ofProcess: false });
    measureBalances({ config: readConfig(environment), connection, metrics });
    return async () => {
      const lines = (await metrics.registry.metrics()).split('\n');
      return lines.filter((line) => line.startsWith('curvekit_key_balance_lamports'));
    };
  }
  const keys = () => ({
    TREASURY_KEYPAIR: keyVariable(treasury),
    GRADUATION_PAYER_KEYPAIR: keyVariable(payer),
  });
  const said = (held: bigint | string, other: bigint | string = held) =>
    [['TREASURY_KEYPAIR', treasury, held] as const, ['GRADUATION_PAYER_KEYPAIR', payer, other] as const].map(
      ([key, { publicKey }, balance]) =>
        `curvekit_key_balance_lamports{key="${key}",address="${publicKey.toBase58()}"} ${balance}`,
    );

  it('are shown by variable and address, also of a key that holds nothing', async () => {
    expect(await measured(keys())()).to.deep.equal(said(FUNDED, 0n));
    expect(await measured({})()).to.deep.equal([]);
  });

  it('are no numbers while the node refuses or is silent, and no earlier ones', async () => {
    const scrape = measured(keys());
    await scrape();
    proxy.rewrite(({ method }, result) =>
      method === 'getMultipleAccounts' ? new RpcFailure(-32_005, 'too many requests') : result,
    );
    clock.ms += 10_000;
    expect(await scrape()).to.deep.equal(said('Nan'));
    proxy.rewrite(() => new Promise(() => undefined));
    clock.ms += 10_000;
    const from = Date.now();
    expect(await scrape()).to.deep.equal(said('Nan'));
    expect(Date.now() - from).to.be.within(1_500, 5_000);
  });
});
