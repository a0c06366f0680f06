// Limits what a faulty RPC node can make a transaction cost: priority fee and compute units.
import { expect } from 'chai';
import { buy, prepareTransaction, suggestComputeUnitPrice } from '@curvekit/sdk';
import { useFailingNode } from '../../../tests/support/node/failing-node.js';
import { SOL } from '../../../tests/support/constants.js';

describe('a faulty RPC node', () => {
  const { trader, token, proxy, connection } = useFailingNode();

  const fees = (prioritizationFee: number) =>
    proxy().rewrite(({ method }, result) =>
      method === 'getRecentPrioritizationFees' ? [{ slot: 1, prioritizationFee }] : result,
    );
  const instructions = () =>
    buy({ mint: token().mint, payer: trader().publicKey, solToSpend: SOL, minTokenToReceive: 0n });

  it('a node that reports a huge fee cannot raise the suggested price above the highest allowed', async () => {
    fees(10 ** 12);
    expect(await suggestComputeUnitPrice(connection(), instructions())).to.equal(1_000_000n);
    expect(await suggestComputeUnitPrice(connection(), instructions(), 50, { highest: 5n })).to.equal(5n);
  });

  for (const [told, suggested] of [
    [999_999, 999_999n],
    [-1, 0n],
    [1.5, 1n],
  ] as const) {
    it(`a node that reports a fee of ${told} makes the SDK suggest ${suggested}`, async () => {
      fees(told);
      expect(await suggestComputeUnitPrice(connection(), instructions())).to.equal(suggested);
    });
  }

  it('a node that reports more compute units than the runtime allows cannot raise the limit above 1,400,000', async () => {
    proxy().rewrite(({ method }, result) =>
      method === 'simulateTransaction'
        ? { ...(result as object), value: { err: null, logs: [], unitsConsumed: 10 ** 9 } }
        : result,
    );
    const parts = { payer: trader().publicKey, instructions: instructions() };
    const { computeUnitLimit } = await prepareTransaction(connection(), parts);
    expect(computeUnitLimit).to.equal(1_400_000);
  });
});
