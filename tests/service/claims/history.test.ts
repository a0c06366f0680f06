// Claims when RPC nodes have gaps in their history, or when one URL leads to several nodes: no paid claim may expire, and the operator
// can have a second node decide (`curvekit claims recheck`). Blocks are made by transactions only, because Surfpool invents the
// blocks that time travel skips. threat: paid-after-expiry
import { Connection, Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { pino } from 'pino';
import { Reconciler } from '#app/claims/reconciler.js';
import { ClaimsRepository } from '#app/claims/repository.js';
import { createMetrics } from '#app/base/metrics.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { makeBlocks } from '#tests/cluster/blocks.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { asRealNode, nodeWithGaps, outliveBlockhash, type Hole } from '#tests/node/node-with-gaps.js';
import { startRpcProxy, type Rewrite, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { NETWORK_FEE } from '#tests/service/claims.js';
import { runCommand, lent } from '#tests/service/cli.js';
import { initiate, ledgerProblems, reward, useRewardsScene, transactionOf } from '#tests/service/rewards.js';

/** More blocks than the reconciler searches for a claim. */
const LONG = 1_000;

describe(`claims and the RPC node's history (${DATABASE_KIND})`, function () {
  this.timeout(300_000);
  const cluster = useCluster();
  // The service's own reconciler runs only once, before any claim. The tests run their own.
  const scene = useRewardsScene(cluster, () => ({ reconcilerIntervalMs: 86_400_000 }));
  /** The first answers batch requests, the second refuses them. */
  let [batching, single]: RpcProxy[] = [];

  before('start the proxies', async () => {
    batching = await startRpcProxy(cluster().rpcUrl, { batches: true });
    single = await startRpcProxy(cluster().rpcUrl, { batches: false });
    both(asRealNode);
  });
  after(async () => {
    for (const started of [batching, single]) await started?.stop();
  });
  afterEach('the ledger adds up', async () => {
    both(asRealNode);
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
  });

  const both = (rewrite: Rewrite) => {
    for (const proxy of [batching!, single!]) proxy.rewrite(rewrite);
  };
  const repository = () => new ClaimsRepository(scene.database);
  /** A new reconciler without state of earlier passes. */
  const watch = ({ url }: Pick<RpcProxy, 'url'>, isSimulated = false) => {
    /** The logged reasons why claims cannot be decided. */
    const reasons: string[] = [];
    const write = (line: string) => {
      const { reason, err } = JSON.parse(line) as { reason?: string; err?: { message: string } };
      reasons.push(reason ?? err?.message ?? line);
    };
    const context = {
      ...scene.service.context,
      // The proxies make Surfpool look like a real cluster.
      config: { ...scene.service.context.config, isSimulated },
      connection: new Connection(url, { commitment: 'confirmed', disableRetryOnRateLimit: true }),
      metrics: createMetrics({ ofProcess: false }),
      logger: pino({ level: 'error' }, { write }),
    };
    const reconciler = new Reconciler(context, { repository: repository() });
    const undecidable = async () => {
      const text = await context.metrics.registry.metrics();
      return Number(/^curvekit_claims_undecidable (\d+)$/m.exec(text)?.[1]);
    };
    return { pass: () => reconciler.pass(), undecidable, reasons };
  };
  const claimOf = async (signature: string) => (await repository().find(signature))!;
  const stateOf = async ({ signature }: { signature: string }) => (await claimOf(signature)).state;
  const outlive = async (...claims: readonly { signature: string }[]) => {
    for (const { signature } of claims)
      await outliveBlockhash(cluster(), (await claimOf(signature)).lastValidBlockHeight);
  };
  const initiated = async () => {
    const wallet = Keypair.generate();
    await reward(scene.database, wallet.publicKey, scene.mint, 'SOL', SOL);
    const transaction = transactionOf(await initiate(scene, wallet, { claimType: 'SOL' }));
    const signature = bs58.encode(transaction.signatures[0]!);
    return { wallet, transaction, signature, blockhashSlot: (await claimOf(signature)).blockhashSlot };
  };
  /** A paid claim, neither in the first nor in the last block that can contain it. */
  const paid = async () => {
    const claim = await initiated();
    await makeBlocks(cluster(), 3);
    claim.transaction.sign([claim.wallet]);
    const { slot } = await cluster().sendSigned(claim.transaction);
    return { ...claim, slot };
  };

  describe('claims whose block the RPC node lacks', () => {
    let claim: Awaited<ReturnType<typeof paid>>;
    before('pay one', async () => {
      claim = await paid();
      await outlive(claim);
    });

    const NO_FIRST = /^the node does not have the block of its blockhash, at slot/;
    const HOLES: Record<
      string,
      [hole: (claim: { blockhashSlot: number; slot: number }) => Hole, why: RegExp]
    > = {
      'of one block': [({ slot }) => ({ from: slot, to: slot }), /^the node lacks 1 of the blocks from slot/],
      'that begins with the block of their blockhash': [
        ({ blockhashSlot, slot }) => ({ from: blockhashSlot, to: slot }),
        NO_FIRST,
      ],
      'that begins before the block of their blockhash': [
        ({ blockhashSlot, slot }) => ({ from: blockhashSlot - 3, to: slot + 3 }),
        NO_FIRST,
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
    const expectOpen = async (proxy: RpcProxy, why: RegExp) => {
      const { pass, undecidable, reasons } = watch(proxy);
      await pass();
      expect(await stateOf(claim)).to.equal('IN_PROGRESS');
      expect(await undecidable()).to.equal(1);
      expect(reasons).to.have.lengthOf(1);
      expect(reasons[0]).to.match(why);
    };
    for (const [name, [hole, why]] of Object.entries(HOLES))
      it(`stay IN_PROGRESS and are counted, with a gap ${name}`, async () => {
        both(nodeWithGaps(hole(claim)));
        await expectOpen(batching!, why);
        await expectOpen(single!, why);
      });

    it('stay IN_PROGRESS while the URL leads to that node and to a complete one', async () => {
      const withGap = nodeWithGaps({ from: claim.slot, to: claim.slot });
      // The node with the gap answers the status request; either node answers the proof's requests, in every order.
      const before = 5;
      for (let order = 0; order < 8; order += 1) {
        let first: number | undefined;
        batching!.rewrite((call, result, more) => {
          first ??= more.request;
          const index = more.request - first - before;
          const isWhole = index >= 0 && ((order >> index) & 1) === 1;
          return (isWhole ? asRealNode : withGap)(call, result, more);
        });
        await expectOpen(batching!, /^the node (lacks 1|knows it now|lists other blocks)/);
      }
      // Single calls: only the status comes from the node with the gap.
      single!.rewrite((call, result, more) =>
        (call.method === 'getSignatureStatuses' ? withGap : asRealNode)(call, result, more),
      );
      await expectOpen(single!, /^it is in the block of slot \d+, yet/);
    });

    it('become COMPLETED once the node has the blocks again', async () => {
      const { pass, undecidable } = watch(batching!);
      await pass();
      expect([await stateOf(claim), await undecidable()]).to.deep.equal(['COMPLETED', 0]);
      expect(await lamportsOf(cluster().connection, claim.wallet.publicKey)).to.equal(SOL - NETWORK_FEE);
    });
  });

  describe('claims that were never submitted', () => {
    const expectAll = async (claims: readonly { signature: string }[], state: string) => {
      for (const claim of claims) expect(await stateOf(claim)).to.equal(state);
    };

    it('become EXPIRED only once the RPC node has the whole history', async () => {
      const claims = [await initiated(), await initiated(), await initiated()];
      await watch(batching!).pass();
      await outlive(...claims);
      const from = claims[0]!.blockhashSlot + 100;
      both(nodeWithGaps({ from, to: from + 1 }));
      for (const proxy of [batching!, single!]) {
        await watch(proxy).pass();
        await expectAll(claims, 'IN_PROGRESS');
      }
      both(asRealNode);
      const asked = () => batching!.calls.get('getBlock') ?? 0;
      const before = asked();
      await watch(batching!).pass();
      await expectAll(claims, 'EXPIRED');
      expect(asked() - before, 'two blocks for each proof').to.equal(6);
    });

    it('become EXPIRED after a check of every block, if the node takes no batch requests, and on a simulator', async () => {
      for (const [node, isSimulated] of [
        [() => single!, false],
        [() => ({ url: cluster().rpcUrl }), cluster().kind === 'surfpool'],
      ] as const) {
        const claim = await initiated();
        await outlive(claim);
        const { pass, reasons } = watch(node(), isSimulated);
        await pass();
        expect(await stateOf(claim), reasons.join('; ')).to.equal('EXPIRED');
      }
    });

    it("do not become EXPIRED because of another chain's blocks", async () => {
      const claim = await initiated();
      await outlive(claim);
      // The history is complete and long enough, but no block has the claim's blockhash.
      both(async (call, result, more) => {
        const block = (await asRealNode(call, result, more)) as Record<string, string> | null;
        if (call.method !== 'getBlock' || block === null) return block;
        const [blockhash, previousBlockhash] = [
          `other${block['blockhash']}`,
          `other${block['previousBlockhash']}`,
        ];
        return { ...block, blockhash, previousBlockhash };
      });
      for (const proxy of [batching!, single!]) {
        const { pass, reasons } = watch(proxy);
        await pass();
        await expectAll([claim], 'IN_PROGRESS');
        expect(reasons.join()).to.contain('does not have the block of its blockhash');
      }
      both(asRealNode);
      await watch(batching!).pass();
      await expectAll([claim], 'EXPIRED');
    });

    it('do not block others when they cannot be checked, and are retried with backoff', async () => {
      const [stuck, other] = [await initiated(), await initiated()];
      await outlive(stuck, other);
      let asked = 0;
      batching!.rewrite((call, result, more) => {
        const [signatures, options] = call.params as [string[], { searchTransactionHistory?: boolean }?];
        if (
          call.method === 'getSignatureStatuses' &&
          signatures.includes(stuck.signature) &&
          options?.searchTransactionHistory === true
        ) {
          asked += 1;
          throw new Error('the connection breaks');
        }
        return asRealNode(call, result, more);
      });
      const { pass, undecidable } = watch(batching!);
      await pass();
      expect([await stateOf(other), await stateOf(stuck)]).to.deep.equal(['EXPIRED', 'IN_PROGRESS']);
      expect([await undecidable(), asked]).to.deep.equal([1, 1]);
      const began = performance.now();
      while (asked < 3) await pass();
      expect(performance.now() - began, 'pauses of 1 and 2 seconds').to.be.above(2_500);
      both(asRealNode);
      await watch(batching!).pass();
      await expectAll([stuck], 'EXPIRED');
    });
  });

  describe('curvekit claims recheck', () => {
    const environment = { RPC_URL: 'http://127.0.0.1:1', LOG_LEVEL: 'silent' };
    const recheck = (...args: string[]) =>
      runCommand(['claims', 'recheck', ...args], environment, lent(scene.database));

    it('ends the claims that the second RPC node can decide, and lists the others', async () => {
      const [landed, never] = [await paid(), await initiated()];
      await outlive(landed, never);
      batching!.rewrite(nodeWithGaps({ from: landed.slot, to: landed.slot }));
      const vain = await recheck('--rpc-url', batching!.url, '--json');
      expect(vain.exitCode, vain.err).to.equal(1);
      const { claims } = JSON.parse(vain.out) as {
        claims: { signature: string; state: string; undecided: string }[];
      };
      const undecided = claims.find(({ signature }) => signature === landed.signature);
      expect(undecided?.state).to.equal('IN_PROGRESS');
      expect(undecided?.undecided).to.match(/^the node lacks 1 of the blocks from slot \d+ on$/);

      batching!.rewrite(asRealNode);
      const one = await recheck(landed.signature, '--rpc-url', batching!.url);
      expect([one.exitCode, one.err]).to.deep.equal([0, '']);
      expect(one.out).to.contain(landed.signature).and.to.contain('COMPLETED');
      expect((await recheck('--rpc-url', batching!.url)).exitCode).to.equal(0);
      expect([await stateOf(landed), await stateOf(never)]).to.deep.equal(['COMPLETED', 'EXPIRED']);
      expect((await recheck('--rpc-url', batching!.url)).out).to.contain('No claim is in progress');
    });

    for (const [what, args, exitCode, says] of [
      ['no node', () => [], 2, '--rpc-url'],
      ['no URL', () => ['--rpc-url', 'archive'], 2, 'http or https URL'],
      ['an unknown claim', () => ['none', '--rpc-url', batching!.url], 1, 'there is no claim none'],
      ['a node that is down', () => ['--rpc-url', 'http://127.0.0.1:1'], 1, 'set --rpc-url'],
    ] as const)
      it(`ends with ${exitCode} and names the fault when it is given ${what}`, async () => {
        await initiated();
        const { exitCode: ended, err } = await recheck(...args());
        expect([ended, err.includes(says)], err).to.deep.equal([exitCode, true]);
      });
  });
});
