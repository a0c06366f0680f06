// A trader whose node a test makes fail: a real cluster behind a proxy that changes answers.
import { Connection, type Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress, buy, prepareTransaction, type PreparedTransaction } from '@curvekit/sdk';
import { useCluster } from '#tests/cluster/cluster.js';
import { startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { launch, tokensOf, type Token } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

/** One cluster, token and proxy for all tests of the surrounding `describe`. */
export function useFailingNode() {
  const cluster = useCluster();
  let trader: Keypair;
  let token: Token;
  let proxy: RpcProxy;
  let connection: Connection;

  before(async () => {
    trader = await cluster().fundedWallet(100n * SOL);
    token = await launch(cluster());
    proxy = await startRpcProxy(cluster().rpcUrl);
    connection = new Connection(proxy.url, { commitment: 'confirmed', disableRetryOnRateLimit: true });
  });

  afterEach(() => {
    proxy.rewrite(undefined);
    proxy.setDown(false);
  });

  after(() => proxy.stop());

  /** A signed buy. Each has a different amount, because equal transactions would have equal signatures. */
  let amount = SOL / 10n;
  async function signedBuy(minTokenToReceive = 0n): Promise<PreparedTransaction> {
    amount += 1n;
    const payer = trader.publicKey;
    const instructions = buy({ mint: token.mint, payer, solToSpend: amount, minTokenToReceive });
    const parts = { payer, instructions, computeUnitLimit: 200_000 };
    const prepared = await prepareTransaction(cluster().connection, parts);
    prepared.transaction.sign([trader]);
    return prepared;
  }

  function held(): Promise<bigint> {
    const account = associatedTokenAddress(trader.publicKey, token.mint).address;
    return tokensOf(cluster().connection, account).catch(() => 0n);
  }

  /** Expects that the transaction succeeded, in the returned slot. */
  async function expectBought(sending: Promise<{ signature: string; slot: number }>): Promise<void> {
    const { signature, slot } = await sending;
    const landed = await cluster().connection.getTransaction(signature, {
      maxSupportedTransactionVersion: 0,
    });
    expect(landed?.meta?.err).to.equal(null);
    expect(landed?.slot).to.equal(slot);
  }

  return {
    cluster,
    trader: () => trader,
    token: () => token,
    proxy: () => proxy,
    connection: () => connection,
    signedBuy,
    held,
    expectBought,
  };
}
