// Trades with Kit's types: one cluster, an RPC proxy whose answers a test can change, a new token and wallet for each
// test.
import {
  appendTransactionMessageInstructions,
  createSolanaRpc,
  createTransactionMessage,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type Address,
  type Blockhash,
  type Instruction,
  type KeyPairSigner,
  type Transaction,
  type TransactionModifyingSigner,
} from '@solana/kit';
import { Keypair } from '@solana/web3.js';
import { associatedTokenAddress } from '@curvekit/sdk';
import { lamportsOf } from '../cluster/accounts.js';
import { useCluster } from '../cluster/cluster.js';
import { SOL } from '../constants.js';
import { startRpcProxy, type RpcProxy } from '../node/rpc-proxy.js';
import { launch, tokensOf, type Token } from '../program/tokens.js';
import { signerOf } from './convert.js';
import { kitTrading, type KitMajor, type KitTrading } from './kit-entry.js';

export const KITTEN = { name: 'Kitten', symbol: 'KIT', uri: 'https://example.org/kitten.json' };

/** The initial state of a test. */
export interface KitTrader {
  readonly kit: KitTrading;
  readonly token: Token;
  readonly mint: Address;
  /** The keypair of `wallet`. */
  readonly keypair: Keypair;
  readonly wallet: KeyPairSigner;
  readonly proxy: RpcProxy;
}

/** @returns helpers; `current()` is the state of the running test */
export function useKitTrader(major: KitMajor) {
  const cluster = useCluster();
  let kit: KitTrading;
  let proxy: RpcProxy;
  let current: KitTrader;

  before(async () => {
    kit = await kitTrading(major);
    proxy = await startRpcProxy(cluster().rpcUrl);
  });
  after(() => proxy.stop());
  beforeEach(async () => {
    const token = await launch(cluster());
    const keypair = await cluster().fundedWallet(20n * SOL);
    const mint = token.mint.toBase58() as Address;
    current = { kit, token, mint, keypair, wallet: await signerOf(keypair), proxy };
  });
  afterEach(() => proxy.rewrite(undefined));

  const rpc = () => createSolanaRpc(cluster().rpcUrl);
  return {
    cluster,
    current: () => current,
    rpc,
    proxied: () => createSolanaRpc(proxy.url),
    /** The wallet's tokens; by default of the test's token. */
    held: (of: Pick<Token, 'mint'> = current.token) =>
      tokensOf(cluster().connection, associatedTokenAddress(current.keypair.publicKey, of.mint).address),
    balance: () => lamportsOf(cluster().connection, current.keypair.publicKey),

    /** A signed transaction, with the latest blockhash unless a lifetime is given. */
    transferOf: async (
      payer: KeyPairSigner,
      instructions: readonly Instruction[],
      lifetime?: { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint },
    ) => {
      const latest = lifetime ?? (await rpc().getLatestBlockhash().send()).value;
      const paid = setTransactionMessageFeePayerSigner(payer, createTransactionMessage({ version: 0 }));
      const timed = setTransactionMessageLifetimeUsingBlockhash(latest, paid);
      return signTransactionMessageWithSigners(appendTransactionMessageInstructions(instructions, timed));
    },
  };
}

/** A blockhash that no block has. */
export function unknownBlockhash(): Blockhash {
  return Keypair.generate().publicKey.toBase58() as Blockhash;
}

type Signed = Awaited<ReturnType<TransactionModifyingSigner['modifyAndSignTransactions']>>[number];

/** The result of a wallet that asks its user to sign. */
export async function signedBy(
  wallet: KeyPairSigner,
  transactions: readonly Transaction[],
): Promise<readonly Signed[]> {
  const signatures = await wallet.signTransactions(transactions as never);
  return transactions.map((transaction, index) => ({
    ...transaction,
    signatures: { ...transaction.signatures, ...signatures[index] },
  })) as unknown as readonly Signed[];
}
