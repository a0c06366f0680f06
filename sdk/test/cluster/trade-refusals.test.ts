// What trade() refuses, and how it ends when it is aborted.
import { Keypair, type VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  buy,
  InstructionError,
  InvalidArgumentError,
  OutcomeUnknownError,
  prepareTransaction,
  RpcError,
  sell,
} from '@curvekit/sdk';
import {
  BlockhashExpiredError,
  ExcessiveLossError,
  InsufficientSolError,
  InsufficientTokensError,
  NoTokenAccountError,
  trade,
  WrongClusterError,
  type TradeParams,
} from '@curvekit/sdk/trade';
import { expectLanded } from '../../../tests/support/cluster/landed.js';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { SOL } from '../../../tests/support/constants.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { buyTokens } from '../../../tests/support/program/tokens.js';
import { nowhere, signerOf, useTrader, type Trader } from '../../../tests/support/program/trader.js';

const TOKEN_ACCOUNT_RENT = 2_039_280n;

describe('a trade that is not made', () => {
  const cluster = useCluster();
  const trader = useTrader(cluster);
  let { token, wallet, proxy, proxied, held, balance } = {} as Trader;
  beforeEach(() => ({ token, wallet, proxy, proxied, held, balance } = trader()));

  const common = () => ({ mint: token.mint, wallet });
  const signer = () => signerOf(wallet);

  describe('refuses before the wallet signs', () => {
    const neverSigns = () => ({
      publicKey: wallet.publicKey,
      signTransaction: () => Promise.reject(new Error('it was asked to sign')),
    });
    const refused = (params: object, connection = cluster().connection) =>
      trade(connection, { mint: token.mint, wallet: neverSigns(), ...params } as unknown as TradeParams);

    it('a trade that needs more SOL than the wallet has, with every part of the sum', async () => {
      const poor = await cluster().fundedWallet(SOL / 2n);
      wallet = poor;
      const error = await rejection(refused({ solToSpend: SOL, computeUnitPrice: 0n }), InsufficientSolError);
      expect(error.message).to.equal(
        `wallet ${poor.publicKey.toBase58()} needs 1.00204428 SOL: 1 + 0.00203928 rent + 0.000005 fees; has 0.5`,
      );
      expect(error).to.include({ needed: 1_002_044_280n, available: SOL / 2n });
      const empty = { ...neverSigns(), publicKey: Keypair.generate().publicKey };
      const none = await rejection(refused({ solToSpend: SOL, wallet: empty }), InsufficientSolError);
      expect(none.message).to.match(/; has 0$/);
    });

    it('a buy that leaves less than the rent exemption of a wallet, and not one that leaves exactly this', async () => {
      const fees = TOKEN_ACCOUNT_RENT + 5_000n;
      wallet = await cluster().fundedWallet(SOL + fees + 890_879n);
      const error = await rejection(refused({ solToSpend: SOL, computeUnitPrice: 0n }), InsufficientSolError);
      expect(error.message).to.include('0.00089088 that must stay in the wallet');
      wallet = await cluster().fundedWallet(SOL + fees + 890_880n);
      const { walletChange } = await trade(cluster().connection, {
        ...common(),
        solToSpend: SOL,
        computeUnitPrice: 0n,
      });
      expect(walletChange).to.equal(-(SOL + fees));
    });

    it('more tokens than the wallet has, and tokens of a wallet without a token account', async () => {
      const none = await rejection(refused({ tokenToSpend: 1n }), NoTokenAccountError);
      expect(none.address.equals(associatedTokenAddress(wallet.publicKey, token.mint).address)).to.equal(
        true,
      );
      await buyTokens(cluster(), token, wallet, SOL / 10n);
      await buyTokens(cluster(), token, cluster().payer, SOL);
      const available = await held();
      const needed = available + 1n;
      for (const params of [{ tokenToSpend: needed }, { solToReceive: SOL / 5n }]) {
        const error = await rejection(refused(params), InsufficientTokensError);
        expect(error.available).to.equal(available);
        expect(error.message).to.match(/needs [\d.]+ tokens of \w+; has [\d.]+$/);
      }
    });

    it('with the same meanings in the errors of prepareTransaction, when the simulation fails', async () => {
      const { connection, deployment } = cluster();
      await buyTokens(cluster(), token, wallet, SOL);
      const params = { mint: token.mint, payer: wallet.publicKey, deployment };
      const sale = sell({ ...params, tokenToSpend: (await held()) + 1n, minSolToReceive: 0n });
      const purchase = buy({ ...params, solToSpend: 40n * SOL, minTokenToReceive: 0n });
      for (const [instructions, meaning] of [
        [sale, 'the account has too few tokens'],
        [purchase, 'the wallet has too little SOL'],
      ] as const) {
        const preparing = prepareTransaction(connection, { payer: wallet.publicKey, instructions });
        expect((await rejection(preparing, InstructionError)).message).to.match(new RegExp(`: ${meaning}$`));
      }
    });

    it('a transaction that takes more SOL, tokens or control than the order says, in its simulation', async () => {
      await buyTokens(cluster(), token, wallet, SOL);
      const tokens = await held();
      type Simulated = { accounts: { lamports: number; owner: string; data: [string, string] }[] };
      const changed = (change: (wallet: Simulated['accounts'][0], held: Buffer) => void) =>
        proxy.rewrite(({ method }, result) => {
          if (method !== 'simulateTransaction') return result;
          const { accounts } = (result as { value: Simulated }).value;
          const data = Buffer.from(accounts[1]!.data[0], 'base64');
          change(accounts[0]!, data);
          accounts[1]!.data[0] = data.toString('base64');
          return { ...(result as object) };
        });
      const buying = { solToSpend: SOL };
      const selling = { tokenToSpend: tokens / 2n };
      const amountAt = 64;
      for (const [order, change, asset, says] of [
        [buying, (own) => (own.lamports -= 1), 'SOL', 'takes 1.000005001 SOL from'],
        [selling, (own) => (own.lamports -= Number(SOL)), 'SOL', 'the order says that it pays at least'],
        [
          buying,
          (_, data) => data.writeBigUInt64LE(tokens - 1n, amountAt),
          'tokens',
          'takes 0.000001 tokens',
        ],
        [selling, (_, data) => data.writeBigUInt64LE(0n, amountAt), 'tokens', 'the order allows at most'],
        [buying, (own) => (own.owner = token.mint.toBase58()), 'control of the wallet', 'no such change'],
        [buying, (_, data) => data.fill(1, 32, 64), 'control of its token account', 'no such change'],
        [selling, (_, data) => data.fill(1, 72, 76), 'control of its token account', 'no such change'],
      ] as [object, Parameters<typeof changed>[0], string, string][]) {
        changed(change);
        const error = await rejection(refused(order, proxied), ExcessiveLossError);
        expect(error.asset).to.equal(asset);
        expect(error.message).to.include(says).and.to.include('Nothing was signed. Program');
      }
      proxy.rewrite(({ method }, result) => {
        if (method !== 'simulateTransaction') return result;
        const { context, value } = result as { context: object; value: object };
        return { context, value: { ...value, accounts: null } };
      });
      expect((await rejection(refused(buying, proxied), RpcError)).message).to.include('has no accounts');
    });

    it('a cluster without the launchpad, a mint of another launchpad, and invalid arguments', async () => {
      proxy.rewrite(({ method }, result) => {
        if (method !== 'getMultipleAccounts') return result;
        const { context, value } = result as { context: unknown; value: unknown[] };
        return { context, value: value.map(() => null) };
      });
      const wrong = await rejection(refused({ solToSpend: SOL }, proxied), WrongClusterError);
      expect(wrong.host).to.equal(new URL(proxy.url).host);
      const unknown = refused({ solToSpend: SOL, mint: Keypair.generate().publicKey });
      expect((await rejection(unknown, InvalidArgumentError)).argument).to.equal('mint');
      for (const [argument, params] of [
        ['amount', {}],
        ['amount', { solToSpend: 1n, tokenToSpend: 1n }],
        ['solToSpend', { solToSpend: 0n }],
        ['tokenToReceive', { tokenToReceive: 1 }],
        ['slippageBps', { solToSpend: 1n, slippageBps: 10_001 }],
        ['mint', { solToSpend: 1n, mint: 'text' }],
        ['computeUnitPrice', { solToSpend: 1n, computeUnitPrice: -1n }],
        ['highestComputeUnitPrice', { solToSpend: 1n, highestComputeUnitPrice: 1 }],
        ['stallTimeoutMs', { solToSpend: 1n, stallTimeoutMs: 0 }],
        ['wallet', { solToSpend: 1n, wallet: { publicKey: wallet.publicKey } }],
        ['wallet.publicKey', { solToSpend: 1n, wallet: { signTransaction: () => undefined } }],
      ] as const) {
        const error = await rejection(refused(params, nowhere), InvalidArgumentError);
        expect(error.argument).to.equal(argument);
      }
    });
  });

  describe('after the quote', () => {
    it('Given a signal, when it is aborted before sending, then nothing is sent', async () => {
      const before = await balance();
      const controller = new AbortController();
      const aborting = {
        publicKey: wallet.publicKey,
        signTransaction: (transaction: VersionedTransaction) => {
          controller.abort(new Error('changed my mind'));
          return signer().signTransaction(transaction);
        },
      };
      const { signal } = controller;
      const params = { mint: token.mint, solToSpend: SOL, signal };
      for (const given of [aborting, wallet]) {
        const error = await rejection(trade(cluster().connection, { ...params, wallet: given }), Error);
        expect(error.message).to.equal('changed my mind');
      }
      expect(await balance()).to.equal(before);
    });

    it('Given a signal, when it is aborted after sending, then the error has the signature of the transaction, which may have landed', async () => {
      proxy.rewrite(({ method }, result) =>
        method === 'getSignatureStatuses' ? { context: { slot: 1 }, value: [null] } : result,
      );
      const controller = new AbortController();
      const params = { ...common(), solToSpend: SOL, signal: controller.signal };
      const error = await rejection(
        trade(proxied, { ...params, onSent: () => setTimeout(() => controller.abort(), 50) }),
        OutcomeUnknownError,
      );
      expect(error.message).to.include('the caller stopped waiting for it');
      await expectLanded(cluster().connection, error.signature);
    });

    it('Given a wallet that takes too long, when the blockhash has expired, then the error says so, and nothing was sent', async () => {
      proxy.rewrite(({ method }, result) => {
        if (method !== 'simulateTransaction') return result;
        const { context, value } = result as { context: unknown; value: object };
        const blockhash = Keypair.generate().publicKey.toBase58();
        return {
          context,
          value: { ...value, replacementBlockhash: { blockhash, lastValidBlockHeight: 1 } },
        };
      });
      const before = await balance();
      const error = await rejection(trade(proxied, { ...common(), solToSpend: SOL }), BlockhashExpiredError);
      expect(error.message).to.include('was not sent: its blockhash');
      expect(await balance()).to.equal(before);
    });
  });
});
