// A reconciliation is valid for two minutes. A command without a service reconciles itself, before it begins and until it
// ends.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { paymentsHeld } from '#app/ledger/gate/payments-gate.js';
import { rowsOf } from '#app/db/database.js';
import { RECONCILING_LEASE, whilePaymentsOpen } from '#app/reconciliation/open-payments.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { buyTokens, donateSol, launch, type Token } from '#tests/program/tokens.js';
import { eventually } from '#tests/service/service.js';
import { indexCreation } from '#tests/service/service-context.js';
import { ALL_TO_HOLDERS, useSettlements } from '#tests/service/settlements.js';

const GIVEN = 2_000_003n;

describe('payments during a command that takes longer than a reconciliation is valid', function () {
  this.timeout(180_000);
  const { cluster, context, database, settle, unclaimed } = useSettlements();
  let token: Token;
  let holder: Keypair;

  before(async () => {
    token = await launch(cluster(), ALL_TO_HOLDERS);
    holder = await cluster().fundedWallet();
    await buyTokens(cluster(), token, holder, 100_000_007n);
    await indexCreation(database(), token);
  });
  beforeEach(() => donateSol(cluster(), token, GIVEN));

  const reconciledBefore = (seconds: number) =>
    database().queries.execute(
      sql`update payments_gate set reconciled_at = now() - make_interval(secs => ${seconds})`,
    );
  const isReconciledWithin = async (seconds: number) => {
    const [row] = await rowsOf<{ fresh: boolean }>(
      database().queries,
      sql`select reconciled_at > now() - make_interval(secs => ${seconds}) as fresh from payments_gate`,
    );
    return row?.fresh === true;
  };

  it('stay open until it ends', async () => {
    let samples = 0;
    const report = await settle(token, async (step) => {
      if (step !== 'sampled' || (samples += 1) !== 1) return;
      // As if two minutes had passed.
      await reconciledBefore(121);
      expect(await paymentsHeld(database().queries)).to.match(/^closed: the payments on chain were last/);
      await eventually(() => isReconciledWithin(60), 'the next reconciliation');
    });
    expect(report.problems).to.deep.equal([]);
    expect(report.outcome).to.equal('settled');
    expect((await unclaimed(holder, token)).sol).to.equal(GIVEN);
  });

  it('stay open when the last reconciliation expires after its start', async () => {
    await reconciledBefore(119);
    const report = await settle(token);
    expect(report.problems).to.deep.equal([]);
    expect(report.outcome).to.equal('settled');
    expect((await unclaimed(holder, token)).sol).to.equal(2n * GIVEN);
  });

  it('are waited for, which is said once', async () => {
    const other = await database().tryLead(RECONCILING_LEASE);
    await reconciledBefore(121);
    const said: string[] = [];
    const work = whilePaymentsOpen(
      context(),
      NEVER_ABORTED,
      () => paymentsHeld(database().queries),
      (reason) => said.push(reason),
    );
    await sleep(1_500);
    expect(said).to.have.lengthOf(1);
    expect(said[0]).to.match(/^closed: the payments on chain were last reconciled at/);
    await other!.release();
    expect(await work).to.equal(undefined);
    expect(said).to.have.lengthOf(1);
  });
});
