// Trades with Kit: refusals, interruptions, and `sendAndConfirm`.
import {
  createNoopSigner,
  createSolanaRpc,
  generateKeyPairSigner,
  type Address,
  type KeyPairSigner,
  type TransactionModifyingSigner,
} from '@solana/kit';
import { Connection, type Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { trade as tradeWithWeb3, type TradeParams as Web3Params } from '@curvekit/sdk/trade';
import type { TradeParams } from '@curvekit/sdk/kit/trade';
import { expectLanded } from '../../../tests/support/cluster/landed.js';
import { SOL } from '../../../tests/support/constants.js';
import { KIT_MAJORS, type KitTrading } from '../../../tests/support/kit/kit-entry.js';
import { KITTEN, signedBy, unknownBlockhash, useKitTrader } from '../../../tests/support/kit/trader.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { RpcFailure, type RpcProxy } from '../../../tests/support/node/rpc-proxy.js';
import type { Token } from '../../../tests/support/program/tokens.js';

for (const major of KIT_MAJORS) {
  describe(`a trade with ${major} that fails`, () => {
    const { cluster, current, rpc, proxied, held, balance, transferOf } = useKitTrader(major);
    let kit: KitTrading;
    let token: Token;
    let mint: Address;
    let keypair: Keypair;
    let wallet: KeyPairSigner;
    let proxy: RpcProxy;
    beforeEach(() => ({ kit, token, mint, keypair, wallet, proxy } = current()));

    const common = () => ({ mint, wallet });

    describe('refuses', () => {
      it('with the messages and amounts of the web3.js trade, and with addresses instead of PublicKeys', async () => {
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

      it('invalid arguments as the web3.js trade does, before any request', async () => {
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
          ['mint', () => kit.launch(dead, { wallet, ...KITTEN, mint: { address: mint } as never })],
          ['mint', () => kit.launch(dead, { wallet, ...KITTEN, mint: mint as never })],
          ['name', () => kit.launch(dead, { wallet, ...KITTEN, name: '' })],
          ['firstBuy', () => kit.launch(dead, { wallet, ...KITTEN, firstBuy: 0n })],
          ['transaction', () => kit.sendAndConfirm(dead, undefined as never)],
        ] as const) {
          const error = await rejection(work() as Promise<unknown>, Error);
          expect(error, argument)
            .to.be.instanceOf(kit.InvalidArgumentError)
            .with.property('argument', argument);
        }
      });

      it('another transaction than the wallet was asked to sign', async () => {
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

    describe('after the quote', () => {
      it('sends nothing when it is aborted before sending', async () => {
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

      it('reports the signature of a transaction that may have landed, when it is aborted after sending', async () => {
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

      it('reports that the blockhash expired while the wallet signed', async () => {
        proxy.rewrite(({ method }, result) => {
          if (method !== 'simulateTransaction') return result;
          const { context, value } = result as { context: unknown; value: object };
          const replacementBlockhash = { blockhash: unknownBlockhash(), lastValidBlockHeight: 1 };
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
      it('lands a transaction that the caller built and signed, once', async () => {
        const market = (await kit.fetchMarket(rpc(), mint))!;
        const quote = kit.quoteBuy(market, SOL, 100);
        const transaction = await transferOf(wallet, await kit.buy({ payer: wallet, market, ...quote }));
        const { signature, slot } = await kit.sendAndConfirm(rpc(), transaction);
        expect(await held()).to.equal(quote.tokenOut);
        expect(await kit.sendAndConfirm(rpc(), transaction)).to.deep.equal({ signature, slot });
        expect(await held()).to.equal(quote.tokenOut);
      });

      it('names the program’s error, from the preflight and from the chain', async () => {
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

      it('reports a transaction that can never land as expired', async () => {
        const lifetime = { blockhash: unknownBlockhash(), lastValidBlockHeight: 0n };
        const transaction = await transferOf(wallet, [], lifetime);
        const error = await rejection(kit.sendAndConfirm(rpc(), transaction, { skipPreflight: true }), Error);
        expect(error, String(error)).to.be.instanceOf(kit.TransactionExpiredError);
      });

      it('succeeds although the node reports that it is unhealthy', async () => {
        proxy.rewrite(({ method }, result) =>
          method === 'sendTransaction' ? new RpcFailure(-32005, 'Node is unhealthy') : result,
        );
        const transaction = await transferOf(wallet, []);
        expect((await kit.sendAndConfirm(proxied(), transaction)).slot > 0n).to.equal(true);
      });

      it('reports an unknown outcome, not expiry, when the node keeps no history', async () => {
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
  });
}
