// The weights of holders of a settlement that was recovered from the chain: their samples are taken anew.
import { Keypair, PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { AMM, poolAddress } from '@curvekit/sdk';
import type { Context } from '#app/context.js';
import { holderWeights } from '#app/graduation/settlement/periods/holder-weights.js';
import { excludedWallets } from '#app/graduation/settlement/periods/sample.js';
import type { SettledToken } from '#app/graduation/settlement/periods/tokens-repository.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { openTestDatabase } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { newAddress } from '#tests/new-address.js';
import { startFakeNode, type FakeNode } from '#tests/node/fake-node.js';
import { slicedAccount } from '#tests/node/sliced-account.js';
import { contextFrom, keyVariable } from '#tests/service/service-context.js';

const SAMPLES = 16;
const PERIOD_MS = 400;

describe('the weights of holders that are sampled anew', function () {
  this.timeout(60_000);
  const [treasury, lp, pool] = [Keypair.generate(), newAddress(), newAddress()];
  const token = { mint: newAddress(), curve: newAddress() } as SettledToken;
  const [one, two] = [newAddress(), newAddress()];
  let node: FakeNode;
  let context: Context;
  /** Slots that a sample may not precede. */
  const asked: unknown[] = [];

  before(async () => {
    node = await startFakeNode(({ params }) => {
      const count = asked.push((params[1] as { minContextSlot: number }).minContextSlot);
      const value = [
        ...[slicedAccount(one, count), slicedAccount(token.curve, 7)],
        ...[slicedAccount(two, 1), slicedAccount(two, 2)],
      ];
      return { context: { slot: 100 + count }, value };
    });
    const environment = {
      ...{ RPC_URL: node.url, TREASURY_KEYPAIR: keyVariable(treasury) },
      ...{ LP_ADDRESS: lp, EXCLUDED_HOLDERS: pool },
    };
    context = await contextFrom(environment, await openTestDatabase());
  });
  after(async () => {
    await context.database.close();
    await node.stop();
  });
  beforeEach(() => {
    asked.length = 0;
  });

  it('are sums over all samples, each at a later slot, without those of the platform', async () => {
    const began = performance.now();
    const options = { minContextSlot: 50, periodMs: PERIOD_MS, signal: NEVER_ABORTED };
    const { slot, weights } = await holderWeights(context, token, options);
    expect([...weights].sort()).to.deep.equal(
      [
        [one, 136n],
        [two, 48n],
      ].sort(),
    );
    expect(slot).to.equal(100 + SAMPLES);
    expect(asked).to.deep.equal([50, ...Array.from({ length: SAMPLES - 1 }, (_, index) => 101 + index)]);
    expect(performance.now() - began).to.be.above((PERIOD_MS * (SAMPLES - 1)) / SAMPLES - 5);
  });

  it('are not sampled any more after a stop', async () => {
    const stopping = new AbortController();
    const options = { minContextSlot: 50, periodMs: 600_000, signal: stopping.signal };
    const stopped = rejection(holderWeights(context, token, options), Error);
    setTimeout(() => stopping.abort(), 50);
    expect((await stopped).name).to.equal('AbortError');
    expect(asked).to.deep.equal([]);
  });

  it('leave out the curve, the pool, the operator and whom the operator excludes', () => {
    const { deployment } = context;
    const mint = new PublicKey(token.mint);
    const { authority } = AMM.addresses(poolAddress(mint, deployment).address, mint);
    expect([...excludedWallets(context, token)].sort()).to.deep.equal(
      [
        ...[token.curve, lp, pool, treasury.publicKey.toBase58(), authority.toBase58()],
        ...[deployment.dexOwner, deployment.feeReceiver].map((key) => key.toBase58()),
      ].sort(),
    );
    const bare = { ...context, config: { ...context.config, treasury: undefined } };
    expect(excludedWallets(bare, token)).to.have.lengthOf(6);
  });
});
