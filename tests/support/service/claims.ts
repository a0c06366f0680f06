// Wallets that claim from a service behind an RPC proxy, and the amounts that they get.
import { expect } from 'chai';
import type { Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import { createBurnInstruction, createCloseAccountInstruction } from '@solana/spl-token';
import { associatedTokenAddress } from '@curvekit/sdk';
import type { ApiAnswer } from '#tests/service/api-client.js';
import { useCluster } from '#tests/cluster/cluster.js';
import {
  initiate,
  ledgerProblems,
  signed,
  useRewardsScene,
  transactionOf,
  type SceneOptions,
} from '#tests/service/rewards.js';
import { startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import type { Asset } from '#app/ledger/accounts.js';

export const NETWORK_FEE = 10_000n;
export const WALLET_RENT = 890_880n;
export const ACCOUNT_RENT = 2_039_280n;
export const TOKENS = 1_234_567_890n;
export const DAY_MS = 24 * 60 * 60_000;

/** Starts the service for the surrounding `describe`. The ledger must add up after each test. */
export function useClaims({ overrides }: Pick<SceneOptions, 'overrides'> = {}) {
  const cluster = useCluster();
  let proxy: RpcProxy;
  /** Milliseconds that the service's clock is ahead. */
  const clock = { ahead: 0 };

  before(async () => (proxy = await startRpcProxy(cluster().rpcUrl)));
  const scene = useRewardsScene(cluster, () => ({
    environment: { RPC_URL: proxy.url, WS_URL: cluster().wsUrl },
    overrides: { now: () => Date.now() + clock.ahead, ...overrides },
  }));
  after(() => proxy?.stop());
  afterEach('the ledger adds up', async () => {
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
  });

  const counted = async (name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> => {
    const { values } = await scene.service.context.metrics.registry.getSingleMetric(name)!.get();
    const found = values.find((one) =>
      Object.entries(labels).every(([label, of]) => one.labels[label] === of),
    );
    return found?.value ?? 0;
  };
  const claimSol = (wallet: Keypair) => initiate(scene, wallet, { claimType: 'SOL' });
  const claimTokens = (wallet: Keypair, burnToken?: boolean) =>
    initiate(scene, wallet, { claimType: 'TOKEN', ...(burnToken === undefined ? {} : { burnToken }) });
  const submit = async (answer: ApiAnswer, wallet: Keypair): Promise<string> => {
    const transaction = transactionOf(answer);
    transaction.sign([wallet]);
    const { signature } = await cluster().sendSigned(transaction);
    return signature;
  };
  const unclaimed = async (wallet: Keypair): Promise<{ sol: bigint; token: bigint }> => {
    const path = `/rewards/${wallet.publicKey.toBase58()}/tokens/${scene.mint}`;
    const { body } = await scene.api.get(path, { headers: signed(wallet) });
    const amounts = (body['data'] as { unclaimedRewards: { sol: number; token: number } }).unclaimedRewards;
    return { sol: BigInt(amounts.sol), token: BigInt(amounts.token) };
  };
  const tokensOf = async (owner: PublicKey): Promise<bigint> => {
    const account = associatedTokenAddress(owner, scene.token.mint).address;
    const { value } = await cluster().connection.getTokenAccountBalance(account);
    return BigInt(value.amount);
  };
  /** Closes the wallet's token account and collects its rent at no cost. */
  const closeAccount = async (wallet: Keypair): Promise<void> => {
    const account = associatedTokenAddress(wallet.publicKey, scene.token.mint).address;
    const held = await tokensOf(wallet.publicKey);
    const instructions = [
      createBurnInstruction(account, scene.token.mint, wallet.publicKey, held),
      createCloseAccountInstruction(account, wallet.publicKey, wallet.publicKey),
    ];
    await cluster().send(held === 0n ? instructions.slice(1) : instructions, [cluster().payer, wallet]);
  };
  const submitRaw = (transaction: VersionedTransaction) =>
    cluster().connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });

  return {
    cluster,
    scene,
    proxy: () => proxy,
    clock,
    rewarded: (asset: Asset, amount: bigint) => scene.rewarded(asset, amount),
    counted,
    claimSol,
    claimTokens,
    submit,
    unclaimed,
    tokensOf,
    closeAccount,
    submitRaw,
  };
}
