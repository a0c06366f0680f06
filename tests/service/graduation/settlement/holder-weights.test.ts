// The weights of holders of a settlement that was recovered from the chain: their samples are taken anew. And who is no holder.
import { Keypair, PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { AMM, poolAddress } from '@curvekit/sdk';
import type { Context } from '#app/context.js';
import { holderWeights } from '#app/graduation/settlement/periods/holder-weights.js';
import { SAMPLES } from '#app/graduation/settlement/periods/moments.js';
import { excludedWallets } from '#app/graduation/settlement/periods/sample.js';
import type { SettledToken } from '#app/graduation/settlement/periods/tokens-repository.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { openTestDatabase } from '#tests/database/database.js';
import { newAddress } from '#tests/new-address.js';
import { startFakeNode, type FakeNode } from '#tests/node/fake-node.js';
import { slicedAccount } from '#tests/node/sliced-account.js';
import { contextFrom, keyVariable } from '#tests/service/service-context.js';

const PERIOD_MS = 400;

describe('the weights of holders', function () {
  this.timeout(60_000);
  const [treasury, lp, excluded] = [Keypair.generate(), newAddress(), newAddress()];
  const token = { mint: newAddress(), curve: newAddress() } as SettledToken;
  const [one, two] = [newAddress(), newAddress()];
  let node: FakeNode;
  let context: Context;
  /** Slots that a sample may not precede. */
  const asked: unknown[] = [];

  before(async () => {
    node = await startFakeNode(({ params }) => {
      const count = asked.push((params[1] as { minContextSlot: number }).minContextSlot);
      const balances = [
        [one, count],
        [token.curve, 7],
        [two, 1],
        [two, 2],
      ] as const;
      return {
        context: { slot: 100 + count },
        value: balances.map(([owner, units]) => slicedAccount(owner, units)),
      };
    });
    const environment = {
      ...{ RPC_URL: node.url, TREASURY_KEYPAIR: keyVariable(treasury) },
      ...{ LP_ADDRESS: lp, EXCLUDED_HOLDERS: excluded },
    };
    context = await contextFrom(environment, await openTestDatabase());
  });
  after(async () => {
    await context.database.close();
    await node.stop();
  });

  it('that are sampled anew are sums over all samples, each at a later slot, without those of the platform', async () => {
    const began = performance.now();
    const options = { minContextSlot: 50, periodMs: PERIOD_MS, signal: NEVER_ABORTED };
    const { slot, weights } = await holderWeights(context, token, options);
    expect(Object.fromEntries(weights)).to.deep.equal({ [one]: 136n, [two]: 48n });
    expect(slot).to.equal(100 + SAMPLES);
    expect(asked).to.deep.equal([50, ...Array.from({ length: SAMPLES - 1 }, (_, index) => 101 + index)]);
    expect(performance.now() - began).to.be.above((PERIOD_MS * (SAMPLES - 1)) / SAMPLES - 5);
  });

  it('are not those of the curve, the pool, the operator and whom the operator excludes', () => {
    const { deployment } = context;
    const mint = new PublicKey(token.mint);
    const { authority } = AMM.addresses(poolAddress(mint, deployment).address, mint);
    const platform = [treasury.publicKey, authority, deployment.dexOwner, deployment.feeReceiver];
    expect(new Set(excludedWallets(context, token))).to.deep.equal(
      new Set([token.curve, lp, excluded, ...platform.map((key) => key.toBase58())]),
    );
    const bare = { ...context, config: { ...context.config, treasury: undefined } };
    expect(excludedWallets(bare, token)).to.have.lengthOf(6);
  });
});
