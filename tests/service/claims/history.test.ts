// Claims when RPC nodes have gaps in their history, or when one URL leads to several nodes: no paid claim may expire.
// Blocks are made by transactions only, because Surfpool invents the blocks that time travel skips. threat: paid-after-expiry
import { expect } from 'chai';
import { createReconciler } from '#app/claims/reconciler-job.js';
import { Reconciler } from '#app/claims/reconciler.js';
import { createMetrics } from '#app/base/metrics.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { asRealNode, nodeWithGaps, type Hole } from '#tests/node/node-with-gaps.js';
import type { RpcProxy } from '#tests/node/rpc-proxy.js';
import { useClaimsWithGaps } from '#tests/service/claims-with-gaps.js';
import { eventually } from '#tests/service/service.js';
import { SOL } from '#tests/constants.js';

const NETWORK_FEE = 10_000n;
/** More blocks than the reconciler searches for a claim. */
const LONG = 1_000;

describe(`claims and the RPC node's history (${DATABASE_KIND})`, function () {
  this.timeout(300_000);
  const {
    cluster,
    scene,
    batching,
    single,
    both,
    repository,
    contextOf,
    watch,
    expectState,
    stateOf,
    outlive,
    initiated,
    paid,
  } = useClaimsWithGaps();

  describe('claims whose block the RPC node lacks', () => {
    let claim: Awaited<ReturnType<typeof paid>>;
    before('pay one', async () => {
      claim = await paid();
      await outlive(claim.signature);
    });

    const holes: Record<
      string,
      [hole: (claim: { blockhashSlot: number; slot: number }) => Hole, why: RegExp]
    > = {
      'of one block': [({ slot }) => ({ from: slot, to: slot }), /^the node lacks 1 of the blocks from slot/],
      'that begins with the block of their blockhash': [
        ({ blockhashSlot, slot }) => ({ from: blockhashSlot, to: slot }),
        /^the node does not have the block of its blockhash, at slot/,
      ],
      'that begins before the block of their blockhash': [
        ({ blockhashSlot, slot }) => ({ from: blockhashSlot - 3, to: slot + 3 }),
        /^the node does not have the block of its blockhash, at slot/,
      ],
      'that ends after the last block that can contain them': [
        ({ blockhashSlot }) => ({ from: blockhashSlot + 1, to: blockhashSlot + LONG }),
        /^the node lists 1 of the 160 blocks from slot/,
      ],
      'of every block that can contain them': [
        ({ blockhashSlot }) => ({ from: blockhashSlot - 3, to: blockhashSlot + LONG }),
        /^the node lists 0 of the 160 blocks from slot/,
      ],
    };
    for (const [name, [hole, why]] of Object.entries(holes)) {
      for (const kind of ['batches', 'single calls'] as const) {
        it(`with a gap ${name}, stay IN_PROGRESS and are counted (${kind})`, async () => {
          const proxy = kind === 'batches' ? batching() : single();
          proxy.rewrite(nodeWithGaps(hole(claim)));
          const { pass, undecidable, reasons } = watch(proxy);
          await pass();
          await expectState(claim.signature, 'IN_PROGRESS');
          expect(await undecidable()).to.equal(1);
          expect(reasons).to.have.length(1);
          expect(reasons[0]).to.match(why);
        });
      }
    }

    it('stay IN_PROGRESS while the URL leads to that node and to a complete one', async () => {
      const withGap = nodeWithGaps({ from: claim.slot, to: claim.slot });
      const whyOpen = async (proxy: RpcProxy) => {
        const { pass, undecidable, reasons } = watch(proxy);
        await pass();
        await expectState(claim.signature, 'IN_PROGRESS');
        expect(await undecidable()).to.equal(1);
        return reasons.join();
      };
      // The node with the gap answers the status request; either node answers the proof's requests, in every order.
      const before = 4;
      for (let order = 0; order < 8; order += 1) {
        let first: number | undefined;
        batching().rewrite((call, result, more) => {
          first ??= more.request;
          const index = more.request - first - before;
          const isWhole = index >= 0 && ((order >> index) & 1) === 1;
          return (isWhole ? asRealNode : withGap)(call, result, more);
        });
        expect(await whyOpen(batching())).to.match(/^the node (lacks 1|knows it now|lists other blocks)/);
      }
      // Single calls: only the status comes from the node with the gap.
      single().rewrite((call, result, more) =>
        (call.method === 'getSignatureStatuses' ? withGap : asRealNode)(call, result, more),
      );
      expect(await whyOpen(single())).to.match(/^it is in the block of slot \d+, yet/);
    });

    it('become COMPLETED once the node has the blocks again', async () => {
      const { pass, undecidable } = watch(batching());
      await pass();
      expect(await stateOf(claim.signature)).to.equal('COMPLETED');
      expect(await undecidable()).to.equal(0);
      expect(await lamportsOf(cluster().connection, claim.wallet.publicKey)).to.equal(SOL - NETWORK_FEE);
    });
  });

  describe('claims that were never submitted', () => {
    it('become EXPIRED only once the RPC node has the whole history', async () => {
      const claims = [await initiated(), await initiated(), await initiated()];
      const [first] = claims;
      await watch(batching()).pass();
      for (const { signature } of claims) await outlive(signature);
      const hole = nodeWithGaps({ from: first!.blockhashSlot + 100, to: first!.blockhashSlot + 101 });
      const expectAll = async (state: string) => {
        for (const { signature } of claims) await expectState(signature, state);
      };
      for (const proxy of [batching(), single()]) {
        proxy.rewrite(hole);
        await watch(proxy).pass();
        await expectAll('IN_PROGRESS');
      }
      both(asRealNode);
      const asked = () => batching().calls.get('getBlock') ?? 0;
      const before = asked();
      await watch(batching()).pass();
      await expectAll('EXPIRED');
      expect(asked() - before, 'two blocks for each proof').to.equal(6);
    });

    it('become EXPIRED after a check of every block, if the node takes no batch requests', async () => {
      const { signature } = await initiated();
      await outlive(signature);
      const { pass, reasons } = watch(single());
      await pass();
      await expectState(signature, 'EXPIRED', reasons);
    });

    it('become EXPIRED against the real cluster', async () => {
      const { signature } = await initiated();
      await outlive(signature);
      const reconciler = new Reconciler(
        { ...scene().service.context, metrics: createMetrics({ ofProcess: false }) },
        { repository: repository() },
      );
      await reconciler.pass();
      expect(await stateOf(signature)).to.equal('EXPIRED');
    });

    it("do not become EXPIRED because of another chain's blocks", async () => {
      const { signature } = await initiated();
      await outlive(signature);
      // The history is complete and long enough, but no block has the claim's blockhash.
      for (const proxy of [batching(), single()]) {
        proxy.rewrite(async (call, result, more) => {
          const real = await asRealNode(call, result, more);
          if (call.method !== 'getBlock' || real === null) return real;
          const block = real as { blockhash: string; previousBlockhash: string };
          const other = (hash: string) => `other${hash}`;
          return {
            ...block,
            blockhash: other(block.blockhash),
            previousBlockhash: other(block.previousBlockhash),
          };
        });
        const other = watch(proxy);
        await other.pass();
        await expectState(signature, 'IN_PROGRESS');
        expect(other.reasons.join()).to.contain('does not have the block of its blockhash');
      }
      both(asRealNode);
      const { pass, reasons } = watch(batching());
      await pass();
      await expectState(signature, 'EXPIRED', reasons);
    });
  });

  it('a claim that cannot be checked does not block others, and is retried with backoff', async () => {
    const [stuck, other] = [await initiated(), await initiated()];
    for (const { signature } of [stuck, other]) await outlive(signature);
    let asked = 0;
    batching().rewrite((call, result, more) => {
      const isHistory = call.params.length > 1 && (call.params[1] as { searchTransactionHistory?: boolean });
      if (
        call.method === 'getSignatureStatuses' &&
        (call.params[0] as string[]).includes(stuck.signature) &&
        isHistory &&
        isHistory.searchTransactionHistory === true
      ) {
        asked += 1;
        throw new Error('the connection breaks');
      }
      return asRealNode(call, result, more);
    });
    const { pass, undecidable } = watch(batching());
    await pass();
    expect(await stateOf(other.signature)).to.equal('EXPIRED');
    expect(await stateOf(stuck.signature)).to.equal('IN_PROGRESS');
    expect(await undecidable()).to.equal(1);
    expect(asked).to.equal(1);
    const began = performance.now();
    while (asked < 3) await pass();
    expect(performance.now() - began, 'pauses of 1 and 2 seconds').to.be.above(2_500);

    both(asRealNode);
    await watch(batching()).pass();
    expect(await stateOf(stuck.signature)).to.equal('EXPIRED');
  });

  it("the reconciler's housekeeping continues while the RPC node is down", async () => {
    let tidied = 0;
    batching().setDown(true);
    // A database of its own: the service holds the lease in the scene's database.
    const database = await openTestDatabase();
    const job = createReconciler(
      { ...contextOf(batching()), database },
      {
        intervalMs: 10,
        auditIntervalMs: 10,
        tidy: () => {
          tidied += 1;
          return Promise.resolve();
        },
      },
    );
    job.start();
    try {
      await eventually(() => Promise.resolve(tidied >= 3), 'housekeeping');
    } finally {
      batching().setDown(false);
      await job.stop();
      await database.close();
    }
  });
});
