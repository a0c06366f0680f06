// Claims, and a reconciler that checks them through RPC nodes in whose history a test makes gaps.
import { Connection, Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { pino } from 'pino';
import { ClaimsRepository } from '#app/claims/repository.js';
import { Reconciler } from '#app/claims/reconciler.js';
import { createMetrics } from '#app/base/metrics.js';
import { makeBlocks } from '../cluster/blocks.js';
import { useCluster } from '../cluster/cluster.js';
import { SOL } from '../constants.js';
import { asRealNode, outliveBlockhash } from '../node/node-with-gaps.js';
import { startRpcProxy, type Rewrite, type RpcProxy } from '../node/rpc-proxy.js';
import {
  initiate,
  ledgerProblems,
  reward,
  startRewardsScene,
  transactionOf,
  type RewardsScene,
} from './rewards.js';

const NEVER_MS = 86_400_000;

/** One service and two RPC proxies for all tests of the surrounding `describe`. */
export function useClaimsWithGaps() {
  const cluster = useCluster();
  let scene: RewardsScene;
  let batching: RpcProxy;
  let single: RpcProxy;

  before('start the service', async () => {
    // The service's own reconciler runs only once, before any claim. The tests run their own.
    scene = await startRewardsScene(cluster(), { reconcilerIntervalMs: NEVER_MS });
    batching = await startRpcProxy(cluster().rpcUrl, { batches: true });
    single = await startRpcProxy(cluster().rpcUrl, { batches: false });
    both(asRealNode);
  });
  after(async () => {
    await scene?.stop();
    await batching?.stop();
    await single?.stop();
  });
  afterEach('the ledger adds up', async () => {
    both(asRealNode);
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
  });

  const both = (rewrite: Rewrite) => {
    for (const proxy of [batching, single]) proxy.rewrite(rewrite);
  };
  const repository = () => new ClaimsRepository(scene.database);
  const contextOf = (proxy: RpcProxy) => ({
    ...scene.service.context,
    // The proxies make Surfpool look like a real cluster.
    config: { ...scene.service.context.config, isSimulated: false },
    connection: new Connection(proxy.url, { commitment: 'confirmed', disableRetryOnRateLimit: true }),
    metrics: createMetrics({ ofProcess: false }),
  });
  /** A new reconciler without state of earlier passes. */
  const watch = (proxy: RpcProxy) => {
    /** The logged reasons why claims cannot be decided. */
    const reasons: string[] = [];
    const write = (line: string) => {
      const { reason, err } = JSON.parse(line) as { reason?: string; err?: { message: string } };
      reasons.push(reason ?? err?.message ?? line);
    };
    const context = { ...contextOf(proxy), logger: pino({ level: 'error' }, { write }) };
    const reconciler = new Reconciler(context, { repository: repository() });
    const undecidable = async () => {
      const text = await context.metrics.registry.metrics();
      return Number(/^curvekit_claims_undecidable (\d+)$/m.exec(text)?.[1]);
    };
    return { pass: () => reconciler.pass(), undecidable, reasons };
  };
  const expectState = async (signature: string, state: string, reasons: readonly string[] = []) =>
    expect(await stateOf(signature), reasons.join('; ')).to.equal(state);
  const claimOf = async (signature: string) => (await repository().find(signature))!;
  const stateOf = async (signature: string) => (await claimOf(signature)).state;
  const outlive = async (signature: string) =>
    outliveBlockhash(cluster(), (await claimOf(signature)).lastValidBlockHeight);

  const initiated = async () => {
    const wallet = Keypair.generate();
    await reward(scene.database, wallet.publicKey, scene.mint, 'SOL', SOL);
    const transaction = transactionOf(await initiate(scene, wallet, { claimType: 'SOL' }));
    const signature = bs58.encode(transaction.signatures[0]!);
    return { wallet, transaction, signature, blockhashSlot: (await claimOf(signature)).blockhashSlot };
  };
  /** A paid claim, neither in the first nor in the last block that can contain it. */
  const paid = async () => {
    const claim = await initiated();
    await makeBlocks(cluster(), 3);
    claim.transaction.sign([claim.wallet]);
    const { slot } = await cluster().sendSigned(claim.transaction);
    return { ...claim, slot };
  };

  return {
    cluster,
    scene: () => scene,
    /** Answers batch requests. */
    batching: () => batching,
    /** Refuses batch requests. */
    single: () => single,
    ...{ both, repository, contextOf, watch, expectState, stateOf, outlive, initiated, paid },
  };
}
