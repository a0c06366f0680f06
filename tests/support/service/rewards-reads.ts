// A wallet with rewards of both assets, and its requests.
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import { fieldsOf, type ApiAnswer } from '#tests/service/api-client.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { reward, startRewardsScene, type RewardsScene } from '#tests/service/rewards.js';
import { U64_MAX } from '#tests/constants.js';

/** Starts a service with rewards for the wallet, for the surrounding `describe`. */
export function useRewards() {
  const cluster = useCluster();
  const wallet = Keypair.generate();
  const address = wallet.publicKey.toBase58();
  let scene: RewardsScene;

  before('start the service', async () => {
    scene = await startRewardsScene(cluster());
    await reward(scene.database, wallet.publicKey, scene.mint, 'SOL', 1_500_000_000n);
    await reward(scene.database, wallet.publicKey, scene.mint, 'TOKEN', U64_MAX);
  });
  after(() => scene?.stop());

  const rewards = (headers: Record<string, string>, of = address) =>
    scene.api.get(`/rewards/${of}`, { headers });
  const rewardsOfToken = (headers: Record<string, string>, of = address) =>
    scene.api.get(`/rewards/${of}/tokens/${scene.mint}`, { headers });

  return { cluster, scene: () => scene, wallet, address, rewards, rewardsOfToken };
}

export const expectError = (answer: ApiAnswer, status: number, code: string, ...fields: string[]) => {
  expect([answer.status, answer.body['code']], answer.text).to.deep.equal([status, code]);
  expect(answer.body['status']).to.equal('error');
  expect(fieldsOf(answer)).to.deep.equal(fields);
};
