// Claims behind nodes with holes in their history, and behind an address that stands for several nodes: none that was paid
// may be given up. Blocks are made by transactions alone, for Surfpool makes up those that time travel skips.
import { Connection, Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { pino } from 'pino';
import { createReconciler } from '#app/claims/reconciler-job.js';
import { Reconciler } from '#app/claims/reconciler.js';
import { runCli } from '#app/cli/run.js';
import { createMetrics } from '#app/metrics.js';
import { ClaimsRepository } from '#app/claims/repository.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { asRealNode, holedNode, outliveBlockhash, type Hole } from '#tests/node/holed-node.js';
import {
  initiate,
  ledgerProblems,
  reward,
  startRewardsScene,
  transactionOf,
  type RewardsScene,
} from '#tests/service/rewards.js';
import { startRpcProxy, type Rewrite, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { eventually } from '#tests/service/service.js';
import { SOL } from '#tests/constants.js';
import { makeBlocks } from '#tests/cluster/blocks.js';

const NETWORK_FEE = 10_000n;
const NEVER_MS = 86_400_000;
/** More blocks than a claim can be looked for in. */
const LONG = 1_000;

describe(`claims and the node's history (${DATABASE_KIND})`, function () {
  this.timeout(300_000);
  const cluster = useCluster();
  let scene: RewardsScene;
  /** A request with many calls is answered whole. */
  let batching: RpcProxy;
  /** Each call is a request. */
  let single: RpcProxy;

  before('start the service', async () => {
    // Its own reconciler looks once, at nothing: the tests look for themselves.
    scene = await startRewardsScene(cluster(), { reconcilerIntervalMs: NEVER_MS });
    batching = await startRpcProxy(cluster().rpcUrl, { batches: true });
    single = await startRpcProxy(cluster().rpcUrl, { batches: false });
    both(asRealNode);
  });
  after(async () => {
    await scene?.stop();
    await batching?.stop();
    await single?.stop();
  });
  afterEach('the ledger adds up', async () => {
    both(asRealNode);
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
  });

  const both = (rewrite: Rewrite) => {
    for (const proxy of [batching, single]) proxy.rewrite(rewrite);
  };
  const repository = () => new ClaimsRepository(scene.database);
  const contextOf = (proxy: RpcProxy) => ({
    ...scene.service.context,
    // The proxies make Surfpool look like a real cluster.
    config: { ...scene.service.context.config, isSimulated: false },
    connection: new Connection(proxy.url, { commitment: 'confirmed', disableRetryOnRateLimit: true }),
    metrics: createMetrics({ ofProcess: false }),
  });
  /** A new reconciler, which remembers nothing. */
  const watch = (proxy: RpcProxy) => {
    /** Why claims cannot be decided, from its log. */
    const reasons: string[] = [];
    const write = (line: string) => {
      const { reason, err } = JSON.parse(line) as { reason?: string; err?: { message: string } };
      reasons.push(reason ?? err?.message ?? line);
    };
    const context = { ...contextOf(proxy), logger: pino({ level: 'error' }, { write }) };
    const reconciler = new Reconciler(context, { repository: repository() });
    const undecidable = async () => {
      const text = await context.metrics.registry.metrics();
      return Number(/^curvekit_claims_undecidable (\d+)$/m.exec(text)?.[1]);
    };
    return { pass: () => reconciler.pass(), undecidable, reasons };
  };
  const expectState = async (signature: string, state: string, reasons: readonly string[] = []) =>
    expect(await stateOf(signature), reasons.join('; ')).to.equal(state);
  const claimOf = async (signature: string) => (await repository().find(signature))!;
  const stateOf = async (signature: string) => (await claimOf(signature)).state;
  const outlive = async (signature: string) =>
    outliveBlockhash(cluster(), (await claimOf(signature)).lastValidBlockHeight);

  const initiated = async () => {
    const wallet = Keypair.generate();
    await reward(scene.database, wallet.publicKey, scene.mint, 'SOL', SOL);
    const transaction = transactionOf(await initiate(scene, wallet, { claimType: 'SOL' }));
    const signature = bs58.encode(transaction.signatures[0]!);
    return { wallet, transaction, signature, blockhashSlot: (await claimOf(signature)).blockhashSlot };
  };
  /** Paid, in neither the first nor the last block that it could be in. */
  const paid = async () => {
    const claim = await initiated();
    await makeBlocks(cluster(), 3);
    claim.transaction.sign([claim.wallet]);
    const { slot } = await cluster().sendSigned(claim.transaction);
    return { ...claim, slot };
  };

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
          const proxy = kind === 'batches' ? batching : single;
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
        batching.rewrite((call, result, more) => {
          first ??= more.request;
          const index = more.request - first - before;
          const isWhole = index >= 0 && ((order >> index) & 1) === 1;
          return (isWhole ? asRealNode : holed)(call, result, more);
        });
        expect(await whyOpen(batching)).to.match(/^the node (lacks 1|knows it now|lists other blocks)/);
      }
      // Single calls: nothing but the status from the holed one.
      single.rewrite((call, result, more) =>
        (call.method === 'getSignatureStatuses' ? holed : asRealNode)(call, result, more),
      );
      expect(await whyOpen(single)).to.match(/^it is in the block of slot \d+, yet/);
    });

    it('are COMPLETED when the blocks are there again', async () => {
      const { pass, undecidable } = watch(batching);
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
      await watch(batching).pass();
      for (const { signature } of claims) await outlive(signature);
      const hole = holedNode({ from: first!.blockhashSlot + 100, to: first!.blockhashSlot + 101 });
      const expectAll = async (state: string) => {
        for (const { signature } of claims) await expectState(signature, state);
      };
      for (const proxy of [batching, single]) {
        proxy.rewrite(hole);
        await watch(proxy).pass();
        await expectAll('IN_PROGRESS');
      }
      both(asRealNode);
      const asked = () => batching.calls.get('getBlock') ?? 0;
      const before = asked();
      await watch(batching).pass();
      await expectAll('EXPIRED');
      expect(asked() - before, 'two blocks for each proof').to.equal(6);
    });

    it('are EXPIRED by every block where one request holds one call', async () => {
      const { signature } = await initiated();
      await outlive(signature);
      const { pass, reasons } = watch(single);
      await pass();
      await expectState(signature, 'EXPIRED', reasons);
    });

    it('are EXPIRED by the cluster itself', async () => {
      const { signature } = await initiated();
      await outlive(signature);
      const reconciler = new Reconciler(
        { ...scene.service.context, metrics: createMetrics({ ofProcess: false }) },
        { repository: repository() },
      );
      await reconciler.pass();
      expect(await stateOf(signature)).to.equal('EXPIRED');
    });

    it('are not EXPIRED by the blocks of another chain', async () => {
      const { signature } = await initiated();
      await outlive(signature);
      // Whole and long enough, but the blockhash is in none of its blocks.
      for (const proxy of [batching, single]) {
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
      const { pass, reasons } = watch(batching);
      await pass();
      await expectState(signature, 'EXPIRED', reasons);
    });
  });

  it('one that cannot be looked at does not keep the others from their end, and is asked for less and less', async () => {
    const [stuck, other] = [await initiated(), await initiated()];
    for (const { signature } of [stuck, other]) await outlive(signature);
    let asked = 0;
    batching.rewrite((call, result, more) => {
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
    const { pass, undecidable } = watch(batching);
    await pass();
    expect(await stateOf(other.signature)).to.equal('EXPIRED');
    expect(await stateOf(stuck.signature)).to.equal('IN_PROGRESS');
    expect(await undecidable()).to.equal(1);
    expect(asked).to.equal(1);
    const began = performance.now();
    while (asked < 3) await pass();
    expect(performance.now() - began, 'pauses of 1 and 2 seconds').to.be.above(2_500);

    both(asRealNode);
    await watch(batching).pass();
    expect(await stateOf(stuck.signature)).to.equal('EXPIRED');
  });

  it('housekeeping goes on while the node is away', async () => {
    let tidied = 0;
    batching.setDown(true);
    // The lease of the scene's own database is the service's.
    const database = await openTestDatabase();
    const job = createReconciler(
      { ...contextOf(batching), database },
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
      batching.setDown(false);
      await job.stop();
      await database.close();
    }
  });

  describe('curvekit claims recheck', () => {
    const recheck = async (...args: string[]) => {
      const out: string[] = [];
      const err: string[] = [];
      const exitCode = await runCli(['claims', 'recheck', ...args], {
        environment: { RPC_URL: 'http://127.0.0.1:1', LOG_LEVEL: 'silent' },
        out: (text) => out.push(text),
        err: (text) => err.push(text),
        openDatabase: () => Promise.resolve({ ...scene.database, close: () => Promise.resolve() }),
        colour: false,
      });
      return { exitCode, out: out.join('\n'), err: err.join('\n') };
    };

    it('ends what another node can decide, and says what it cannot', async () => {
      const [landed, never] = [await paid(), await initiated()];
      for (const { signature } of [landed, never]) await outlive(signature);
      batching.rewrite(holedNode({ from: landed.slot, to: landed.slot }));
      const vain = await recheck('--rpc-url', batching.url, '--json');
      expect(vain.exitCode, vain.err).to.equal(1);
      const { claims } = JSON.parse(vain.out) as {
        claims: { signature: string; state: string; undecided: string }[];
      };
      const of = (wanted: string) => claims.find(({ signature }) => signature === wanted);
      expect(of(landed.signature)?.state).to.equal('IN_PROGRESS');
      expect(of(landed.signature)?.undecided).to.match(/^the node lacks 1 of the blocks from slot \d+ on$/);

      batching.rewrite(asRealNode);
      const one = await recheck(landed.signature, '--rpc-url', batching.url);
      expect([one.exitCode, one.err]).to.deep.equal([0, '']);
      expect(one.out).to.contain(landed.signature).and.to.contain('COMPLETED');
      expect((await recheck('--rpc-url', batching.url)).exitCode).to.equal(0);
      expect(await stateOf(landed.signature)).to.equal('COMPLETED');
      expect(await stateOf(never.signature)).to.equal('EXPIRED');
      expect((await recheck('--rpc-url', batching.url)).out).to.contain('No claim is in progress');
    });

    it('says what is wrong with its arguments', async () => {
      const missing = await recheck();
      expect([missing.exitCode, missing.err.includes('--rpc-url')]).to.deep.equal([2, true]);
      const nonsense = await recheck('--rpc-url', 'archive');
      expect([nonsense.exitCode, nonsense.err.includes('http or https URL')]).to.deep.equal([2, true]);
      const unknown = await recheck('none', '--rpc-url', batching.url);
      expect([unknown.exitCode, unknown.err.includes('there is no claim none')]).to.deep.equal([1, true]);
      const away = await recheck('--rpc-url', 'http://127.0.0.1:1');
      expect([away.exitCode, away.err.includes('check --rpc-url')]).to.deep.equal([1, true]);
    });
  });
});
