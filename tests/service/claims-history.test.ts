// Claims behind nodes with holes in their history, and behind an address that stands for several nodes: none that was paid
// may be given up. Blocks are made by transactions alone, for Surfpool makes up those that time travel skips.
import { expect } from 'chai';
import { createReconciler } from '#app/claims/reconciler-job.js';
import { Reconciler } from '#app/claims/reconciler.js';
import { createMetrics } from '#app/metrics.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { asRealNode, holedNode, type Hole } from '#tests/node/holed-node.js';
import type { RpcProxy } from '#tests/node/rpc-proxy.js';
import { useHoledClaims } from '#tests/service/holed-claims.js';
import { eventually } from '#tests/service/service.js';
import { SOL } from '#tests/constants.js';

const NETWORK_FEE = 10_000n;
/** More blocks than a claim can be looked for in. */
const LONG = 1_000;

describe(`claims and the node's history (${DATABASE_KIND})`, function () {
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
  } = useHoledClaims();

  describe('that were paid in a hole', () => {
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
      'that begins before it': [
        ({ blockhashSlot, slot }) => ({ from: blockhashSlot - 3, to: slot + 3 }),
        /^the node does not have the block of its blockhash, at slot/,
      ],
      'that ends after the last block they could be in': [
        ({ blockhashSlot }) => ({ from: blockhashSlot + 1, to: blockhashSlot + LONG }),
        /^the node lists 1 of the 160 blocks from slot/,
      ],
      'of all these blocks': [
        ({ blockhashSlot }) => ({ from: blockhashSlot - 3, to: blockhashSlot + LONG }),
        /^the node lists 0 of the 160 blocks from slot/,
      ],
    };
    for (const [name, [hole, why]] of Object.entries(holes)) {
      for (const kind of ['batches', 'single calls'] as const) {
        it(`${name} stay IN_PROGRESS and are counted (${kind})`, async () => {
          const proxy = kind === 'batches' ? batching() : single();
          proxy.rewrite(holedNode(hole(claim)));
          const { pass, undecidable, reasons } = watch(proxy);
          await pass();
          await expectState(claim.signature, 'IN_PROGRESS');
          expect(await undecidable()).to.equal(1);
          expect(reasons).to.have.length(1);
          expect(reasons[0]).to.match(why);
        });
      }
    }

    it('stay IN_PROGRESS while the address stands for that node and a whole one', async () => {
      const holed = holedNode({ from: claim.slot, to: claim.slot });
      const whyOpen = async (proxy: RpcProxy) => {
        const { pass, undecidable, reasons } = watch(proxy);
        await pass();
        await expectState(claim.signature, 'IN_PROGRESS');
        expect(await undecidable()).to.equal(1);
        return reasons.join();
      };
      // The holed node is asked for the status; the requests for the proof come to either, in every order.
      const before = 4;
      for (let order = 0; order < 8; order += 1) {
        let first: number | undefined;
        batching().rewrite((call, result, more) => {
          first ??= more.request;
          const index = more.request - first - before;
          const isWhole = index >= 0 && ((order >> index) & 1) === 1;
          return (isWhole ? asRealNode : holed)(call, result, more);
        });
        expect(await whyOpen(batching())).to.match(/^the node (lacks 1|knows it now|lists other blocks)/);
      }
      // Single calls: nothing but the status from the holed one.
      single().rewrite((call, result, more) =>
        (call.method === 'getSignatureStatuses' ? holed : asRealNode)(call, result, more),
      );
      expect(await whyOpen(single())).to.match(/^it is in the block of slot \d+, yet/);
    });

    it('are COMPLETED when the blocks are there again', async () => {
      const { pass, undecidable } = watch(batching());
      await pass();
      expect(await stateOf(claim.signature)).to.equal('COMPLETED');
      expect(await undecidable()).to.equal(0);
      expect(await lamportsOf(cluster().connection, claim.wallet.publicKey)).to.equal(SOL - NETWORK_FEE);
    });
  });

  describe('that nobody submitted', () => {
    it('are EXPIRED by the whole history, and not before it has a hole no more', async () => {
      const claims = [await initiated(), await initiated(), await initiated()];
      const [first] = claims;
      await watch(batching()).pass();
      for (const { signature } of claims) await outlive(signature);
      const hole = holedNode({ from: first!.blockhashSlot + 100, to: first!.blockhashSlot + 101 });
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

    it('are EXPIRED by every block where one request holds one call', async () => {
      const { signature } = await initiated();
      await outlive(signature);
      const { pass, reasons } = watch(single());
      await pass();
      await expectState(signature, 'EXPIRED', reasons);
    });

    it('are EXPIRED by the cluster itself', async () => {
      const { signature } = await initiated();
      await outlive(signature);
      const reconciler = new Reconciler(
        { ...scene().service.context, metrics: createMetrics({ ofProcess: false }) },
        { repository: repository() },
      );
      await reconciler.pass();
      expect(await stateOf(signature)).to.equal('EXPIRED');
    });

    it('are not EXPIRED by the blocks of another chain', async () => {
      const { signature } = await initiated();
      await outlive(signature);
      // Whole and long enough, but the blockhash is in none of its blocks.
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

  it('one that cannot be looked at does not keep the others from their end, and is asked for less and less', async () => {
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

  it('housekeeping goes on while the node is away', async () => {
    let tidied = 0;
    batching().setDown(true);
    // The lease of the scene's own database is the service's.
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
