// A stranger names the treasury in 1,000 transactions a second, on a node that answers 100 calls a second. Payments go on. threat: dust
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { paymentsCheck } from '#app/checks.js';
import type { Context } from '#app/context.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { paymentsHeld, watchOwnKeys } from '#app/ledger/gate/payments-gate.js';
import { CheckWarning } from '#app/http/health.js';
import { Reconciliation, type PassReport } from '#app/reconciliation/reconcile.js';
import { openTestDatabase } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { startNodeWithDust, type NodeWithDust, type DustOptions } from '#tests/node/node-with-dust.js';
import { contextFrom, keyVariable } from '#tests/service/service-context.js';
import { NEVER_ABORTED } from '#tests/constants.js';

/** A slot of 0.4 s: 40 calls and 400 transactions. */
const CALLS_PER_SLOT = 40;
const PER_SLOT = 400;
/** In the 1.5 s that the service's job waits. */
const SLOTS_BETWEEN_PASSES = 4;

describe('payments while another wallet names the treasury in many transactions', function () {
  this.timeout(240_000);
  const treasury = Keypair.generate();
  const named = treasury.publicKey.toBase58();
  let database: Database;
  let node: NodeWithDust;
  let context: Context;

  async function start(options: Omit<DustOptions, 'named'>): Promise<void> {
    node = await startNodeWithDust({ named, ...options });
    context = await contextFrom(
      {
        RPC_URL: node.url,
        WS_URL: 'ws://127.0.0.1:1',
        SIMULATED_CLUSTER: 'off',
        TREASURY_KEYPAIR: keyVariable(treasury),
        LOG_LEVEL: 'silent',
      },
      database,
    );
    await watchOwnKeys(context);
  }
  beforeEach(async () => {
    database = await openTestDatabase();
    // As of an index that has read everything.
    await database.queries.execute(
      sql`insert into indexer_state (id, program_id, first_slot, scanned_slot, listed)
          values (1, 'program', 1, 999999999, true)`,
    );
  });
  afterEach(async () => {
    await node?.stop();
    await database.close();
  });

  const pass = (by: Reconciliation): Promise<PassReport> => by.pass(NEVER_ABORTED);
  async function passUntil(by: () => Reconciliation, isDone: (report: PassReport) => boolean, most = 200) {
    for (let passes = 1; passes <= most; passes += 1) if (isDone(await pass(by()))) return passes;
    throw new Error(`not done in ${most} passes`);
  }
  const isComplete = (report: PassReport) => report.isComplete;
  const gate = async () => {
    const [row] = await rowsOf<{ slot: number; at: number; unread: number | null }>(
      database.queries,
      sql`select reconciled_slot::integer as slot, unread::integer as unread,
            extract(epoch from reconciled_at)::double precision as at from payments_gate`,
    );
    return row!;
  };
  const findings = () =>
    rowsOf<{ signature: string; state: string }>(
      database.queries,
      sql`select signature, state from payment_findings order by slot`,
    );

  it('open, stay reconciled with the tip, and no transaction of the key is missed', async () => {
    await start({ dustIn: () => PER_SLOT, slots: 50, callsPerSlot: CALLS_PER_SLOT });
    const early = node.signature(20, 123);
    node.signedByKey.add(early);
    const reconciliation = new Reconciliation(context);
    await passUntil(
      () => reconciliation,
      ({ isOpen }) => isOpen,
    );
    const late = node.signature(node.finalized() + 5, 321);
    node.signedByKey.add(late);
    const from = (await gate()).slot;
    for (let round = 0; round < 8; round += 1) {
      node.advance(SLOTS_BETWEEN_PASSES);
      expect(await pass(reconciliation)).to.include({ isOpen: true });
      expect(await paymentsHeld(database.queries)).to.equal(undefined);
    }
    await passUntil(() => reconciliation, isComplete);
    const { slot, unread } = await gate();
    expect(slot).to.be.above(from + 8 * SLOTS_BETWEEN_PASSES);
    expect(node.finalized() - slot, 'slots behind').to.be.below(10);
    expect(unread).to.equal(null);
    expect(await findings()).to.deep.equal([
      { signature: early, state: 'other' },
      { signature: late, state: 'other' },
    ]);
    const dust = slot * PER_SLOT;
    expect(node.calls.get('getTransaction') ?? 0, `of ${dust} transactions`).to.be.below(dust / 20);
  });

  it('payments that were open stay open while a node without blocks is read, and /ready says how much is left', async () => {
    await start({ dustIn: () => 0, slots: 40, callsPerSlot: CALLS_PER_SLOT });
    node.givesBlocks = false;
    const briefly = { readForMs: 1 };
    const reconciliation = new Reconciliation(context, briefly);
    expect(await pass(reconciliation)).to.include({ isOpen: true, isComplete: true });
    node.dustIn = () => PER_SLOT;
    node.advance(100);
    for (let passes = 0; ((await gate()).unread ?? 0) === 0; passes += 1) {
      expect(await pass(reconciliation)).to.include({ isOpen: true, isComplete: false });
      expect(passes).to.be.below(60);
    }
    const before = await gate();
    expect(await pass(reconciliation)).to.include({ isOpen: true, isComplete: false });
    const after = await gate();
    expect(after.at).to.be.above(before.at);
    expect(after.slot).to.equal(before.slot);
    const reading =
      /reading the transactions that name the service's keys: at least [1-9]\d* are still to be read$/;
    const { message } = await rejection(paymentsCheck(context).run(), CheckWarning);
    expect(message)
      .to.match(/^payments go on; /)
      .and.match(reading);
    // Another process does not know that the database has not been set back.
    await pass(new Reconciliation(context, briefly));
    expect((await gate()).at).to.equal(after.at);
    await database.queries.execute(
      sql`update payments_gate set reconciled_at = reconciled_at - interval '121 seconds'`,
    );
    await pass(new Reconciliation(context, briefly));
    expect(await paymentsHeld(database.queries))
      .to.match(reading)
      .and.not.contain('RPC_URL');
  });

  it('are not read from the beginning by a new process', async () => {
    // The newest 32 slots are listed again by a new process, because some nodes lag.
    await start({ dustIn: (slot) => (slot <= 40 ? 150 : 0), slots: 80, callsPerSlot: Infinity });
    node.givesBlocks = false;
    for (let process = 0; process < 10; process += 1) {
      const report = await pass(new Reconciliation(context, { readForMs: 1 }));
      expect(report.isComplete).to.equal(false);
    }
    expect(node.calls.get('getTransaction')).to.be.within(3_000, 5_000);
    expect(await pass(new Reconciliation(context, { readForMs: 600_000 }))).to.include({ isComplete: true });
    expect(node.calls.get('getTransaction')).to.equal(40 * 150);
  });

  it('are read as fast as a node allows that refuses more calls', async () => {
    await start({ dustIn: (slot) => (slot <= 40 ? 15 : 0), slots: 80, callsPerSlot: Infinity });
    node.limit = 200;
    const reconciliation = new Reconciliation(context, { readForMs: 600_000 });
    expect(await pass(reconciliation)).to.include({ isComplete: true, isOpen: true });
    expect(node.calls.get('getTransaction')).to.equal(40 * 15);
  });
});
