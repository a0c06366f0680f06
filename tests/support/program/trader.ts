// Somebody who is about to trade: for each test a new token, a new wallet, and a node that can be made to fail.
import { Connection, type Keypair, type VersionedTransaction } from '@solana/web3.js';
import { associatedTokenAddress } from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { SOL } from '#tests/constants.js';
import { startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { launch, tokensOf, type Token } from './tokens.js';

export interface Trader {
  readonly token: Token;
  /** Has 20 SOL. */
  readonly wallet: Keypair;
  readonly proxy: RpcProxy;
  /** To the cluster through the proxy. */
  readonly proxied: Connection;
}

/** @returns the trader of the test that runs; call it inside hooks and tests only */
export function useTrader(cluster: () => LocalCluster): () => Trader {
  let proxy: RpcProxy;
  let proxied: Connection;
  let trader: Trader;
  before(async () => {
    proxy = await startRpcProxy(cluster().rpcUrl);
    proxied = new Connection(proxy.url, { commitment: 'confirmed', disableRetryOnRateLimit: true });
  });
  after(() => proxy.stop());
  beforeEach(async () => {
    const token = await launch(cluster());
    trader = { token, wallet: await cluster().fundedWallet(20n * SOL), proxy, proxied };
  });
  afterEach(() => proxy.rewrite(undefined));
  return () => trader;
}

/** Token units that the wallet holds. */
export function heldBy(
  { connection }: LocalCluster,
  { publicKey }: Keypair,
  { mint }: Token,
): Promise<bigint> {
  return tokensOf(connection, associatedTokenAddress(publicKey, mint).address);
}

/** Its lamports. */
export function balanceOf({ connection }: LocalCluster, { publicKey }: Keypair) {
  return lamportsOf(connection, publicKey);
}

/** A wallet as browsers have it: it signs, and the page sends. */
export function signerOf(keypair: Keypair) {
  return {
    publicKey: keypair.publicKey,
    signTransaction: (transaction: VersionedTransaction) => {
      transaction.sign([keypair]);
      return Promise.resolve(transaction);
    },
  };
}

/** A wallet that signs and sends by itself, and tells the signature. */
export function senderOf({ connection }: LocalCluster, keypair: Keypair) {
  return {
    publicKey: keypair.publicKey,
    sendTransaction: (transaction: VersionedTransaction) => {
      transaction.sign([keypair]);
      return connection.sendRawTransaction(transaction.serialize());
    },
  };
}

/** No node answers here: what is refused before any request is refused here too. */
export const nowhere = new Connection('http://127.0.0.1:9', { disableRetryOnRateLimit: true });

/** A store as `localStorage` is one. */
export class MemoryStore {
  readonly #texts = new Map<string, string>();
  getItem = (key: string) => this.#texts.get(key) ?? null;
  setItem = (key: string, text: string) => void this.#texts.set(key, text);
  removeItem = (key: string) => void this.#texts.delete(key);
}
