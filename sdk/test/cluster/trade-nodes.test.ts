// Trades and reads at nodes that are behind, fail, hang, or lack a method.
import { Connection, SendTransactionError } from '@solana/web3.js';
import { expect } from 'chai';
import {
  fetchCurveState,
  fetchManyTokenOwnerData,
  fetchMarket,
  fetchProperties,
  fetchTokenOwnerData,
  fetchTransaction,
  prepareTransaction,
  RpcError,
  simulateComputeUnits,
  suggestComputeUnitPrice,
} from '@curvekit/sdk';
import { fetchHistory, nodeSource } from '@curvekit/sdk/feed';
import { previewTransaction, trade } from '@curvekit/sdk/trade';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { SOL } from '../../../tests/support/constants.js';
import { failure, FLAVOURS, type Flavour } from '../../../tests/support/kit/flavours.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { HttpFailure, RpcFailure, type RpcCall } from '../../../tests/support/node/rpc-proxy.js';
import { buyTokens } from '../../../tests/support/program/tokens.js';
import { nowhere, useTrader, type Trader } from '../../../tests/support/program/trader.js';

const SIGNATURE_FEE = 5_000n;
const BEHIND = new RpcFailure(-32016, 'Minimum context slot has not been reached');
const STATE_METHODS = ['getMultipleAccounts', 'simulateTransaction'];

/** How a node answers that has not reached the slot of the request. */
function behind({ params }: RpcCall, result: unknown): unknown {
  return (params[1] as { minContextSlot?: number }).minContextSlot === undefined ? result : BEHIND;
}

interface Answer {
  readonly context: { readonly slot: number };
}

for (const [name, load] of FLAVOURS.slice(0, 2)) {
  describe(`with ${name}`, () => {
    const cluster = useCluster();
    const trader = useTrader(cluster);
    let library: Flavour;
    let { token, wallet, proxy, held } = {} as Trader;
    before(async () => (library = await load()));
    beforeEach(() => ({ token, wallet, proxy, held } = trader()));

    const dealing = (params: object) =>
      library.trade(library.client(proxy.url), { mint: token.mint, wallet, ...params });
    const buy = (options?: object) => dealing({ solToSpend: SOL / 10n, ...options });
    const sell = () => dealing({ tokenToSpend: 'all' });

    describe('a sale right after a buy, from a node that is behind', () => {
      for (const obeys of [true, false]) {
        const how = obeys ? 'and says so' : 'and ignores minContextSlot';
        it(`${how}: the sale waits for the node`, async () => {
          let old: Answer | undefined;
          proxy.rewrite(({ method }, result) => {
            if (method === 'getMultipleAccounts') old ??= result as Answer;
            return result;
          });
          const { tokenAmount } = await buy();
          let stale = 6;
          proxy.rewrite((call, result) => {
            const { method } = call;
            if (!STATE_METHODS.includes(method) || stale <= 0) return result;
            stale -= 1;
            if (obeys && behind(call, result) === BEHIND) return BEHIND;
            // A slot of the local cluster has several transactions, one after the other.
            const context = { slot: old!.context.slot - 1 };
            const state = method === 'getMultipleAccounts' ? old! : (result as Answer);
            return { ...state, context };
          });
          expect((await sell()).tokenAmount).to.equal(tokenAmount);
          expect([await held(), stale]).to.deep.equal([0n, 0]);
        });
      }

      it('only when it simulates: the sale waits for the node', async () => {
        await buy();
        let stale = 3;
        proxy.rewrite((call, result) =>
          call.method === 'simulateTransaction' && stale-- > 0 ? behind(call, result) : result,
        );
        await sell();
        expect([await held(), stale]).to.deep.equal([0n, -1]);
      });

      it('and has not the token account yet: the sale asks again', async () => {
        await buyTokens(cluster(), token, wallet, SOL / 10n);
        let stale = 2;
        proxy.rewrite(({ method }, result) => {
          if (method !== 'getMultipleAccounts' || stale-- <= 0) return result;
          const { context, value } = result as Answer & { value: unknown[] };
          return { context, value: value.with(1, null) };
        });
        await sell();
        expect(await held()).to.equal(0n);
      });

      it('and stays so for too long: the error says so, and not that there is nothing to sell', async () => {
        await buy();
        proxy.rewrite((call, result) =>
          call.method === 'getMultipleAccounts' ? behind(call, result) : result,
        );
        const error = await failure(dealing({ tokenToSpend: 'all', readTimeoutMs: 1_000 }), 'RpcError');
        expect(error).to.include({ code: -32016, isTemporary: true, method: 'getMultipleAccounts' });
      });
    });

    describe('a trade at a node that', () => {
      const failing = (method: string, failure: unknown) =>
        proxy.rewrite((call, result) => (call.method === method ? failure : result));

      for (const [problem, failure] of [
        ['has no fee estimates (-32601)', new RpcFailure(-32601, 'Method not found')],
        ['answers them with HTTP 500', new HttpFailure(500, 'oops')],
        ['answers them with HTTP 400', new HttpFailure(400, '{"error":{"code":-32602,"message":"no"}}')],
      ] as const) {
        it(`${problem}: the trade pays no priority fee`, async () => {
          failing('getRecentPrioritizationFees', failure);
          const { networkFee } = await buy();
          expect([networkFee, (await held()) > 0n]).to.deep.equal([SIGNATURE_FEE, true]);
        });
      }

      for (const unitsConsumed of [0, undefined]) {
        it(`reports ${unitsConsumed} compute units for a simulation: the trade requests the most`, async () => {
          proxy.rewrite(({ method }, result) => {
            if (method !== 'simulateTransaction') return result;
            const { context, value } = result as { context: object; value: object };
            return { context, value: { ...value, unitsConsumed } };
          });
          await buy();
          expect((await held()) > 0n).to.equal(true);
        });
      }
    });
  });
}

