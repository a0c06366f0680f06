// Two instances on PostgreSQL: transactions of new versions, a provider that
// upgrades and prunes, an instance that its host freezes, and a restored backup. threat: restored-backup
import { SystemProgram, type VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { rowsOf } from '#app/db/database.js';
import { readGate } from '#app/ledger/gate/payments-gate.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { recordsOnChain } from '#tests/cluster/chain-records.js';
import { askForSol, claimSol, readRewards, timed } from '#tests/service/claiming.js';
import { CLUSTER } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { ledgerProblems } from '#tests/service/rewards.js';
import {
  ANSWERED_WITHIN_MS,
  CLAIM_FEE,
  DONATION,
  FINALITY_MS,
  HUNDREDTH_OF_SETTLEMENT,
  owedOf,
  useNight,
} from '#tests/service/two-instances.js';
import { eventually } from '#tests/service/service.js';
import { whileFinalizing } from '#tests/service/service-context.js';
import { buyTokens, donateSol } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

const REPLACED_WITHIN_MS = 15_000;
/** Time for 183 finalized blocks, plus the finality of the last one. */
const REOPENED_MS = 480_000;

if (DATABASE_KIND === 'postgres') {
  describe(`two instances, on ${CLUSTER} and ${DATABASE_KIND}`, function () {
    this.timeout(REOPENED_MS + 2 * FINALITY_MS);
    const night = useNight();
    const { cluster, provider, holders, submitted, open, startBoth, leader, nameOf, check, metric, logged } =
      night;
    const { expectExactIndex, owedInAll, unclaimed, untilSettled, handOut, submit, claim, untilAllEnd } =
      night;
    let unreadable: string;
    /** Returned to the wallet before the restore, and submitted after it. */
    let kept: VersionedTransaction;

    it('the indexer books trades exactly, also with transactions of versions 1 and 2', async () => {
      await buyTokens(cluster(), night.traded, cluster().payer, SOL);
      const { signature: readable } = await buyTokens(cluster(), night.traded, night.stranger, SOL);
      const naming = SystemProgram.transfer({
        fromPubkey: night.stranger2.publicKey,
        toPubkey: cluster().payer.publicKey,
        lamports: 1,
      });
      naming.keys.push({ pubkey: cluster().programId, isSigner: false, isWritable: false });
      ({ signature: unreadable } = await cluster().send([naming], [night.stranger2]));
      await buyTokens(cluster(), night.traded, cluster().payer, SOL);
      await expectExactIndex({ finalized: true });
      const expected = await recordsOnChain(cluster());
      expect(expected.map(({ signature }) => signature)).to.include(readable);

      const warning = new RegExp(
        `^200 warning: unreadable transactions of the program: 1, the newest is ${unreadable} of version 2; upgrade Curvekit, or set RPC_URL`,
      );
      for (const instance of night.instances) {
        expect(await check(instance, 'transactions')).to.match(warning);
        expect(await check(instance, 'indexer')).to.equal('200 ok');
        expect(await metric(instance, 'curvekit_indexer_unreadable_transactions')).to.equal('1');
      }
      expect(logged('transactions of the program cannot be read')).to.have.lengthOf(1);
    });

    it('the indexer continues when the provider upgrades and prunes all booked history', async () => {
      const [booked] = await rowsOf<{ signature: string; slot: string }>(
        night.database.queries,
        sql`select signature, slot::text as slot from indexer_state`,
      );
      const slot = Number(booked!.slot);
      // The payments' reconciliation has its own slot. Unreconciled slots would be a gap after the restore.
      await eventually(
        async () => ((await readGate(night.database.queries)).reconciledSlot ?? 0) >= slot,
        'payments to be reconciled up to what is booked',
        FINALITY_MS,
      );
      provider.pruneBefore(slot + 1);
      const until = { jsonrpc: '2.0', id: 1, method: 'getSignaturesForAddress' };
      const answer = await fetch(night.proxy.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...until, params: [cluster().programId, { until: booked!.signature }] }),
      });
      expect(await answer.json()).to.have.nested.property('error.code', -32_020);
      await buyTokens(cluster(), night.traded, cluster().payer, SOL);
      await buyTokens(cluster(), night.traded, night.stranger, SOL);
      await expectExactIndex({ finalized: false });
      for (const instance of night.instances) expect(await check(instance, 'indexer')).to.equal('200 ok');
    });

    it('both instances settle and pay, and the operator takes a backup', async () => {
      await untilSettled(1n);
      await claim(night.instances[0], 0);
      await claim(night.instances[1], 1);
      await night.backup.backUp();
    });

    it('the leader is frozen in the middle of claims: wallets read and claim at the other instance, which takes the lease', async () => {
      const former = await leader();
      const frozen = night.instances.find((instance) => nameOf(instance) === former)!;
      const other = night.instances.find((instance) => instance !== frozen)!;
      await donateSol(cluster(), night.token, DONATION);
      const mint = night.token.mint.toBase58();
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
        // No claim is returned if the frozen instance has already stored it.
        for (const index of caught) {
          const { value, ms } = await timed(() => claimSol(other, holders[index]!, mint));
          expect(ms, 'answered within').to.be.below(ANSWERED_WITHIN_MS);
          if (value !== undefined) await submit(index, value);
        }
        await buyTokens(cluster(), night.traded, cluster().payer, SOL);
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
      expect(await ledgerProblems(night.database)).to.deep.equal([]);
    });

    it('the operator restores the database: trades and reads continue, and payments are held until they are reconciled', async () => {
      await buyTokens(cluster(), night.traded, night.stranger, SOL);
      await night.database.close();
      await Promise.all(night.instances.map(({ killAfter }) => killAfter(0)));
      await night.backup.restore();
      // On a simulator the gate does not wait for blocks, so the claim lands before the start.
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
        await buyTokens(cluster(), night.traded, cluster().payer, SOL);
        await expectExactIndex({ finalized: false });
      }
      let payments = '';
      await whileFinalizing(cluster(), () =>
        eventually(
          async () => (payments = await check(night.instances[0], 'payments')) === '200 ok',
          () => `payments to be made again: ${payments}`,
          REOPENED_MS,
        ),
      );
      for (const instance of night.instances)
        expect(await metric(instance, 'curvekit_payments_held')).to.equal('0');
      if (!isSimulator) expect(logged('payments are paused: see `reason`')).not.to.deep.equal([]);
      for (const instance of night.instances) {
        const said = instance.logged().filter(({ msg }) => msg === 'payments are paused: see `reason`');
        const reasons = said.map(({ reason = '' }) => reason.replace(/\d+/g, ''));
        // Logged once per reason. The index can be behind the chain for a moment.
        for (const [index, reason] of reasons.entries()) expect(reason).not.to.equal(reasons[index + 1]);
      }
      expect(logged('payments are reconciled with the chain')).to.have.lengthOf(1);
    });

    async function expectClosed(): Promise<void> {
      for (const instance of night.instances) {
        expect(await check(instance, 'payments')).to.match(
          /^200 warning: closed until the payments on chain are reconciled with this database, which was started, restored or not reconciled for two minutes: /,
        );
        expect(await metric(instance, 'curvekit_payments_held')).to.equal('1');
        for (const wallet of holders.slice(0, 3)) {
          const { value, ms } = await timed(() => readRewards(instance, wallet));
          expect(value, 'read').to.equal(200);
          expect(ms, 'read within').to.be.below(ANSWERED_WITHIN_MS);
        }
        const refused = await askForSol(instance, holders[9]!, night.token.mint.toBase58());
        expect(refused.status, await refused.text()).to.equal(503);
      }
    }

    it('in the end each holder has been paid exactly once, and the ledger is exact', async () => {
      await untilSettled(2n);
      for (const [index, wallet] of holders.entries()) {
        if ((await unclaimed(wallet)) > 0n) {
          await claim(night.instances[index % 2]!, index);
        } else {
          const refused = await askForSol(night.instances[0], wallet, night.token.mint.toBase58());
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
      for (const instance of night.instances) {
        for (const name of ['database', 'rpc', 'indexer', 'payments', 'ledger'])
          expect(await check(instance, name), name).to.equal('200 ok');
        expect(await check(instance, 'transactions')).to.include(unreadable);
      }
      const { problems, totals } = await night.operator.command<LedgerCheck>('ledger', 'check');
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
