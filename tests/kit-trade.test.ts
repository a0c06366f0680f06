// One call for a trade or a launch with Kit: the same source as @curvekit/sdk/trade, so here is what differs. Signers, the node behind
// Kit's client, addresses in results and errors.
import {
  appendTransactionMessageInstructions,
  createNoopSigner,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type Address,
  type Blockhash,
  type Instruction,
  type KeyPairSigner,
  type Transaction,
  type TransactionModifyingSigner,
  type TransactionSendingSigner,
} from '@solana/kit';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import bs58 from 'bs58';
import { associatedTokenAddress, quoteBuy, quoteBuyExactOut, quoteSell } from '@curvekit/sdk';
import { trade as tradeWithWeb3, type TradeParams as Web3Params } from '@curvekit/sdk/trade';
import type { TradeParams } from '@curvekit/sdk/kit/trade';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { expectLanded } from '#tests/cluster/landed.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { signerOf } from '#tests/kit/convert.js';
import { KIT_MAJORS, kitTrading, type KitTrading } from '#tests/kit/kit-entry.js';
import { rejection } from '#tests/mocha/failures.js';
import { RpcFailure, startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { buyTokens, curveState, launch, tokensOf, type Token } from '#tests/program/tokens.js';

const TOKEN_ACCOUNT_RENT = 2_039_280n;
const TOKENS = 10n ** 12n;
const POLLING = ['getEpochInfo', 'getSignatureStatuses', 'getTransaction'];
const TERMS = { name: 'Kitten', symbol: 'KIT', uri: 'https://example.org/kitten.json' };

for (const major of KIT_MAJORS) {
  describe(`trade and launch in one call with ${major}`, () => {
    const cluster = useCluster();
    let kit: KitTrading;
    let token: Token;
    let mint: Address;
    let keypair: Keypair;
    let wallet: KeyPairSigner;
    let proxy: RpcProxy;

    before(async () => {
      kit = await kitTrading(major);
      proxy = await startRpcProxy(cluster().rpcUrl);
    });

    after(() => proxy.stop());

    beforeEach(async () => {
      token = await launch(cluster());
      mint = token.mint.toBase58() as Address;
      keypair = await cluster().fundedWallet(20n * SOL);
      wallet = await signerOf(keypair);
    });

    afterEach(() => proxy.rewrite(undefined));

    const rpc = () => createSolanaRpc(cluster().rpcUrl);
    const proxied = () => createSolanaRpc(proxy.url);
    const common = () => ({ mint, wallet });
    const held = (owner: Token = token) =>
      tokensOf(cluster().connection, associatedTokenAddress(keypair.publicKey, owner.mint).address);
    const balance = () => lamportsOf(cluster().connection, keypair.publicKey);

    it('buys and sells as quoted, and tells what has moved with Kit’s types', async () => {
      const quote = quoteBuy(await curveState(cluster(), token), SOL);
      const before = await balance();
      const bought = await kit.trade(rpc(), { ...common(), solToSpend: SOL });
      expect(bought).to.include({ side: 'buy', venue: 'curve', solAmount: SOL, swap: undefined });
      expect(bought).to.include({ tokenAmount: quote.tokenOut, platformFee: quote.fee });
      expect(bought.price).to.deep.equal({ lamports: SOL, tokenUnits: quote.tokenOut });
      expect(bought.record).to.include({ mint, trader: wallet.address, virtualSol: quote.virtualSol });
      expect(bought.slot).to.be.a('bigint');
      expect(await held()).to.equal(quote.tokenOut);
      expect(bought.walletChange).to.equal((await balance()) - before);
      expect(bought.walletChange).to.equal(-(SOL + bought.networkFee + TOKEN_ACCOUNT_RENT));

      const { solOut } = quoteSell(await curveState(cluster(), token), quote.tokenOut);
      const all = { ...common(), tokenToSpend: 'all', closeTokenAccount: true } as const;
      const sold = await kit.trade(rpc(), all);
      expect(sold).to.include({ side: 'sell', tokenAmount: quote.tokenOut, solAmount: solOut });
      expect(sold.walletChange).to.equal(solOut - sold.networkFee + TOKEN_ACCOUNT_RENT);
      const { value } = await rpc().getSignatureStatuses([bought.signature, sold.signature]).send();
      expect(value.map((status) => status?.slot)).to.deep.equal([bought.slot, sold.slot]);
    });

    it('meets exact amounts for the least', async () => {
      const { solToSpend } = quoteBuyExactOut(await curveState(cluster(), token), TOKENS);
      const bought = await kit.trade(rpc(), { ...common(), tokenToReceive: TOKENS });
      expect(bought.solAmount).to.equal(solToSpend);
      expect(bought.tokenAmount >= TOKENS).to.equal(true);
      const sold = await kit.trade(rpc(), { ...common(), solToReceive: 1_000_000n });
      expect(sold.solAmount >= 1_000_000n && sold.solAmount <= 1_000_001n).to.equal(true);
    });

    it('quotes an exact amount again when the price moves while the wallet signs', async () => {
      let signatures = 0;
      const slow: TransactionModifyingSigner = {
        address: wallet.address,
        modifyAndSignTransactions: async (transactions) => {
          signatures += 1;
          if (signatures === 1) await buyTokens(cluster(), token, cluster().payer, SOL / 20n);
          return signedBy(wallet, transactions);
        },
      };
      const { tokenAmount } = await kit.trade(rpc(), { mint, wallet: slow, tokenToReceive: TOKENS });
      expect(signatures).to.equal(2);
      expect(tokenAmount >= TOKENS).to.equal(true);
      signatures = 0;
      const params = { mint, wallet: slow, tokenToReceive: TOKENS, slippageBps: 0 };
      const error = await rejection(kit.trade(rpc(), params), Error);
      expect(kit.isSlippageError(error), String(error)).to.equal(true);
    });

    it('launches with a first buy, with a mint of its own or a given one', async () => {
      const before = await balance();
      const result = await kit.launch(rpc(), { wallet, ...TERMS, afterMigrationFee: 100, firstBuy: SOL });
      expect(result.record).to.include({ ...TERMS, mint: result.mint.address, creator: wallet.address });
      expect(result.firstBuy).to.include({ solAmount: SOL, platformFee: SOL / 100n });
      expect(await held({ ...token, mint: new PublicKey(result.mint.address) })).to.equal(
        result.firstBuy?.tokenAmount,
      );
      expect(result.walletChange).to.equal((await balance()) - before);
      const key = await generateKeyPairSigner();
      const launched = await kit.launch(rpc(), { wallet, mint: key, ...TERMS });
      expect([launched.mint, launched.firstBuy]).to.deep.equal([key, undefined]);
      const again = kit.launch(rpc(), { wallet, mint: key, ...TERMS });
      expect((await rejection(again, Error)).message).to.equal(
        `mint is ${key.address}, which exists; use a new key`,
      );
    });

    it('follows what a signer sends by itself, and tells each step', async () => {
      const steps: string[] = [];
      const note = (step: string) => (signature: string) => {
        steps.push(`${step} ${signature}`);
        throw new Error('a display that fails');
      };
      const sending: TransactionSendingSigner = {
        address: wallet.address,
        signAndSendTransactions: async (transactions) => {
          const [transaction] = await signedBy(wallet, transactions);
          const wire = getBase64EncodedWireTransaction(transaction!);
          const signature = await rpc().sendTransaction(wire, { encoding: 'base64' }).send();
          return [bs58.decode(signature) as never];
        },
      };
      const callbacks = { onSigned: note('signed'), onSent: note('sent'), onConfirmed: note('confirmed') };
      const params = { mint, wallet: sending, solToSpend: SOL, ...callbacks };
      const { signature, tokenAmount } = await kit.trade(rpc(), params);
      expect(steps).to.deep.equal([`signed ${signature}`, `sent ${signature}`, `confirmed ${signature}`]);
      expect(await held()).to.equal(tokenAmount);
      expect((await kit.launch(rpc(), { wallet: sending, ...TERMS })).record.name).to.equal('Kitten');
    });

    it('does not say that nothing was sent when a signer that sends does not tell the signature', async () => {
      const silent: TransactionSendingSigner = {
        address: wallet.address,
        signAndSendTransactions: () => Promise.resolve([]),
      };
      const trading = kit.trade(rpc(), { mint, wallet: silent, solToSpend: SOL });
      expect(await rejection(trading, Error)).to.be.instanceOf(kit.OutcomeUnknownError);
    });

    it('sends through other nodes, or a sender, where the node takes nothing', async () => {
      const lame = {
        ...rpcMethods(rpc()),
        sendTransaction: () => ({ send: () => Promise.reject(new Error('503')) }),
      } as never;
      const many = await kit.trade(lame, { ...common(), solToSpend: SOL, sendRpcs: [rpc()] });
      expect(many.solAmount).to.equal(SOL);
      let sent = 0;
      const sender = (transaction: Transaction) => {
        sent += 1;
        const wire = getBase64EncodedWireTransaction(transaction);
        return rpc().sendTransaction(wire, { encoding: 'base64' }).send();
      };
      const own = await kit.trade(lame, { ...common(), solToSpend: SOL, sender });
      expect([own.solAmount, sent]).to.deep.equal([SOL, 1]);
    });

    it('needs four requests beside polling', async () => {
      const before = new Map(proxy.calls);
      await kit.trade(proxied(), { ...common(), solToSpend: SOL });
      const calls = [...proxy.calls].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
      const made = calls.filter(([name, count]) => count > 0 && !POLLING.includes(name));
      expect(Object.fromEntries(made)).to.deep.equal({
        getMultipleAccounts: 1,
        getRecentPrioritizationFees: 1,
        simulateTransaction: 1,
        sendTransaction: 1,
      });
    });

    describe('refuses', () => {
      it('with the words and amounts of web3.js’s trade, and addresses for keys', async () => {
        const poor = await cluster().fundedWallet(SOL / 2n);
        const options = { solToSpend: SOL, computeUnitPrice: 0n };
        const { message } = await rejection(
          tradeWithWeb3(cluster().connection, { mint: token.mint, wallet: poor, ...options }),
          Error,
        );
        const noop = createNoopSigner(poor.publicKey.toBase58() as Address);
        const short = await rejection(kit.trade(rpc(), { mint, wallet: noop, ...options }), Error);
        expect(short.message).to.equal(message);
        expect(short).to.be.instanceOf(kit.InsufficientSolError);
        expect(short).to.include({ wallet: noop.address, needed: 1_002_044_280n, available: SOL / 2n });

        const none = await rejection(kit.trade(rpc(), { ...common(), tokenToSpend: 1n }), Error);
        expect(none).to.be.instanceOf(kit.NoTokenAccountError).with.property('mint', mint);
        await kit.trade(rpc(), { ...common(), solToSpend: SOL / 10n });
        const needed = (await held()) + 1n;
        const few = await rejection(kit.trade(rpc(), { ...common(), tokenToSpend: needed }), Error);
        expect(few).to.be.instanceOf(kit.InsufficientTokensError).with.property('needed', needed);
      });

      it('a cluster without the launchpad', async () => {
        proxy.rewrite(({ method }, result) => {
          if (method !== 'getMultipleAccounts') return result;
          const { context, value } = result as { context: unknown; value: unknown[] };
          return { context, value: value.map(() => null) };
        });
        const error = await rejection(kit.trade(proxied(), { ...common(), solToSpend: SOL }), Error);
        expect(error).to.be.instanceOf(kit.WrongClusterError);
        expect(error.message).to.include('has no properties on the cluster of the RPC node; use');
      });

      it('nonsense as web3.js’s trade does, before any request', async () => {
        const dead = createSolanaRpc('http://127.0.0.1:9');
        for (const params of [
          {},
          { solToSpend: 1n, tokenToSpend: 1n },
          { solToSpend: 0n },
          { tokenToReceive: 1 },
          { solToSpend: 1n, slippageBps: 10_001 },
          { solToSpend: 1n, computeUnitPrice: -1n },
          { solToSpend: 1n, highestComputeUnitPrice: 1 },
          { solToSpend: 1n, stallTimeoutMs: 0 },
        ]) {
          const theirs = { mint: token.mint, wallet: keypair, ...params } as unknown as Web3Params;
          const expected = await rejection(
            tradeWithWeb3(new Connection('http://127.0.0.1:9'), theirs),
            Error,
          );
          const mine = { ...common(), ...params } as unknown as TradeParams;
          const error = await rejection(kit.trade(dead, mine), Error);
          expect([error.name, error.message]).to.deep.equal([expected.name, expected.message]);
          expect(error).to.be.instanceOf(kit.InvalidArgumentError);
        }
        for (const [argument, work] of [
          ['mint', () => kit.trade(dead, { wallet, solToSpend: 1n, mint: 'short' as Address })],
          ['wallet', () => kit.trade(dead, { mint, solToSpend: 1n, wallet: undefined as never })],
          ['wallet', () => kit.trade(dead, { mint, solToSpend: 1n, wallet: { address: mint } as never })],
          ['mint', () => kit.launch(dead, { wallet, ...TERMS, mint: { address: mint } as never })],
          ['mint', () => kit.launch(dead, { wallet, ...TERMS, mint: mint as never })],
          ['name', () => kit.launch(dead, { wallet, ...TERMS, name: '' })],
          ['firstBuy', () => kit.launch(dead, { wallet, ...TERMS, firstBuy: 0n })],
          ['transaction', () => kit.sendAndConfirm(dead, undefined as never)],
        ] as const) {
          const error = await rejection(work() as Promise<unknown>, Error);
          expect(error, argument)
            .to.be.instanceOf(kit.InvalidArgumentError)
            .with.property('argument', argument);
        }
      });

      it('what a wallet returns for another transaction', async () => {
        const stranger = await generateKeyPairSigner();
        const swapping: TransactionModifyingSigner = {
          address: wallet.address,
          modifyAndSignTransactions: async () => [await transferOf(stranger, [])],
        };
        const error = await rejection(kit.trade(rpc(), { mint, wallet: swapping, solToSpend: SOL }), Error);
        expect(error).to.be.instanceOf(kit.ChangedTransactionError);
        expect(error.message).to.equal(
          'the wallet changed the transaction: another account pays for it; it was not sent',
        );
        const blind = createNoopSigner(wallet.address);
        const unsigned = await rejection(kit.trade(rpc(), { mint, wallet: blind, solToSpend: SOL }), Error);
        expect(unsigned.message).to.equal('transaction lacks the signature of its fee payer');
      });
    });

    describe('on the way', () => {
      it('sends nothing when it is aborted before', async () => {
        const before = await balance();
        const controller = new AbortController();
        const aborting: TransactionModifyingSigner = {
          address: wallet.address,
          modifyAndSignTransactions: (transactions) => {
            controller.abort(new Error('changed my mind'));
            return signedBy(wallet, transactions);
          },
        };
        const { signal } = controller;
        for (const given of [aborting, wallet]) {
          const trading = kit.trade(rpc(), { mint, wallet: given, solToSpend: SOL, signal });
          expect((await rejection(trading, Error)).message).to.equal('changed my mind');
        }
        expect(await balance()).to.equal(before);
      });

      it('has the signature of what may have landed when it is aborted after the sending', async () => {
        proxy.rewrite(({ method }, result) =>
          method === 'getSignatureStatuses' ? { context: { slot: 1 }, value: [null] } : result,
        );
        const controller = new AbortController();
        const onSent = () => setTimeout(() => controller.abort(), 50);
        const params = { ...common(), solToSpend: SOL, signal: controller.signal, onSent };
        const error = await rejection(kit.trade(proxied(), params), Error);
        expect(error).to.be.instanceOf(kit.OutcomeUnknownError);
        const { signature } = error as unknown as { signature: string };
        await expectLanded(cluster().connection, signature);
      });

      it('says that the blockhash has expired while the wallet signed', async () => {
        proxy.rewrite(({ method }, result) => {
          if (method !== 'simulateTransaction') return result;
          const { context, value } = result as { context: unknown; value: object };
          const replacementBlockhash = { blockhash: nowhere(), lastValidBlockHeight: 10 ** 6 };
          return { context, value: { ...value, replacementBlockhash } };
        });
        const before = await balance();
        const error = await rejection(kit.trade(proxied(), { ...common(), solToSpend: SOL }), Error);
        expect(error).to.be.instanceOf(kit.BlockhashExpiredError);
        expect(error.message).to.include('was not sent: its blockhash');
        expect(await balance()).to.equal(before);
      });
    });

    describe('sendAndConfirm', () => {
      it('lands what the caller has built and signed, once', async () => {
        const market = (await kit.fetchMarket(rpc(), mint))!;
        const quote = kit.quoteBuy(market, SOL, 100);
        const transaction = await transferOf(wallet, await kit.buy({ payer: wallet, market, ...quote }));
        const { signature, slot } = await kit.sendAndConfirm(rpc(), transaction);
        expect(await held()).to.equal(quote.tokenOut);
        expect(await kit.sendAndConfirm(rpc(), transaction)).to.deep.equal({ signature, slot });
        expect(await held()).to.equal(quote.tokenOut);
      });

      it('names what the program refuses, in the preflight and on chain', async () => {
        const order = { payer: wallet, mint, solToSpend: 1_000n, minTokenToReceive: 10n ** 15n };
        for (const skipPreflight of [false, true]) {
          const transaction = await transferOf(wallet, await kit.buy(order));
          const error = await rejection(kit.sendAndConfirm(rpc(), transaction, { skipPreflight }), Error);
          expect(error.message).to.equal(
            'instruction 1 (buyToken) failed: SlippageError (6003): Slippage error',
          );
          expect(kit.isSlippageError(error)).to.equal(true);
        }
      });

      it('tells that a transaction has expired, which can never land', async () => {
        const lifetime = { blockhash: nowhere(), lastValidBlockHeight: 0n };
        const transaction = await transferOf(wallet, [], lifetime);
        const error = await rejection(kit.sendAndConfirm(rpc(), transaction, { skipPreflight: true }), Error);
        expect(error, String(error)).to.be.instanceOf(kit.TransactionExpiredError);
      });

      it('goes on when the node does not take it for reasons of its own', async () => {
        proxy.rewrite(({ method }, result) =>
          method === 'sendTransaction' ? new RpcFailure(-32005, 'Node is unhealthy') : result,
        );
        const transaction = await transferOf(wallet, []);
        expect((await kit.sendAndConfirm(proxied(), transaction)).slot > 0n).to.equal(true);
      });

      it('does not call it expired when the node keeps no history', async () => {
        proxy.rewrite(({ method, params }, result) => {
          if (method === 'getEpochInfo') return { ...(result as object), blockHeight: 10_000 };
          if (method !== 'getSignatureStatuses') return result;
          const { searchTransactionHistory: asked } = params[1] as { searchTransactionHistory?: boolean };
          return asked === true
            ? new RpcFailure(-32011, 'Transaction history is not available from this node')
            : { context: (result as { context: unknown }).context, value: [null] };
        });
        const sending = kit.sendAndConfirm(proxied(), await transferOf(wallet, []));
        const error = await rejection(sending, Error);
        expect(error).to.be.instanceOf(kit.OutcomeUnknownError);
        expect(error.message).to.include('does not keep the blocks that it would be in');
      });

      it('stops at the signal', async () => {
        const signal = AbortSignal.abort(new Error('enough'));
        const sending = kit.sendAndConfirm(rpc(), await transferOf(wallet, []), { signal });
        expect((await rejection(sending, Error)).message).to.equal('enough');
      });
    });

    async function transferOf(
      payer: KeyPairSigner,
      instructions: readonly Instruction[],
      lifetime?: { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint },
    ) {
      const latest = lifetime ?? (await rpc().getLatestBlockhash().send()).value;
      const paid = setTransactionMessageFeePayerSigner(payer, createTransactionMessage({ version: 0 }));
      const timed = setTransactionMessageLifetimeUsingBlockhash(latest, paid);
      return signTransactionMessageWithSigners(appendTransactionMessageInstructions(instructions, timed));
    }
  });
}

function nowhere(): Blockhash {
  return Keypair.generate().publicKey.toBase58() as Blockhash;
}

type Signed = Awaited<ReturnType<TransactionModifyingSigner['modifyAndSignTransactions']>>[number];

/** What a wallet that asks its owner returns. */
async function signedBy(
  wallet: KeyPairSigner,
  transactions: readonly Transaction[],
): Promise<readonly Signed[]> {
  const signatures = await wallet.signTransactions(transactions as never);
  return transactions.map((transaction, index) => ({
    ...transaction,
    signatures: { ...transaction.signatures, ...signatures[index] },
  })) as unknown as readonly Signed[];
}

/** Kit's client makes a method of every name: an object of those that a trade uses. */
function rpcMethods(rpc: ReturnType<typeof createSolanaRpc>): Record<string, unknown> {
  const names = [
    'getBlockHeight',
    'getEpochInfo',
    'getLatestBlockhash',
    'getMultipleAccounts',
    'getRecentPrioritizationFees',
    'getSignatureStatuses',
    'getTransaction',
    'simulateTransaction',
  ] as const;
  return Object.fromEntries(names.map((name) => [name, (rpc[name] as () => unknown).bind(rpc)]));
}
