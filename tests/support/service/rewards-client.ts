// A service with rewards, and the SDK's client of it.
import { RewardsClient } from '@curvekit/sdk/rewards';
import { useCluster } from '#tests/cluster/cluster.js';
import { startRewardsScene, type RewardsScene } from '#tests/service/rewards.js';
import { rewardedWallet } from '#tests/service/browser-wallet.js';

/** One cluster, service and client for all tests of the surrounding `describe`. */
export function useRewardsClient() {
  const cluster = useCluster();
  let scene: RewardsScene;
  let client: RewardsClient;

  before('start the service', async () => {
    scene = await startRewardsScene(cluster());
    client = new RewardsClient({ baseUrl: `${scene.service.url}/`, fetch: scene.api.answers.fetch });
  });
  after(() => scene?.stop());

  const rewarded = (asset: 'SOL' | 'TOKEN', amount: bigint) => rewardedWallet(scene, asset, amount);

  const ofSol = () => ({ tokenAddress: scene.token.mint, claimType: 'SOL' }) as const;
  const toBurn = () => ({ tokenAddress: scene.token.mint, claimType: 'TOKEN', burnToken: true }) as const;

  return { cluster, scene: () => scene, client: () => client, rewarded, ofSol, toBurn };
}
