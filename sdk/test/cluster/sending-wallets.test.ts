// A wallet that signs and sends by itself: its answers, and its failures after it has sent. And trades that could be taken
// for one another.
import { Connection, SendTransactionError, type VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { isProgramError, OutcomeUnknownError } from '@curvekit/sdk';
import {
  lookUpRemembered,
  rememberedTransaction,
  trade,
  UnfinishedTransactionError,
} from '@curvekit/sdk/trade';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { signed, transfer } from '../../../tests/support/cluster/transfers.js';
import { SOL } from '../../../tests/support/constants.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { startRpcProxy, RpcFailure, type RpcCall } from '../../../tests/support/node/rpc-proxy.js';
import { buyTokens } from '../../../tests/support/program/tokens.js';
import { eventually } from '../../../tests/support/service/service.js';
import { MemoryStore, nowhere, useTrader, type Trader } from '../../../tests/support/program/trader.js';

/** Each of its methods counts the blocks that much later. */
function later({ method }: RpcCall, result: unknown): unknown {
  if (method !== 'getEpochInfo') return result;
  const epoch = result as { readonly blockHeight: number };
  return { ...epoch, blockHeight: epoch.blockHeight + 420 };
}

describe('a wallet that signs and sends by itself', function () {
  this.timeout(20_000);
  const cluster = useCluster();
  const trader = useTrader(cluster);
  let { token, wallet, proxy, proxied, held, balance } = {} as Trader;
  let store: MemoryStore;
  beforeEach(() => {
    ({ token, wallet, proxy, proxied, held, balance } = trader());
    store = new MemoryStore();
  });

  const memory = () => ({ store, key: 'trade' });
  const send = (transaction: VersionedTransaction) => {
    transaction.sign([wallet]);
    return cluster().connection.sendRawTransaction(transaction.serialize());
  };
  /** @param answer given the signature of what was sent */
  const answering = (answer: (signature: string) => unknown) => ({
    publicKey: wallet.publicKey,
    sendTransaction: async (transaction: VersionedTransaction) => answer(await send(transaction)) as string,
  });
  /** A wallet that fails before it sends. */
  const refusing = (error: unknown) => ({
    publicKey: wallet.publicKey,
    // What wallets throw is not always an Error.
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    sendTransaction: () => Promise.reject(error),
  });
  const buying = (params: object, connection = cluster().connection) =>
    trade(connection, { mint: token.mint, wallet, solToSpend: SOL, remember: memory(), ...params });
  const remembered = () => rememberedTransaction(memory())?.signature;
  const broken = () => {
    throw new Error('WebSocket is not open');
  };

  for (const [shape, answer] of [
    ['base58', (signature: string) => signature],
    ['bytes', (signature: string) => bs58.decode(signature)],
    ['an object', (signature: string) => ({ signature })],
    ['an object with bytes', (signature: string) => ({ signature: bs58.decode(signature) })],
    ['a list with one object', (signature: string) => [{ signature }]],
    ['nothing', () => undefined],
    ['an empty text', () => ''],
    ['an object without it', () => ({ status: 'ok' })],
    ['an error after it has sent', broken],
  ] as const) {
    it(`has bought once when it answers with ${shape}`, async () => {
      const { tokenAmount, signature } = await buying({ wallet: answering(answer) });
      expect(await held()).to.equal(tokenAmount);
      const status = await cluster().connection.getSignatureStatus(signature);
      expect(status.value?.err).to.equal(null);
      expect(remembered()).to.equal(undefined);
    });
  }

  const declined = Object.assign(new Error('x'), { code: 4001 });
  for (const [shape, error] of [
    ['a code', declined],
    ['a code as text', { code: '4001' }],
    ['words', new Error('User rejected the request.')],
    [
      'an error of Wallet Adapter',
      Object.assign(new Error('?'), { name: 'WalletSendTransactionError', error: declined }),
    ],
    ['the cause of another', new Error('failed', { cause: declined })],
  ] as const) {
    it(`ends the trade at once when its user declines, said by ${shape}`, async () => {
      await buying({ wallet: refusing(error) }, proxied).then(
        () => expect.fail('it bought'),
        (thrown: unknown) => expect(thrown).to.equal(error),
      );
      expect(proxy.calls.get('getSignaturesForAddress') ?? 0).to.equal(0);
      expect(remembered()).to.equal(undefined);
    });
  }

  it('ends the trade with the refusal of the application’s node that it passes on', async () => {
    const adapter = {
      publicKey: wallet.publicKey,
      sendTransaction: async (transaction: VersionedTransaction) => {
        await buyTokens(cluster(), token, cluster().payer, 5n * SOL);
        return send(transaction).catch((error: unknown) => {
          expect(error).to.be.instanceOf(SendTransactionError);
          throw Object.assign(new Error('failed'), { name: 'WalletSendTransactionError', error });
        });
      },
    };
    const error = await rejection(buying({ wallet: adapter, slippageBps: 1 }), Error);
    expect(isProgramError(error, 'SlippageError'), error.message).to.equal(true);
    expect(await held()).to.equal(0n);
    expect(remembered()).to.equal(undefined);
  });

  it('ends the trade with its own error once what it may have sent can no longer land', async () => {
    const started = await cluster().connection.getBlockHeight();
    const error = new Error('Something went wrong');
    proxy.rewrite(later);
    const thrown = await rejection(buying({ wallet: refusing(error) }, proxied), Error);
    expect(thrown).to.equal(error);
    expect(proxy.calls.get('getSignaturesForAddress') ?? 0).to.be.greaterThan(0);
    expect((await cluster().connection.getBlockHeight()) >= started).to.equal(true);
    expect(remembered()).to.equal(undefined);
    expect(await balance()).to.equal(20n * SOL);
  });

  it('leaves the outcome unknown when the node does not list transactions', async () => {
    proxy.rewrite(({ method }, result) =>
      method === 'getSignaturesForAddress' ? new RpcFailure(-32601, 'Method not found') : result,
    );
    const error = await rejection(buying({ wallet: answering(broken) }, proxied), OutcomeUnknownError);
    expect(error.message).to.include('does not list the wallet’s transactions').and.to.include('(unknown)');
    expect(remembered()).to.equal('(unknown)');
    await rejection(buying({}, nowhere), UnfinishedTransactionError);
    expect(await lookUpRemembered(cluster().connection, memory())).to.equal('succeeded');
    expect(remembered()).to.equal(undefined);
  });

  it('is remembered from before it was asked, and found after a crash', async () => {
    // The program ends before the wallet answers.
    await new Promise<void>((resolve) => {
      const crashing = {
        publicKey: wallet.publicKey,
        sendTransaction: async (transaction: VersionedTransaction) => {
          await send(transaction);
          resolve();
          return new Promise<string>(() => undefined);
        },
      };
      void buying({ wallet: crashing });
    });
    expect(remembered()).to.equal('(unknown)');
    await rejection(buying({}, nowhere), UnfinishedTransactionError);
    await eventually(
      async () => (await lookUpRemembered(cluster().connection, memory())) === 'succeeded',
      'the end of the trade',
    );
    expect(remembered()).to.equal(undefined);
  });

  it('is found among transactions of others that name the wallet', async () => {
    const noisy = {
      publicKey: wallet.publicKey,
      sendTransaction: async (transaction: VersionedTransaction) => {
        const dust = transfer(cluster().payer, wallet.publicKey, 1n);
        const named = await signed(cluster(), cluster().payer, dust);
        await cluster().connection.sendRawTransaction(named.serialize());
        await send(transaction);
        return broken();
      },
    };
    const { tokenAmount } = await buying({ wallet: noisy });
    expect(await held()).to.equal(tokenAmount);
  });

  it('is not taken for an equal trade whose signature was told', async () => {
    let first = true;
    const forgetful = answering((signature) => {
      if (!first) return broken();
      first = false;
      return signature;
    });
    const trades = [await buying({ wallet: forgetful }), await buying({ wallet: forgetful })];
    expect(new Set(trades.map(({ signature }) => signature)).size).to.equal(2);
    expect(trades[0]!.tokenAmount + trades[1]!.tokenAmount).to.equal(await held());
  });
});

describe('equal trades at the same time', () => {
  const cluster = useCluster();
  const trader = useTrader(cluster);

  it('are each made, and each returns its own result', async () => {
    const { token, wallet, held } = trader();
    const params = { mint: token.mint, wallet, solToSpend: SOL / 10n, slippageBps: 1_000 };
    const trades = await Promise.all(Array.from({ length: 5 }, () => trade(cluster().connection, params)));
    expect(new Set(trades.map(({ signature }) => signature)).size).to.equal(5);
    expect(trades.reduce((sum, { tokenAmount }) => sum + tokenAmount, 0n)).to.equal(await held());
  });

  it('have not expired when others have landed first', async () => {
    const { token, wallet, held } = trader();
    const store = new MemoryStore();
    const looks: string[] = [];
    let sends = 0;
    // The first attempt is lost. Each transfer is a block, and the simulation's blockhash says that it ends with the first.
    const sender = async (transaction: VersionedTransaction) => {
      sends += 1;
      if (sends > 1) return cluster().connection.sendRawTransaction(transaction.serialize());
      for (let block = 0; block < 3; block += 1) await cluster().fundedWallet(SOL);
      looks.push(await lookUpRemembered(cluster().connection, { store: copyOf(store), key: 'trade' }));
      return undefined;
    };
    const remember = { store, key: 'trade' };
    const params = { mint: token.mint, wallet, solToSpend: SOL / 10n, sender, remember };
    const { tokenAmount } = await trade(cluster().connection, params);
    expect(await held()).to.equal(tokenAmount);
    expect([looks, sends]).to.deep.equal([['pending'], 2]);
  });
});

/** The same texts. What is removed from it stays in the other. */
function copyOf(store: MemoryStore): MemoryStore {
  const copy = new MemoryStore();
  copy.setItem('trade', store.getItem('trade') ?? '');
  return copy;
}

describe('a trade that is not sent', () => {
  const cluster = useCluster();
  const trader = useTrader(cluster);

  it('because its caller aborts in onSigned, ends with the caller’s reason and is not remembered', async () => {
    const { token, wallet, balance } = trader();
    const store = new MemoryStore();
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    const thrown = await rejection(
      trade(cluster().connection, {
        ...{ mint: token.mint, wallet, solToSpend: SOL, signal: controller.signal },
        remember: { store, key: 'trade' },
        onSigned: () => controller.abort(reason),
      }),
      Error,
    );
    expect(thrown).to.equal(reason);
    expect(store.getItem('trade')).to.equal(null);
    expect(await balance()).to.equal(20n * SOL);
  });

  it('is not concluded from one node’s refusal while another may have forwarded it', async () => {
    const { token, wallet, held } = trader();
    const gateway = await startRpcProxy(cluster().rpcUrl);
    const refusing = await startRpcProxy(cluster().rpcUrl);
    try {
      gateway.rewrite(({ method }, result) =>
        method === 'sendTransaction' ? new RpcFailure(-32603, 'Internal error') : result,
      );
      refusing.rewrite(({ method }, result) =>
        method === 'sendTransaction'
          ? new RpcFailure(-32002, 'Transaction simulation failed: Blockhash not found')
          : result,
      );
      const node = ({ url }: { readonly url: string }) => new Connection(url, 'confirmed');
      const { tokenAmount } = await trade(node(refusing), {
        ...{ mint: token.mint, wallet, solToSpend: SOL },
        sendConnections: [node(gateway)],
      });
      expect(await held()).to.equal(tokenAmount);
    } finally {
      await Promise.all([gateway.stop(), refusing.stop()]);
    }
  });
});
