// A trader for each test: a new token, a new wallet, and an RPC proxy that a test can make fail.
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
  readonly proxied: Connection;
  /** Base units of the token that the wallet holds. */
  readonly held: () => Promise<bigint>;
  /** Lamports of the wallet. */
  readonly balance: () => Promise<bigint>;
}

/** @returns the running test's trader; call it only inside hooks and tests */
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
    const wallet = await cluster().fundedWallet(20n * SOL);
    const held = () => heldBy(cluster(), wallet, token);
    const balance = () => balanceOf(cluster(), wallet);
    trader = { token, wallet, proxy, proxied, held, balance };
  });
  afterEach(() => proxy.rewrite(undefined));
  return () => trader;
}

/** Base units of a token that the wallet holds. */
export function heldBy(
  { connection }: LocalCluster,
  { publicKey }: Keypair,
  { mint }: Pick<Token, 'mint'>,
): Promise<bigint> {
  return tokensOf(connection, associatedTokenAddress(publicKey, mint).address);
}

/** Lamports of the wallet. */
export function balanceOf({ connection }: LocalCluster, { publicKey }: Keypair) {
  return lamportsOf(connection, publicKey);
}

/** A browser wallet that signs, and lets the page send. */
export function signerOf(keypair: Keypair) {
  return {
    publicKey: keypair.publicKey,
    signTransaction: (transaction: VersionedTransaction) => {
      transaction.sign([keypair]);
      return Promise.resolve(transaction);
    },
  };
}

/** A wallet that signs and sends by itself, and returns the signature. */
export function senderOf({ connection }: LocalCluster, keypair: Keypair) {
  return {
    publicKey: keypair.publicKey,
    sendTransaction: (transaction: VersionedTransaction) => {
      transaction.sign([keypair]);
      return connection.sendRawTransaction(transaction.serialize());
    },
  };
}

/** No RPC node answers here, so every refusal must come before a request. */
export const nowhere = new Connection('http://127.0.0.1:9', { disableRetryOnRateLimit: true });

export class MemoryStore {
  readonly #texts = new Map<string, string>();
  getItem = (key: string) => this.#texts.get(key) ?? null;
  setItem = (key: string, text: string) => void this.#texts.set(key, text);
  removeItem = (key: string) => void this.#texts.delete(key);
}

/** The wallet, with something that happens before it signs, such as a change of the transaction. */
export function signingAfter(wallet: Keypair, first: (transaction: VersionedTransaction) => unknown) {
  return {
    publicKey: wallet.publicKey,
    signTransaction: async (transaction: VersionedTransaction) => {
      await first(transaction);
      return signerOf(wallet).signTransaction(transaction);
    },
  };
}

/** For `signingAfter`: the test fails when the wallet is asked. */
export const REFUSE_TO_SIGN = () => Promise.reject(new Error('it was asked to sign'));
