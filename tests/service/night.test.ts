// One night of an operator with two instances on PostgreSQL: a stranger's transactions of new versions, a provider that
// upgrades and prunes, an instance that its host freezes, and a restored backup.
import { createTransferInstruction } from '@solana/spl-token';
import { Keypair, SystemProgram, type VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import bs58 from 'bs58';
import { sql } from 'drizzle-orm';
import { associatedTokenAddress, createTokenAccountIfMissing } from '@curvekit/sdk';
import { openDatabase, rowsOf, type Database } from '#app/db/database.js';
import { walletBalances } from '#app/ledger/balances.js';
import { LEADER } from '#app/db/leadership.js';
import { readGate } from '#app/gate/payments-gate.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { backedUpDatabase, type BackedUp } from '#tests/database/backups.js';
import { expectIndexOf, recordsOnChain } from '#tests/cluster/chain-records.js';
import { askForSol, claimSol, readRewards, timed } from '#tests/service/claiming.js';
import { CLUSTER, useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { Operator } from '#tests/service/operator.js';
import { Provider } from '#tests/node/provider.js';
import { ledgerProblems, rewardsEnvironment, untilClaimsEnd } from '#tests/service/rewards.js';
import { startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { eventually, untilIndexed } from '#tests/service/service.js';
import { clusterEnvironment, keyVariable, whileFinalizing } from '#tests/service/service-context.js';
import { startServiceProcess, type ServiceProcess } from '#tests/service/service-process.js';
import { buyTokens, donateSol, launch, type Token } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

/** Paid into the storage of wrapped SOL for each settlement; a fifth of it is the holders'. */
const DONATION = SOL;
/** What the holders hold, in hundredths of what all of them hold: their parts divide without a remainder. */
const HUNDREDTHS = [1n, 3n, 5n, 7n, 9n, 11n, 13n, 15n, 17n, 19n];
const HUNDREDTH_OF_TOKENS = 1_000_000_000n;
/** A fifth of a donation, divided by a hundred. */
const HUNDREDTH_OF_SETTLEMENT = 2_000_000n;
const CLAIM_FEE = 10_000n;

/** "Within seconds", on a machine that does everything else too. */
const ANSWERED_WITHIN_MS = 3_000;
const REPLACED_WITHIN_MS = 15_000;
const FINALITY_MS = 180_000;
/** As on mainnet: the proof that all payments are known asks for every block since the backup. */
const SLOT_MS = 400;
/** 183 finalized blocks, and the finality of the last one. */
const REOPENED_MS = 240_000;

if (DATABASE_KIND === 'postgres') {
  describe(`a night of two instances, on ${CLUSTER} and ${DATABASE_KIND}`, function () {
    this.timeout(REOPENED_MS + 2 * FINALITY_MS);
    const cluster = useCluster({ slotTimeMs: SLOT_MS });
    const provider = new Provider();
    const holders = HUNDREDTHS.map(() => Keypair.generate());
    /** Every claim that was submitted, by the place of its wallet among the holders. */
    const submitted = holders.map(() => new Set<string>());
    let proxy: RpcProxy;
    let backup: BackedUp;
    let database: Database;
    let operator: Operator;
    let environment: Record<string, string>;
    let instances: [ServiceProcess, ServiceProcess];
    let token: Token;
    /** What strangers trade; nothing of it is ever settled. */
    let traded: Token;
    let stranger: Keypair;
    let stranger2: Keypair;
    let unreadable: string;
    /** Handed out before the restore, and submitted after it. */
    let kept: VersionedTransaction;

    before('two instances lead one database, behind a provider; holders are owed a settlement', async () => {
      const [treasury, lp] = (await cluster().fundedWallets(2, 10n * SOL)) as [Keypair, Keypair];
      [stranger, stranger2] = (await cluster().fundedWallets(2, 10n * SOL)) as [Keypair, Keypair];
      for (const { publicKey } of [cluster().dexOwner, cluster().feeReceiver])
        await cluster().fund(publicKey, 10n * SOL);
      provider.giveVersion(stranger.publicKey, 1);
      provider.giveVersion(stranger2.publicKey, 2);
      provider.setNewestVersion(1);
      proxy = await startRpcProxy(cluster().rpcUrl, { batches: true });
      proxy.rewrite(provider.rewrite);

      backup = await backedUpDatabase();
      environment = {
        ...clusterEnvironment(cluster()),
        ...rewardsEnvironment(treasury),
        ...backup.environment,
        RPC_URL: proxy.url,
        LP_ADDRESS: lp.publicKey.toBase58(),
        EXCLUDED_HOLDERS: cluster().payer.publicKey.toBase58(),
        SETTLEMENT_INTERVAL_SECONDS: '2',
        INDEXER_POLL_MS: '200',
        TREASURY_KEYPAIR: keyVariable(treasury),
      };
      operator = await Operator.create({ environment });
      await operator.command('migrate-db');
      await open();
      [token, traded] = [await launch(cluster()), await launch(cluster())];
      await buyTokens(cluster(), token, cluster().payer, 5n * SOL);
      await giveTokens();
      await donateSol(cluster(), token, DONATION);
      await startBoth();
    });
    after(async () => {
      for (const instance of instances ?? []) instance.thaw();
      await Promise.all((instances ?? []).map(({ killAfter }) => killAfter(0)));
      await database?.close();
      await operator?.remove();
      await backup?.remove();
      await proxy?.stop();
    });

    const open = async () => {
      const url = backup.environment['DATABASE_URL']!;
      database = await openDatabase({ kind: 'postgres', url, poolSize: 3 });
    };
    const start = () => startServiceProcess({ rpcUrl: proxy.url, wsUrl: cluster().wsUrl }, environment);
    /** One after the other, so that the first leads. */
    async function startBoth(): Promise<void> {
      instances = [await start(), await start()];
    }

    async function giveTokens(): Promise<void> {
      const { payer } = cluster();
      const source = associatedTokenAddress(payer.publicKey, token.mint).address;
      const gifts = holders.map(({ publicKey }, index) => [
        createTokenAccountIfMissing(payer.publicKey, publicKey, token.mint),
        createTransferInstruction(
          source,
          associatedTokenAddress(publicKey, token.mint).address,
          payer.publicKey,
          HUNDREDTHS[index]! * HUNDREDTH_OF_TOKENS,
        ),
      ]);
      for (let first = 0; first < gifts.length; first += 4)
        await cluster().send(gifts.slice(first, first + 4).flat(), [payer]);
    }

    const leader = async () => {
      const rows = await rowsOf<{ holder: string }>(
        database.queries,
        sql`select holder from leases where name = ${LEADER}`,
      );
      return rows[0]?.holder;
    };
    const nameOf = (instance: ServiceProcess) => instance.logged()[0]!.instance;

    async function check(instance: ServiceProcess, name: string): Promise<string> {
      const answer = await fetch(`${instance.url}/ready`);
      const { checks } = (await answer.json()) as { checks: Record<string, string> };
      return `${answer.status} ${checks[name]}`;
    }
    async function metric(instance: ServiceProcess, name: string): Promise<string | undefined> {
      const text = await (await fetch(`${instance.url}/metrics`)).text();
      return new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1];
    }
    const logged = (msg: string) =>
      instances.flatMap((instance) => instance.logged()).filter((line) => line.msg.startsWith(msg));

    /** The index says exactly what the chain does, of which so much is final. */
    async function expectExactIndex({ finalized }: { readonly finalized: boolean }): Promise<void> {
      const expected = await recordsOnChain(cluster());
      const wait = () =>
        untilIndexed(
          { database },
          { records: expected.length, finalized: finalized ? expected.length : 0 },
          FINALITY_MS,
        );
      await (finalized ? whileFinalizing(cluster(), wait) : wait());
      await expectIndexOf(database.queries, expected, { finalized });
    }

    async function owedInAll({ publicKey }: Keypair): Promise<bigint> {
      const [balances] = await walletBalances(database.queries, publicKey.toBase58());
      return balances?.allTimeSol ?? 0n;
    }
    async function unclaimed({ publicKey }: Keypair): Promise<bigint> {
      const [balances] = await walletBalances(database.queries, publicKey.toBase58());
      return balances?.unclaimedSol ?? 0n;
    }
    /** Until every holder was credited exactly its part of so many settlements. */
    const untilSettled = (settlements: bigint) => {
      let owed: bigint[] = [];
      return whileFinalizing(cluster(), () =>
        eventually(
          async () => {
            owed = await Promise.all(holders.map(owedInAll));
            return owed.every((amount, index) => amount === owedOf(index, settlements));
          },
          () => `the credits of ${settlements} settlements: ${owed.join(', ')} lamports are credited`,
          FINALITY_MS,
        ),
      );
    };

    /** @returns the transaction of a claim of all that a holder is owed, not submitted */
    async function handOut(instance: ServiceProcess, index: number): Promise<VersionedTransaction> {
      const { value, ms } = await timed(() => claimSol(instance, holders[index]!, token.mint.toBase58()));
      expect(value, `claim of holder ${index}`).not.to.equal(undefined);
      expect(ms, 'claimed within').to.be.below(ANSWERED_WITHIN_MS);
      return value!;
    }
    async function submit(index: number, transaction: VersionedTransaction): Promise<void> {
      await cluster().sendSigned(transaction);
      submitted[index]!.add(bs58.encode(transaction.signatures[0]!));
    }
    async function claim(instance: ServiceProcess, index: number): Promise<void> {
      await submit(index, await handOut(instance, index));
    }
    /** Until no claim of the holders is in progress. */
    const untilAllEnd = () => whileFinalizing(cluster(), () => untilClaimsEnd(database, FINALITY_MS));

    it('indexes trades exactly, with a stranger’s transactions of versions 1 and 2 among them', async () => {
      await buyTokens(cluster(), traded, cluster().payer, SOL);
      const { signature: readable } = await buyTokens(cluster(), traded, stranger, SOL);
      const naming = SystemProgram.transfer({
        fromPubkey: stranger2.publicKey,
        toPubkey: cluster().payer.publicKey,
        lamports: 1,
      });
      naming.keys.push({ pubkey: cluster().programId, isSigner: false, isWritable: false });
      ({ signature: unreadable } = await cluster().send([naming], [stranger2]));
      await buyTokens(cluster(), traded, cluster().payer, SOL);
      await expectExactIndex({ finalized: true });
      const expected = await recordsOnChain(cluster());
      expect(expected.map(({ signature }) => signature)).to.include(readable);

      const warning = new RegExp(
        `^200 warning: 1 transactions of the program cannot be read, the newest is ${unreadable} of version 2; upgrade Curvekit, or set RPC_URL`,
      );
      for (const instance of instances) {
        expect(await check(instance, 'transactions')).to.match(warning);
        expect(await check(instance, 'indexer')).to.equal('200 ok');
        expect(await metric(instance, 'curvekit_indexer_unreadable_transactions')).to.equal('1');
      }
      expect(logged('transactions of the program cannot be read')).to.have.lengthOf(1);
    });

    it('goes on when the provider upgrades and prunes all that is booked', async () => {
      const [booked] = await rowsOf<{ signature: string; slot: string }>(
        database.queries,
        sql`select signature, slot::text as slot from indexer_state`,
      );
      const slot = Number(booked!.slot);
      // Payments are read up to a slot of their own: what they have not seen would be a gap after the restore.
      await eventually(
        async () => ((await readGate(database.queries)).reconciledSlot ?? 0) >= slot,
        'payments to be reconciled up to what is booked',
        FINALITY_MS,
      );
      provider.pruneBefore(slot + 1);
      const until = { jsonrpc: '2.0', id: 1, method: 'getSignaturesForAddress' };
      const answer = await fetch(proxy.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...until, params: [cluster().programId, { until: booked!.signature }] }),
      });
      expect(await answer.json()).to.have.nested.property('error.code', -32_020);
      await buyTokens(cluster(), traded, cluster().payer, SOL);
      await buyTokens(cluster(), traded, stranger, SOL);
      await expectExactIndex({ finalized: false });
      for (const instance of instances) expect(await check(instance, 'indexer')).to.equal('200 ok');
    });

    it('settles, pays, and is backed up', async () => {
      await untilSettled(1n);
      await claim(instances[0], 0);
      await claim(instances[1], 1);
      await backup.backUp();
    });

    it('an instance that leads is frozen in the middle of claims: wallets read and claim on the other one, which leads', async () => {
      const former = await leader();
      const frozen = instances.find((instance) => nameOf(instance) === former)!;
      const other = instances.find((instance) => instance !== frozen)!;
      await donateSol(cluster(), token, DONATION);
      const mint = token.mint.toBase58();
      const caught = [2, 3, 4];
      const late = caught.map((index) => claimSol(frozen, holders[index]!, mint));
      await new Promise((resolve) => setTimeout(resolve, 10));
      frozen.freeze();
      const frozenAt = performance.now();
      try {
        await claim(other, 5);
        await claim(other, 6);
        for (const wallet of holders) {
          const { value, ms } = await timed(() => readRewards(other, wallet));
          expect(value, 'read').to.equal(200);
          expect(ms, 'read within').to.be.below(ANSWERED_WITHIN_MS);
        }
        // Unless the frozen one has stored the claim already.
        for (const index of caught) {
          const { value, ms } = await timed(() => claimSol(other, holders[index]!, mint));
          expect(ms, 'answered within').to.be.below(ANSWERED_WITHIN_MS);
          if (value !== undefined) await submit(index, value);
        }
        await buyTokens(cluster(), traded, cluster().payer, SOL);
        await eventually(
          async () => (await leader()) === nameOf(other),
          'the other one to lead',
          REPLACED_WITHIN_MS,
        );
        expect(performance.now() - frozenAt).to.be.below(REPLACED_WITHIN_MS);
        await expectExactIndex({ finalized: false });
      } finally {
        frozen.thaw();
      }
      for (const [position, answer] of (await Promise.all(late)).entries()) {
        if (answer !== undefined) await submit(caught[position]!, answer);
      }
      for (const index of caught) expect(submitted[index]!.size, 'claims handed out').to.equal(1);

      await untilSettled(2n);
      await untilAllEnd();
      expect(await leader()).to.equal(nameOf(other));
      await expectExactIndex({ finalized: true });
      await claim(frozen, 1);
      await claim(other, 5);
      await claim(other, 7);
      kept = await handOut(other, 8);
      expect(await ledgerProblems(database)).to.deep.equal([]);
    });

    it('the database is restored: trades and reads go on, and nothing is paid until the chain is accounted for', async () => {
      await buyTokens(cluster(), traded, stranger, SOL);
      await database.close();
      await Promise.all(instances.map(({ killAfter }) => killAfter(0)));
      await backup.restore();
      // A simulator's gate waits for no blocks: there it lands before.
      const isSimulator = cluster().kind === 'surfpool';
      if (isSimulator) await submit(8, kept);
      await startBoth();
      await open();
      expect(await Promise.all(holders.map(owedInAll)), 'forgotten').not.to.deep.equal(
        holders.map((_, index) => owedOf(index, 2n)),
      );
      if (!isSimulator) {
        await expectClosed();
        await submit(8, kept);
        await buyTokens(cluster(), traded, cluster().payer, SOL);
        await expectExactIndex({ finalized: false });
      }
      let payments = '';
      await whileFinalizing(cluster(), () =>
        eventually(
          async () => (payments = await check(instances[0], 'payments')) === '200 ok',
          () => `payments to be made again: ${payments}`,
          REOPENED_MS,
        ),
      );
      for (const instance of instances)
        expect(await metric(instance, 'curvekit_payments_held')).to.equal('0');
      if (!isSimulator) expect(logged('nothing is paid for now')).not.to.deep.equal([]);
      for (const instance of instances) {
        const said = instance.logged().filter(({ msg }) => msg === 'nothing is paid for now');
        const reasons = said.map(({ reason = '' }) => reason.replace(/\d+/g, ''));
        // Once for each reason: the index can be behind the chain for a moment.
        for (const [index, reason] of reasons.entries()) expect(reason).not.to.equal(reasons[index + 1]);
      }
      expect(logged('payments are reconciled with the chain')).to.have.lengthOf(1);
    });

    async function expectClosed(): Promise<void> {
      for (const instance of instances) {
        expect(await check(instance, 'payments')).to.match(
          /^200 warning: closed until the payments on chain are reconciled with this database, which was started or restored: /,
        );
        expect(await metric(instance, 'curvekit_payments_held')).to.equal('1');
        for (const wallet of holders.slice(0, 3)) {
          const { value, ms } = await timed(() => readRewards(instance, wallet));
          expect(value, 'read').to.equal(200);
          expect(ms, 'read within').to.be.below(ANSWERED_WITHIN_MS);
        }
        const refused = await askForSol(instance, holders[9]!, token.mint.toBase58());
        expect(refused.status, await refused.text()).to.equal(503);
      }
    }

    it('in the morning everybody has been paid once what the settlements owe, and the ledger is exact', async () => {
      await untilSettled(2n);
      for (const [index, wallet] of holders.entries()) {
        if ((await unclaimed(wallet)) > 0n) {
          await claim(instances[index % 2]!, index);
        } else {
          const refused = await askForSol(instances[0], wallet, token.mint.toBase58());
          expect(refused.status, `holder ${index}, who has everything`).to.equal(400);
        }
      }
      await untilAllEnd();
      for (const [index, { publicKey }] of holders.entries()) {
        const paid = await lamportsOf(cluster().connection, publicKey);
        const fees = CLAIM_FEE * BigInt(submitted[index]!.size);
        expect(paid, `lamports of holder ${index}`).to.equal(owedOf(index, 2n) - fees);
      }
      await expectExactIndex({ finalized: true });
      for (const instance of instances) {
        for (const name of ['database', 'rpc', 'indexer', 'payments', 'ledger'])
          expect(await check(instance, name), name).to.equal('200 ok');
        expect(await check(instance, 'transactions')).to.include(unreadable);
      }
      const { problems, totals } = await operator.command<LedgerCheck>('ledger', 'check');
      expect(problems).to.deep.equal([]);
      const sol = totals.find(({ asset }) => asset === 'SOL')!;
      expect([sol.claimable, sol.reserved]).to.deep.equal(['0', '0']);
      expect([sol.credited, sol.claimed]).to.deep.equal(Array(2).fill(`${200n * HUNDREDTH_OF_SETTLEMENT}`));
    });
  });
}

interface LedgerCheck {
  readonly problems: readonly unknown[];
  readonly totals: readonly ({ readonly asset: string } & Record<
    'credited' | 'claimable' | 'reserved' | 'claimed',
    string
  >)[];
}

/** What so many settlements owe a holder. */
function owedOf(index: number, settlements: bigint): bigint {
  return settlements * HUNDREDTHS[index]! * HUNDREDTH_OF_SETTLEMENT;
}
