// A database that lacks a settlement books it from the chain. Neither a late or swapped key, nor a pruned RPC node, nor an
// early repair prevents that. threat: claim-before-restore, set-back-database, early-judgement
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import type { Context } from '#app/context.js';
import { watchOwnKeys } from '#app/ledger/gate/payments-gate.js';
import { Reconciliation } from '#app/reconciliation/reconcile.js';
import { NodeError } from '#app/chain/node-errors.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { rejection } from '#tests/mocha/failures.js';
import { asRealNode } from '#tests/node/node-with-gaps.js';
import { useLostSettlement } from '#tests/service/lost-settlement.js';

const SIGNED_BEFORE = /transactions that were signed before can land/;

describe('a settlement that a lost database made', function () {
  this.timeout(120_000);
  const {
    cluster,
    environment,
    proxy,
    token,
    database,
    contextWith,
    withoutDexOwner,
    pass,
    held,
    finishIndex,
    expectBooked,
  } = useLostSettlement();

  it('is booked when the key of the DEX owner comes after a pass', async () => {
    await finishIndex();
    const server = await withoutDexOwner();
    await watchOwnKeys(server);
    const reconciliation = new Reconciliation(server);
    expect((await reconciliation.pass(NEVER_ABORTED)).booked).to.deep.equal([]);
    await watchOwnKeys(await contextWith());
    expect(await held()).to.match(/^closed until/);
    expect((await reconciliation.pass(NEVER_ABORTED)).booked.map(({ state }) => state)).to.deep.equal([
      'booked',
    ]);
    await expectBooked();
  });

  it('waits for the index, also to be repaired', async () => {
    const context = await contextWith();
    await watchOwnKeys(context);
    for (const repair of [false, true]) {
      const { booked, isOpen } = await pass(context, { repair });
      expect(booked.map(({ state }) => state)).to.deep.equal(['open']);
      expect(isOpen).to.equal(false);
      expect(await held()).to.match(/it is judged when the index is there/);
    }
    await finishIndex();
    expect((await pass(context)).isOpen).to.equal(true);
    await expectBooked();
  });

  it('is refused on a node that may lack it, until the index knows where the program begins', async () => {
    const context = await contextWith({ SIMULATED_CLUSTER: 'off' });
    await watchOwnKeys(context);
    const firstBlock = (await cluster().connection.getSlot('finalized')) - 3;
    proxy().rewrite((call, result, more) => {
      if (call.method === 'getFirstAvailableBlock') return firstBlock;
      if (call.method !== 'getSignaturesForAddress') return asRealNode(call, result, more);
      return (result as { slot: number }[]).filter(({ slot }) => slot >= firstBlock);
    });
    expect((await rejection(pass(context), NodeError)).message).to.equal(
      `the node's history begins with slot ${firstBlock}, and the index has not found the first transaction of the program yet (INDEXER=on): payments there cannot be seen; set RPC_URL to a node with the whole history`,
    );
    await finishIndex();
    expect((await rejection(pass(context), NodeError)).message).to.contain(
      `the program's with slot ${token().created.slot}`,
    );
    expect(await held()).to.match(/^closed until/);
    // Another node, with the whole history.
    proxy().rewrite(undefined);
    await pass(await contextWith());
    await expectBooked();
  });

  it('is booked after a start with the keys swapped', async () => {
    await finishIndex();
    const { DEX_OWNER_KEYPAIR, TREASURY_KEYPAIR } = environment();
    const swapped = { DEX_OWNER_KEYPAIR: TREASURY_KEYPAIR!, TREASURY_KEYPAIR: DEX_OWNER_KEYPAIR! };
    const wrong = await contextWith(swapped);
    await watchOwnKeys(wrong);
    expect((await pass(wrong)).booked).to.deep.equal([]);
    expect(await held()).to.equal(undefined);
    const context = await contextWith();
    await watchOwnKeys(context);
    expect(await held()).to.match(/^closed until/);
    await pass(context);
    await expectBooked();
  });

  describe('when the database is set back while its server runs', () => {
    let context: Context;

    beforeEach(async () => {
      await finishIndex();
      context = await contextWith({ SIMULATED_CLUSTER: 'off' });
      await watchOwnKeys(context);
      await pass(await contextWith());
      proxy().rewrite(asRealNode);
    });
    const reconcile = (by: Reconciliation) => by.pass(NEVER_ABORTED);
    async function opened(): Promise<Reconciliation> {
      const reconciliation = new Reconciliation(context);
      // As after 183 more blocks.
      await database().queries.execute(sql`update payments_gate set waiting_height = 0`);
      expect((await reconcile(reconciliation)).isOpen).to.equal(true);
      return reconciliation;
    }

    it('waits again when the last pass is more than two minutes old, in any process', async () => {
      await opened();
      await database().queries.execute(
        sql`update payments_gate set reconciled_at = reconciled_at - interval '121 seconds'`,
      );
      expect((await reconcile(new Reconciliation(context))).isOpen).to.equal(false);
      expect(await held()).to.match(SIGNED_BEFORE);
      expect((await reconcile(new Reconciliation(context))).isOpen).to.equal(false);
    });

    it('waits again when the database lacks the last pass of the process', async () => {
      const process = await opened();
      await database().queries.execute(
        sql`update payments_gate set reconciled_at = reconciled_at - interval '10 seconds'`,
      );
      expect((await reconcile(process)).isOpen).to.equal(false);
      expect(await held()).to.match(SIGNED_BEFORE);
    });
  });
});
