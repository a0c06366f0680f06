// Settlements when the settler, the RPC node or the lease fails: each payment is credited once, even when an old leader
// returns.
import type { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { pino } from 'pino';
import type { Context } from '#app/context.js';
import type { Database } from '#app/db/database.js';
import { SettlementError } from '#app/graduation/settlement/errors.js';
import { openSettlement, settlementOf, subjectOf } from '#app/graduation/settlement/repository.js';
import type { SettlementStep } from '#app/graduation/settlement/settle.js';
import { troubledSettlements } from '#app/graduation/settlement/trouble.js';
import { checkSettlements } from '#app/operator/doctor/database-checks.js';
import { statesOf } from '#app/sending/history.js';
import { decide, undecidedOf } from '#app/sending/repository.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { tokensOf, type Token } from '#tests/program/tokens.js';
import { settleOne } from '#tests/service/paying.js';
import { useSettlements } from '#tests/service/settlements.js';

const GIVEN = 2_000_003n;

describe(`settlements with faults (${DATABASE_KIND})`, function () {
  this.timeout(240_000);
  const scene = useSettlements();
  const { cluster, proxy, given, unclaimed, checkExact } = scene;
  let database: Database;
  let context: Context;
  let token: Token;
  let holder: Keypair;
  let mint: string;
  /** Log lines of level error and above. */
  let errors: string[];
  before(() => {
    database = scene.database();
    context = {
      ...scene.context(),
      logger: pino({ level: 'error' }, { write: (line: string) => void errors.push(line) }),
    };
  });
  beforeEach('a token with something in its storage', async () => {
    errors = [];
    ({ token, holder, mint } = await given(GIVEN));
  });

  const settle = (afterStep?: (step: SettlementStep) => Promise<void> | void) =>
    scene.settle(token, afterStep, context);
  const open = () => openSettlement(database.queries, mint);

  /**
   * Settles until the payment is finalized, but not booked. @returns the settlement's id and the transaction's
   * signature
   */
  async function paidOnly(): Promise<{ id: number; signature: string }> {
    const report = await settle((step) => {
      if (step === 'finalized') throw new Error('the process ends here');
    });
    expect(report.outcome).to.equal('waiting');
    const { id } = (await open())!;
    const { signature } = (await undecidedOf(database.queries, subjectOf(id)))!;
    expect(await tokensOf(cluster().connection, token.communityWsolStorage.address)).to.equal(0n);
    return { id, signature };
  }

  /** A settler whose simulations wait until they are released. Its database has no fence, so another process can lead meanwhile. */
  function hanging() {
    const { connection, ...hold } = scene.held('simulateTransaction', 'asked');
    return { ...hold, context: { ...context, connection, database: unfenced(new AbortController()) } };
  }

  /**
   * A database that grants its lease to every caller and checks no fence, so that only the settlement's steps protect
   * it.
   */
  function unfenced(loss: AbortController): Database {
    const lease = { name: 'settling', token: 1n, lost: loss.signal, release: () => Promise.resolve() };
    const apart: Database = { ...database, tryLead: () => Promise.resolve(lease), on: () => apart };
    return apart;
  }
  const refuseSimulations = () =>
    proxy().rewrite(({ method }, result) =>
      method === 'simulateTransaction'
        ? { context: { slot: 1 }, value: { err: 'AccountNotFound', logs: [], unitsConsumed: 0 } }
        : result,
    );
  async function checkPaidOnce(id: number): Promise<void> {
    expect((await settlementOf(database.queries, id))?.state).to.equal('done');
    expect((await unclaimed(holder, token)).sol).to.equal(GIVEN);
    expect(await statesOf(database.queries, subjectOf(id))).to.deep.equal(new Set(['finalized']));
    await checkExact();
    expect(await troubledSettlements(database.queries)).to.deep.equal([]);
  }

  it('are booked if a transaction that was marked as expired is on chain after all', async () => {
    const { id, signature } = await paidOnly();
    await decide(database.queries, signature, 'expired', null);
    const report = await settle();
    expect(report.outcome, report.problems.join()).to.equal('settled');
    expect(errors.join()).to.contain('landed after it was marked expired').and.to.contain(signature);
    await checkPaidOnce(id);
  });

  it('stay planned, for the operator, while their payment can be neither found nor repeated', async () => {
    const { id, signature } = await paidOnly();
    await decide(database.queries, signature, 'expired', null);
    // The RPC node has forgotten the transaction.
    proxy().rewrite(({ method }, result) =>
      method === 'getSignatureStatuses' ? { context: { slot: 1 }, value: [null] } : result,
    );
    for (let run = 0; run < 2; run += 1) {
      const report = await settle();
      expect([report.outcome, report.settlement?.state]).to.deep.equal(['waiting', 'planned']);
      expect(report.problems.join()).to.contain('may have paid');
    }
    expect(errors.join()).to.contain('the settlement cannot be paid as planned');
    const [trouble] = await troubledSettlements(database.queries);
    expect(trouble).to.deep.include({ id, trouble: 'kept', signatures: [signature] });
    const finding = await checkSettlements(database);
    expect(finding.state).to.equal('failure');
    expect(finding.detail).to.contain(signature).and.to.contain(mint);
    proxy().rewrite(undefined);
    expect((await settle()).outcome).to.equal('settled');
    await checkPaidOnce(id);
    expect((await checkSettlements(database)).state).to.equal('ok');
  });

  it('are not marked as failed by a late settler after another one has paid', async () => {
    const late = hanging();
    const lateReport = settleOne(late.context, mint, { signal: NEVER_ABORTED });
    await late.reached;
    const report = await settle(async (step) => {
      // Paid, but not booked yet.
      if (step !== 'finalized') return;
      late.release();
      expect((await lateReport).outcome).to.equal('waiting');
    });
    expect(report.outcome).to.equal('settled');
    await checkPaidOnce(report.settlement!.id);
  });

  it('are not changed by a settler that lost its lease while the RPC node was silent', async () => {
    const late = hanging();
    const loss = new AbortController();
    const deposed = { ...late.context, database: unfenced(loss) };
    const outcome = rejection(settleOne(deposed, mint, { signal: NEVER_ABORTED }), SettlementError);
    await late.reached;
    refuseSimulations();
    loss.abort();
    late.release();
    expect((await outcome).message).to.contain('the connection to the database broke');
    const left = await open();
    expect(left?.state).to.equal('planned');
    proxy().rewrite(undefined);
    expect((await settle()).outcome).to.equal('settled');
    await checkPaidOnce(left!.id);
  });

  it('wait for a later pass if the RPC node does not answer', async () => {
    const silent = hanging();
    const report = await settleOne(silent.context, mint, { signal: NEVER_ABORTED });
    expect(report.outcome).to.equal('waiting');
    expect(report.problems.join()).to.contain('did not answer');
    silent.release();
    expect((await settle()).outcome).to.equal('settled');
  });
});
