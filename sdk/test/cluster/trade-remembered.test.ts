// The option `remember`: a trade with an unknown outcome is not made twice.
import { type VersionedTransaction } from '@solana/web3.js';
import { createSolanaRpc } from '@solana/kit';
import { expect } from 'chai';
import { OutcomeUnknownError } from '@curvekit/sdk';
import { lookUpRemembered as lookUpWithKit } from '@curvekit/sdk/kit/trade';
import {
  forgetTransaction,
  launch,
  lookUpRemembered,
  rememberedTransaction,
  trade,
  UnfinishedTransactionError,
} from '@curvekit/sdk/trade';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { SOL } from '../../../tests/support/constants.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { buyTokens } from '../../../tests/support/program/tokens.js';
import {
  MemoryStore,
  nowhere,
  senderOf,
  useTrader,
  type Trader,
} from '../../../tests/support/program/trader.js';

const KEY = 'trade';

describe('a remembered trade', () => {
  const cluster = useCluster();
  const trader = useTrader(cluster);
  let { token, wallet, proxy, proxied, held, balance } = {} as Trader;
  beforeEach(() => ({ token, wallet, proxy, proxied, held, balance } = trader()));

  const buying = (params: object = {}, connection = cluster().connection) =>
    trade(connection, { mint: token.mint, wallet, solToSpend: SOL, ...params });

  let store: MemoryStore;
  beforeEach(() => {
    store = new MemoryStore();
  });
  const memory = () => ({ store, key: KEY });

  it('is stored before it is sent, and deleted when it ends', async () => {
    const kept: unknown[] = [];
    const note = () => void kept.push(rememberedTransaction(memory())?.signature);
    const steps = { onSent: note, onConfirmed: note };
    const { signature } = await buying({ remember: memory(), ...steps });
    expect(kept).to.deep.equal([signature, undefined]);
    expect(await lookUpRemembered(cluster().connection, memory())).to.equal('none');
  });

  it('is not made again after a crash, and its outcome can be looked up', async () => {
    proxy.rewrite(({ method }, result) =>
      method === 'getSignatureStatuses' ? { context: { slot: 1 }, value: [null] } : result,
    );
    const controller = new AbortController();
    const onSent = () => setTimeout(() => controller.abort(), 200);
    const crashing = buying({ remember: memory(), signal: controller.signal, onSent }, proxied);
    const { signature } = await rejection(crashing, OutcomeUnknownError);
    const tokens = await held();

    // As after a restart of the program.
    const again = await rejection(buying({ remember: memory() }, nowhere), UnfinishedTransactionError);
    expect(again.signature).to.equal(signature);
    const terms = { wallet, name: 'Twice', symbol: 'TWICE', uri: 'https://example.org/t.json' };
    await rejection(launch(nowhere, { ...terms, remember: memory() }), UnfinishedTransactionError);
    expect(await lookUpRemembered(proxied, memory())).to.equal('pending');
    const kept = store.getItem(KEY)!;
    expect(await lookUpRemembered(cluster().connection, memory())).to.equal('succeeded');
    store.setItem(KEY, kept);
    expect(await lookUpWithKit(createSolanaRpc(cluster().rpcUrl), memory())).to.equal('succeeded');
    expect(await held()).to.equal(tokens);
    await buying({ remember: memory() });
  });

  it('is also stored when the wallet sends the transaction itself', async () => {
    const sending = senderOf(cluster(), wallet);
    let kept: string | undefined;
    const onSent = () => (kept = rememberedTransaction(memory())?.signature);
    const { signature } = await buying({ wallet: sending, remember: memory(), onSent });
    expect(kept).to.equal(signature);
    expect(rememberedTransaction(memory())).to.equal(undefined);
  });

  it('is deleted when the program refuses it, or the wallet declines', async () => {
    const slow = {
      publicKey: wallet.publicKey,
      signTransaction: async (transaction: VersionedTransaction) => {
        await buyTokens(cluster(), token, cluster().payer, 5n * SOL);
        transaction.sign([wallet]);
        return transaction;
      },
    };
    await rejection(buying({ wallet: slow, remember: memory() }), Error);
    expect(rememberedTransaction(memory())).to.equal(undefined);
    const declining = { ...slow, signTransaction: () => Promise.reject(new Error('declined')) };
    await rejection(buying({ wallet: declining, remember: memory() }), Error);
    expect(rememberedTransaction(memory())).to.equal(undefined);
  });

  it('a trade of another page, stored while this wallet signs, stops this trade before it is sent', async () => {
    const other = { signature: 'theirs', lastValidBlockHeight: 1 };
    const slow = {
      publicKey: wallet.publicKey,
      signTransaction: (transaction: VersionedTransaction) => {
        store.setItem(KEY, JSON.stringify(other));
        transaction.sign([wallet]);
        return Promise.resolve(transaction);
      },
    };
    const error = await rejection(buying({ wallet: slow, remember: memory() }), UnfinishedTransactionError);
    expect(error.signature).to.equal('theirs');
    expect(rememberedTransaction(memory())).to.deep.equal(other);
    expect(await balance()).to.equal(20n * SOL);
    forgetTransaction(memory());
    await buying({ remember: memory() });
  });

  it('is not read from an invalid stored text', () => {
    for (const text of ['', '{', '[]', '"text"', '{"signature":1}']) {
      store.setItem(KEY, text);
      expect(rememberedTransaction(memory()), text).to.equal(undefined);
    }
  });
});
