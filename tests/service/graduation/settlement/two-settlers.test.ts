// Two processes that settle at the same time, because one has lost its lease and does not know it yet. Each part is paid or
// credited once. threat: closed-between-settlers
import { setTimeout as sleep } from 'node:timers/promises';
import { SystemProgram, type Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { eq, sql } from 'drizzle-orm';
import type { Context } from '#app/context.js';
import { rowsOf } from '#app/db/database.js';
import { authorityTransactions } from '#app/db/schema/index.js';
import { LEADER } from '#app/db/leadership.js';
import { SettlementError } from '#app/graduation/settlement/errors.js';
import { settleOne, settlingTurn } from '#app/graduation/settlement/pass.js';
import {
  creditCreator,
  failSettlement,
  openSettlement,
  subjectOf,
  type Settlement,
} from '#app/graduation/settlement/repository.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { openPaymentsGate } from '#tests/database/payments-gate.js';
import { rejection } from '#tests/mocha/failures.js';
import type { Token } from '#tests/program/tokens.js';
import { whileFinalizing } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';
import { ALL_TO_CREATOR, useSettlements } from '#tests/service/settlements.js';

/** Too little for an empty wallet, which would stay below rent exemption. */
const GIVEN = 500_000n;

describe(`two settlers at once (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const { cluster, treasury, database, contextWith, given, held, settle, checkExact, unclaimed, running } =
    useSettlements();
  let creator: Keypair;
  let token: Token;
  let context: Context;

  before(() => openPaymentsGate(database()));
  beforeEach('a token whose creator receives everything', async () => {
    ({ token, creator } = await given(GIVEN, ALL_TO_CREATOR));
    context = await contextWith({ SETTLEMENT_INTERVAL_SECONDS: '60', SETTLEMENT_MINIMUM_SOL: '1000' });
  });

  const balance = () => lamportsOf(cluster().connection, creator.publicKey);
  const open = async () => (await openSettlement(database().queries, token.mint.toBase58()))!;
  const creditFrom = (copy: Settlement) =>
    database().transaction((tx) =>
      creditCreator(tx, copy, { sol: true, token: true }, treasury.publicKey.toBase58()),
    );
  const signed = ({ id }: Settlement) =>
    database().queries.$count(authorityTransactions, eq(authorityTransactions.subject, subjectOf(id)));

  it('an old plan is neither paid, credited again nor ended after another settler has credited the creator', async () => {
    const before = await balance();
    const report = await settle(
      token,
      async (step) => {
        if (step !== 'planned') return;
        const copy = await open();
        expect(await creditFrom(copy)).to.equal(true);
        // Neither credited again nor ended from an old copy.
        expect(await creditFrom(copy)).to.equal(false);
        const failing = database().transaction((tx) => failSettlement(tx, copy, 'an account is missing'));
        expect(await failing).to.equal('taken over');
      },
      context,
    );
    expect([report.outcome, report.settlement?.state]).to.deep.equal(['waiting', 'planned']);
    expect(report.problems.join()).to.contain('another process');
    expect(await signed(report.settlement!)).to.equal(0);
    expect((await settle(token, undefined, context)).outcome).to.equal('settled');
    expect((await balance()) - before).to.equal(0n);
    expect((await unclaimed(creator, token)).sol).to.equal(GIVEN);
    await checkExact();
  });

  it('a settlement neither credits the creator nor ends while a signed transaction may pay it', async () => {
    const before = await balance();
    const report = await settle(
      token,
      async (step) => {
        if (step !== 'signed') return;
        const copy = await open();
        expect(await creditFrom(copy)).to.equal(false);
        const failing = database().transaction((tx) => failSettlement(tx, copy, 'an account is missing'));
        expect(await failing).to.equal('taken over');
      },
      context,
    );
    expect(report.outcome).to.equal('settled');
    expect((await balance()) - before).to.equal(GIVEN);
    expect((await unclaimed(creator, token)).sol).to.equal(0n);
    await checkExact();
  });

  if (DATABASE_KIND === 'postgres') {
    it('a leader that lost only the lease of settling signs nothing', async () => {
      const lease = await database().tryLead(LEADER);
      let looksAt = 0;
      try {
        const turn = settlingTurn(
          { ...context, database: database().on('jobs', lease) },
          {
            signal: NEVER_ABORTED,
            idleMs: 100,
            looksAt: () => looksAt,
            onLook: () => (looksAt = Infinity),
            onLooked: () => undefined,
            onReport: () => undefined,
            afterStep: async (step) => {
              if (step !== 'planned') return;
              // Another process takes the lease, as after a broken connection. The holder notices within 2 s.
              await database().queries.execute(
                sql`update leases set token = token + 1 where name = 'settling'`,
              );
            },
          },
        );
        const error = await whileFinalizing(cluster(), () => rejection(turn, SettlementError));
        expect(error.message).to.contain('another process may settle');
      } finally {
        await lease?.release();
        await database().queries.execute(sql`delete from leases where name = 'settling'`);
      }
      const left = await open();
      expect(left.state).to.equal('planned');
      expect(await signed(left)).to.equal(0);
      expect((await settle(token, undefined, context)).outcome).to.equal('settled');
    });

    it('a job whose connection breaks, and the command that takes over, pay the creator once', async () => {
      const heldAt = (simulation: number) => held('simulateTransaction', 'answered', simulation);
      const [job, command] = [heldAt(1), heldAt(3)];
      await running({ ...context, connection: job.connection }, async () => {
        await job.reached;
        // The job has simulated the payment. Now the creator empties its wallet, so that the command credits it.
        await send(creator.publicKey, await balance());
        await eventually(untilRenewed(), 'a renewal of the lease', 10_000);
        await database().queries.execute(
          sql`select pg_terminate_backend(session_pid) from leases where name = 'settling'`,
        );
        // The pool notices the broken connection, and the command gets a new one.
        await sleep(200);
        const settling = settleOne({ ...context, connection: command.connection }, token.mint.toBase58(), {
          signal: NEVER_ABORTED,
          waitMs: 20_000,
        });
        await Promise.race([command.reached, settling]);
        expect((await open()).solCreatorCredited).to.equal(GIVEN);
        await cluster().fund(creator.publicKey, SOL);
        job.release();
        await sleep(1_000);
        command.release();
        expect((await settling).outcome).to.equal('settled');
      });
      expect((await balance()) - SOL).to.equal(0n);
      expect((await unclaimed(creator, token)).sol).to.equal(GIVEN);
      await checkExact();
    });
  }

  async function send(from: typeof creator.publicKey, lamports: bigint): Promise<void> {
    const { payer } = cluster();
    const transfer = SystemProgram.transfer({ fromPubkey: from, toPubkey: payer.publicKey, lamports });
    await cluster().send([transfer], [payer, creator]);
  }

  /** Whether the lease of settling was renewed since the first call. */
  function untilRenewed(): () => Promise<boolean> {
    let first: string | undefined;
    return async () => {
      const [row] = await rowsOf<{ ends: string }>(
        database().queries,
        sql`select expires_at::text as ends from leases where name = 'settling'`,
      );
      first ??= row!.ends;
      return row!.ends !== first;
    };
  }
});