describe('a read of a node that never answers', () => {
  const cluster = useCluster();
  const trader = useTrader(cluster);
  let { token, wallet, proxy, proxied } = {} as Trader;
  beforeEach(() => {
    ({ token, wallet, proxy, proxied } = trader());
    proxy.setHanging(true);
  });
  afterEach(() => proxy.setHanging(false));

  const parts = () => ({ payer: wallet.publicKey, instructions: [] });
  const limit = { timeoutMs: 200, retries: 0 };
  const reads: Record<string, (options: object) => Promise<unknown>> = {
    fetchMarket: (options) => fetchMarket(proxied, token.mint, options),
    fetchTokenOwnerData: (options) => fetchTokenOwnerData(proxied, token.mint, options),
    fetchManyTokenOwnerData: (options) => fetchManyTokenOwnerData(proxied, [token.mint], options),
    fetchProperties: (options) => fetchProperties(proxied, options),
    fetchCurveState: (options) => fetchCurveState(proxied, token.mint, options),
    fetchTransaction: (options) => fetchTransaction(proxied, '1'.repeat(64), 'confirmed', options),
    simulateComputeUnits: (options) => simulateComputeUnits(proxied, parts(), options),
    suggestComputeUnitPrice: (options) => suggestComputeUnitPrice(proxied, [], 50, options),
    prepareTransaction: (options) => prepareTransaction(proxied, parts(), options),
    previewTransaction: async (options) => {
      const { transaction } = await prepareTransaction(cluster().connection, parts());
      return previewTransaction(proxied, transaction, { wallet: wallet.publicKey, ...options });
    },
  };
  for (const [name, read] of Object.entries(reads)) {
    it(`${name} ends after its timeout, and with the signal`, async () => {
      await rejection(read(limit), RpcError);
      const reason = new Error('enough');
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 30);
      expect(await rejection(read({ signal: controller.signal }), Error)).to.equal(reason);
    });
  }

  it('fetchHistory() reports the timeouts, and ends with the signal', async () => {
    const errors: unknown[] = [];
    const reason = new Error('enough');
    const controller = new AbortController();
    const node = new Connection(proxy.url, { disableRetryOnRateLimit: true });
    const onError = (error: unknown) => {
      errors.push(error);
      if (errors.length === 2) controller.abort(reason);
    };
    const source = nodeSource(node, { readTimeoutMs: 100 });
    const reading = (async () => {
      for await (const _ of fetchHistory(source, { signal: controller.signal, onError })) void _;
    })();
    expect(await rejection(reading, Error)).to.equal(reason);
    for (const error of errors) expect(error).to.be.instanceOf(RpcError).with.property('isTemporary', true);
  });

  it('refuses a timeout out of range before the request', async () => {
    for (const options of [{ timeoutMs: 0 }, { timeoutMs: '1' }, { retries: -1 }, { retries: 1.5 }])
      expect((await rejection(fetchMarket(nowhere, token.mint, options as object), Error)).name).to.equal(
        'InvalidArgumentError',
      );
  });
});

describe('a trade at a node that does not know the blockhash yet', () => {
  const cluster = useCluster();
  const trader = useTrader(cluster);

  it('is sent again as the same transaction', async () => {
    const { token, wallet, held } = trader();
    const sent: string[] = [];
    const connection = new Connection(cluster().rpcUrl, 'confirmed');
    const send = connection.sendRawTransaction.bind(connection);
    connection.sendRawTransaction = (bytes, options) => {
      sent.push(Buffer.from(bytes as Uint8Array).toString('base64'));
      expect(options).to.include({ skipPreflight: false }).and.to.have.property('minContextSlot');
      if (sent.length > 2) return send(bytes, options);
      const transactionMessage = 'Transaction simulation failed: Blockhash not found';
      return Promise.reject(new SendTransactionError({ action: 'send', signature: '', transactionMessage }));
    };
    const { tokenAmount } = await trade(connection, { mint: token.mint, wallet, solToSpend: SOL / 10n });
    expect(await held()).to.equal(tokenAmount);
    expect([sent.length, new Set(sent).size]).to.deep.equal([3, 1]);
  });
});
