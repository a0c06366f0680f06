// Tokens of the Market API on a real cluster: one that is traded, one that has graduated, and one without a trade.
import type { Keypair } from '@solana/web3.js';
import { associatedTokenAddress, sell } from '@curvekit/sdk';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { startMarketScene, type MarketScene } from '#tests/service/market.js';
import { buyTokens, launch, tokensOf, WHOLE_CURVE_LAMPORTS, type Token } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

export const addressOf = ({ mint }: Token) => mint.toBase58();
export const namesOf = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

/** One cluster, service and three tokens for all tests of the surrounding `describe`. */
export function useMarketTokens() {
  const cluster = useKeyHeldCluster();
  let scene: MarketScene;
  let trader: Keypair;
  let creator: Keypair;
  let traded: Token;
  let graduated: Token;
  let quiet: Token;

  before(async () => {
    trader = await cluster().fundedWallet(200n * SOL);
    creator = await cluster().fundedWallet(10n * SOL);
    scene = await startMarketScene(cluster());
    quiet = await launch(cluster(), { name: 'Quiet Night', symbol: 'QUIET' }, creator);
    traded = await launch(cluster(), { name: '$Morning Coffee', symbol: 'COFFEE' }, creator);
    graduated = await launch(cluster(), { name: 'Paper Boat', symbol: 'BOAT' });
    await buyTokens(cluster(), traded, trader, SOL);
    await buyTokens(cluster(), traded, creator, 2n * SOL);
    const { mint } = traded;
    const held = await tokensOf(cluster().connection, associatedTokenAddress(trader.publicKey, mint).address);
    const params = { mint, payer: trader.publicKey, deployment: cluster().deployment };
    await cluster().send(sell({ ...params, tokenToSpend: held / 2n, minSolToReceive: 0n }), [trader]);
    await buyTokens(cluster(), graduated, trader, WHOLE_CURVE_LAMPORTS);
    await scene.untilTraded(traded, 3);
    await scene.untilTraded(graduated, 1);
  });
  after(() => scene?.service.stop());

  return {
    cluster,
    scene: () => scene,
    trader: () => trader,
    creator: () => creator,
    traded: () => traded,
    graduated: () => graduated,
    quiet: () => quiet,
  };
}
