// Failovers of PostgreSQL with streaming replication. The old primary goes on, or is killed and comes back. An instance of the
// service runs at each database, and wallets ask both. Every reward is paid once. threat: split-brain
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import type { LocalCluster } from '@curvekit/testing';
import { expect } from 'chai';
import { atEnd } from '#tests/mocha/at-end.js';
import { runCommand } from '#tests/service/cli.js';
import { Claims } from '#app/claims/claims.js';
import { Reconciler } from '#app/claims/reconciler.js';
import { ClaimsRepository } from '#app/claims/repository.js';
import { openDatabase, statement } from '#app/db/database.js';
import { walletBalances } from '#app/ledger/balances.js';
import { paymentsHeld, watchOwnKeys } from '#app/ledger/gate/payments-gate.js';
import { Reconciliation } from '#app/reconciliation/reconcile.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { makeBlocks } from '#tests/cluster/blocks.js';
import { CLUSTER, useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import { startPostgres, type PostgresServer } from '#tests/database/postgres.js';
import { asRealNode } from '#tests/node/node-with-gaps.js';
import { startRpcProxy, type Rewrite, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { ledgerProblems, reward } from '#tests/service/rewards.js';
import { eventually } from '#tests/service/service.js';
import { clusterEnvironment, contextFrom, keyVariable } from '#tests/service/service-context.js';
import { randomStream } from '../../../scripts/random.js';

// Surfpool as a real cluster looks to the reconciliation of payments: a block for every slot, finality, and no name of a simulator.

const FINALITY = 32;
const LIFE = 150;

interface InSlot {
  readonly context: { readonly slot: number };
  readonly value: object;
}

const asSteadyNode: Rewrite = async (call, result, more) => {
  const { method, params } = call;
  const { ask } = more;
  const slotNow = async () =>
    (await ask({ method: 'getSlot', params: [{ commitment: 'processed' }] })) as number;
  switch (method) {
    case 'getEpochInfo': {
      const { commitment } = params[0] as { commitment: string };
      const slot = (await slotNow()) - (commitment === 'finalized' ? FINALITY : 0);
      return { ...(result as object), absoluteSlot: slot, blockHeight: slot };
    }
    case 'getBlockHeight':
      return slotNow();
    case 'getBlocks': {
      const [from, to] = params as [number, number];
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    }
    case 'getBlock': {
      const slot = params[0] as number;
      return { blockHeight: slot, parentSlot: slot - 1, blockhash: String(slot), transactions: [] };
    }
    case 'getLatestBlockhash': {
      const { context, value } = result as InSlot;
      return { context, value: { ...value, lastValidBlockHeight: context.slot + LIFE } };
    }
    case 'getSignaturesForAddress': {
      // With `minContextSlot`, Surfpool lists no transactions before that slot.
      const [address, options] = params as [string, object];
      return ask({ method, params: [address, { ...options, minContextSlot: undefined }] });
    }
    default:
      return asRealNode(call, result, more);
  }
};

/** What an instance of the service does to pay claims, on one of several databases, step by step. */
async function startInstance(
  name: string,
  { url, cluster }: { readonly url: string; readonly cluster: LocalCluster },
  environment: Readonly<Record<string, string>>,
) {
  const database = await openDatabase({ kind: 'postgres', url, poolSize: 5 });
  const context = await contextFrom({ ...environment, DATABASE_URL: url }, database);
  await watchOwnKeys(context);
  const repository = new ClaimsRepository(database);
  const claims = new Claims(context, repository);
  // The ends of claims are proved on the cluster as it is.
  const config = { ...context.config, isSimulated: true };
  const reconciler = new Reconciler({ ...context, connection: cluster.connection, config }, { repository });
  const reconciliation = new Reconciliation(context);
  return {
    name,
    database,
    /** One pass of the jobs. A database that is down fails it. */
    turn: async () => {
      const { signal } = new AbortController();
      await reconciliation.pass(signal);
      await reconciler.pass(signal);
    },
    /** The transaction of a wallet's claim. @throws when the service refuses it */
    handOut: async ({ publicKey }: Keypair, mint: string) => {
      const of = { wallet: publicKey.toBase58(), mint, asset: 'SOL', burn: false } as const;
      const tx = await claims.initiate({ ...of, idempotencyKey: undefined });
      return VersionedTransaction.deserialize(Buffer.from(tx, 'base64'));
    },
    /** Whether nothing is left to claim, and every claim has ended. */
    hasPaid: async (wallets: readonly Keypair[]) => {
      for (const { publicKey } of wallets) {
        const [rewards] = await walletBalances(database.queries, publicKey.toBase58());
        if (rewards?.unclaimedSol !== 0n) return false;
      }
      return (await repository.open(1)).length === 0;
    },
    held: () => paymentsHeld(database.queries),
    stop: () => database.close(),
  };
}
type Instance = Awaited<ReturnType<typeof startInstance>>;

const TRIES = Number(process.env['FAILOVERS'] ?? 3);
const SEED = Number(process.env['FAILOVER_SEED'] ?? 1);
const REWARD = SOL / 100n;
const FEE = 10_000n;
const WALLETS = 4;
const BLOCKS_A_TURN = 10;
/** Enough for what a new primary waits for, and for the last claim to end. */
const MOST_TURNS = 120;

/** A claim that a database has handed out. */
interface HandedOut {
  readonly wallet: Keypair;
  readonly transaction: VersionedTransaction;
  readonly by: string;
}

if (DATABASE_KIND === 'postgres') {
  describe(`${TRIES} failovers, on ${CLUSTER}`, function () {
    this.timeout(TRIES * 120_000 + 60_000);
    const cluster = useCluster();
    const random = randomStream(SEED, 0);
    const mint = Keypair.generate().publicKey.toBase58();
    let treasury: Keypair;
    let node: RpcProxy;
    let server: PostgresServer;
    let primary: Instance;
    const environment = () => ({
      ...clusterEnvironment(cluster()),
      RPC_URL: node.url,
      SIMULATED_CLUSTER: 'off',
      TREASURY_KEYPAIR: keyVariable(treasury),
    });
    const start = (name: string, { url }: PostgresServer) =>
      startInstance(name, { url, cluster: cluster() }, environment());

    before(async () => {
      treasury = await cluster().fundedWallet(100n * SOL);
      node = await startRpcProxy(cluster().rpcUrl, { batches: true });
      node.rewrite(asSteadyNode);
      server = await startPostgres();
      primary = await start('0', server);
      await storeToken(primary.database.queries, { mint });
      const first = await cluster().connection.getFirstAvailableBlock();
      await statement(primary.database.queries)`
        insert into indexer_state (program_id, first_slot) values (${cluster().programId.toBase58()}, ${first})`;
      await turns(primary, async () => (await primary.held()) === undefined, 'payments to open');
    });
    after(async () => {
      await primary?.stop();
      await server?.stop();
      await node?.stop();
    });

    /** Passes of an instance's jobs, and blocks between them, until something is so. */
    async function turns(instance: Instance, until: () => Promise<boolean>, what: string): Promise<void> {
      for (let turn = 0; turn < MOST_TURNS; turn += 1) {
        await instance.turn();
        // On a busy machine the test's own question can be too late for the database, too.
        if (await until().catch(() => false)) return;
        await makeBlocks(cluster(), BLOCKS_A_TURN);
      }
      throw new Error(`${what}: still not after ${MOST_TURNS} turns; payments: ${await instance.held()}`);
    }

    async function rewarded(): Promise<Keypair[]> {
      const wallets = Array.from({ length: WALLETS }, () => Keypair.generate());
      for (const { publicKey } of wallets) await reward(primary.database, publicKey, mint, 'SOL', REWARD);
      return wallets;
    }

    /** Asks for each wallet's claim. A database that is down answers nothing. */
    async function ask(instance: Instance, wallets: readonly Keypair[]): Promise<HandedOut[]> {
      const all: HandedOut[] = [];
      for (const wallet of wallets) {
        const transaction = await instance.handOut(wallet, mint).catch(() => undefined);
        if (transaction !== undefined) all.push({ wallet, transaction, by: instance.name });
      }
      return all;
    }

    /** A wallet sends what it got whenever it likes. What has expired is refused. */
    async function submit({ wallet, transaction }: HandedOut): Promise<void> {
      transaction.sign([wallet]);
      await cluster()
        .sendSigned(transaction)
        .catch(() => undefined);
    }

    for (let number = 1; number <= TRIES; number += 1)
      it(`pays every reward once: ${number}`, async () => {
        const [old, oldServer] = [primary, server];
        const wallets = await rewarded();
        const standby = await oldServer.standby();
        const [isKilled, isCut] = [random.chance(50), random.chance(60)];
        await eventually(() => standby.hasReplayed(oldServer), 'the standby to have everything', 30_000);
        // What the old primary hands out from now on, the new one does not know.
        if (isCut) await standby.cutOff();
        const open = await ask(old, wallets.slice(0, 1 + random.below(2)));
        expect(open.length).to.be.greaterThan(0);
        if (isKilled) {
          await oldServer.restart('immediate');
        } else if (!isCut)
          await eventually(() => standby.hasReplayed(oldServer), 'the standby to have everything', 30_000);
        await standby.promote();
        const next = await start(String(number), standby);

        await turns(
          next,
          async () => {
            // The old primary's instance goes on as if nothing had happened, or again after the restart.
            await old.turn().catch(() => undefined);
            open.push(...(await ask(old, wallets)), ...(await ask(next, wallets)));
            for (const one of open.splice(0))
              if (random.chance(40)) open.push(one);
              else await submit(one);
            if (open.length > 0) return false;
            return next.hasPaid(wallets);
          },
          'every reward to be paid',
        );

        for (const { publicKey } of wallets)
          expect(await lamportsOf(cluster().connection, publicKey), publicKey.toBase58()).to.equal(
            REWARD - FEE,
          );
        expect(await ledgerProblems(next.database)).to.deep.equal([]);
        expect(await old.held().catch(() => 'down')).to.match(/another database pays|down|closed/);
        await old.stop();
        await oldServer.stop();
        [primary, server] = [next, standby];
      });

    it('let the operator choose the one that was left behind', async () => {
      const standby = await server.standby();
      await eventually(() => standby.hasReplayed(server), 'the standby to have everything', 30_000);
      await standby.promote();
      const promoted = await start('promoted', standby);
      atEnd(() => standby.stop());
      atEnd(() => promoted.stop());
      const isOpen = (instance: Instance) => async () => (await instance.held()) === undefined;
      await turns(promoted, isOpen(promoted), 'payments of the promoted one to open');
      await primary.turn();
      expect(await primary.held()).to.match(/^closed: another database pays .* --take-over` here$/);

      const takeOver = async (variables: Readonly<Record<string, string>>) => {
        const command = ['ledger', 'reconcile', '--take-over'];
        const { exitCode, out, err } = await runCommand(
          command,
          { ...variables, DATABASE_URL: server.url },
          openDatabase,
        );
        return { exitCode, said: err + out };
      };
      const { TREASURY_KEYPAIR, ...withoutKey } = environment();
      const refused = await takeOver(withoutKey);
      expect(refused.exitCode).to.equal(1);
      expect(refused.said).to.contain('--take-over needs the treasury: set TREASURY_KEYPAIR');
      const { exitCode, said } = await takeOver({ ...withoutKey, TREASURY_KEYPAIR });
      expect(said).to.match(/^This database takes over from the one with epoch \w+\. /);
      expect(exitCode).to.equal(0);
      await turns(primary, isOpen(primary), 'payments of the chosen one to open');
      await promoted.turn();
      expect(await promoted.held()).to.match(/^closed: another database pays/);
      await primary.turn();
      expect(await primary.held()).to.equal(undefined);
    });
  });
}
