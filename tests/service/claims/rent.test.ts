// web3.js answers 0 when the RPC node refuses to tell the rent. Nothing may be planned or paid with that.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { claims } from '#app/db/schema/index.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { RpcFailure, startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { initiate, reward, startRewardsScene, type RewardsScene } from '#tests/service/rewards.js';

const TOKENS = 1_000_000n;
const ACCOUNT_RENT = 2_039_280n;

describe('claims while the RPC node refuses to tell the rent', function () {
  this.timeout(120_000);
  const cluster = useCluster();
  let proxy: RpcProxy;
  let scene: RewardsScene;

  before(async () => {
    proxy = await startRpcProxy(cluster().rpcUrl);
    scene = await startRewardsScene(cluster(), { environment: { RPC_URL: proxy.url } });
  });
  after(async () => {
    await scene?.stop();
    await proxy?.stop();
  });

  it('are refused for now, and then need the whole rent', async () => {
    const wallet = Keypair.generate();
    await reward(scene.database, wallet.publicKey, scene.mint, 'TOKEN', TOKENS);
    proxy.rewrite(({ method }, result) =>
      method === 'getMinimumBalanceForRentExemption' ? new RpcFailure(-32_005, 'Node is behind') : result,
    );
    expect((await initiate(scene, wallet, { claimType: 'TOKEN' })).status).to.equal(503);
    proxy.rewrite(undefined);
    expect((await initiate(scene, wallet, { claimType: 'TOKEN' })).status).to.equal(200);
    const [claim] = await scene.database.queries.select().from(claims);
    expect(claim).to.include({ opensAccount: true, rent: ACCOUNT_RENT });
  });
});
