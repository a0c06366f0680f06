// Trades and reads at nodes that fail, hang, or lack a method.
import { Connection, Keypair } from '@solana/web3.js';
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
import { launch as launchToken, previewTransaction } from '@curvekit/sdk/trade';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { SOL } from '../../../tests/support/constants.js';
import { useBothTraders } from '../../../tests/support/kit/both-traders.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { HttpFailure, RpcFailure } from '../../../tests/support/node/rpc-proxy.js';
import { nowhere, useTrader, type Trader } from '../../../tests/support/program/trader.js';

const SIGNATURE_FEE = 5_000n;

describe('a trade at a node that', () => {
  const cluster = useCluster();
  const trader = useTrader(cluster);
  const libraries = useBothTraders(trader);
  let { proxy, held } = {} as Trader;
  beforeEach(() => ({ proxy, held } = trader()));

  for (const [name, tradeWith] of Object.entries(libraries)) {
    describe(`${name}:`, () => {
      const buy = (options?: object) => tradeWith({ solToSpend: SOL / 10n }, options);
      const failing = (method: string, failure: unknown, times = Infinity) => {
        let left = times;
        proxy.rewrite((call, result) => (call.method === method && left-- > 0 ? failure : result));
      };

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

      it('answers HTTP 503 for a moment: the trade is made once', async () => {
        for (const method of ['getMultipleAccounts', 'simulateTransaction']) {
          failing(method, new HttpFailure(503), 2);
          const before = proxy.calls.get('sendTransaction') ?? 0;
          await buy();
          expect(proxy.calls.get('sendTransaction')! - before).to.equal(1);
        }
      });

      it('fails before the signing: the error names the method', async () => {
        failing('simulateTransaction', new HttpFailure(401, 'no key'));
        const error = await rejection(buy(), Error);
        expect(error).to.include({ name: 'RpcError', method: 'simulateTransaction', status: 401 });
        failing('getMultipleAccounts', new Promise(() => undefined));
        const late = await rejection(buy({ readTimeoutMs: 300 }), Error);
        expect(late).to.include({ name: 'RpcError', method: 'getMultipleAccounts' });
        expect(late.message).to.include('did not answer in 300 ms');
        expect(await held()).to.equal(0n);
      });
    });
  }
});

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

  it('launch() ends after its timeout', async () => {
    const params = { name: 'Kitten', symbol: 'KIT', uri: 'https://example.org/kitten.json' };
    const mint = Keypair.generate();
    await rejection(launchToken(proxied, { ...params, mint, wallet, readTimeoutMs: 200 }), RpcError);
  });

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
