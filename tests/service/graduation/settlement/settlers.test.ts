// Who may settle at a time, and a turn of the settlement job.
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { DeposedError } from '#app/db/database.js';
import { PaymentsHeldError } from '#app/ledger/gate/payments-gate.js';
import { BusyError, SettlementError } from '#app/graduation/settlement/errors.js';
import { settleAll, settleOne, settlingTurn, type TurnOptions } from '#app/graduation/settlement/pass.js';
import type { SettlementReport } from '#app/graduation/settlement/report.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { insertOpenSettlement } from '#tests/database/open-settlement.js';
import { rejection } from '#tests/mocha/failures.js';
import { INTERVAL_MS, usePasses } from '#tests/service/passes.js';

describe(`settlers (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const passes = usePasses();
  const { node, database, context, stopping, logged } = passes;
  const { token, tokenWithoutStorages, begun, loseRecipients } = passes;
  const one = (mint: string, options: Partial<Parameters<typeof settleOne>[2]> = {}) =>
    settleOne(context(), mint, { signal: stopping().signal, ...options });

  const turn = (options: Partial<TurnOptions> = {}) =>
    settlingTurn(context(), {
      ...{ signal: stopping().signal, idleMs: 100, looksAt: () => Infinity },
      ...{ onLook: () => undefined, onLooked: () => undefined, onReport: () => undefined },
      ...options,
    });
  /** A turn of the job that looks once. @returns what it has told the job, in order */
  async function looking(options: Partial<TurnOptions> = {}) {
    const told: (string | boolean)[] = [];
    const next = Date.now() + INTERVAL_MS;
    let at = 0;
    const returned = await turn({
      looksAt: () => at,
      onLook: () => {
        told.push('looks');
        at = next;
      },
      onReport: ({ mint }: SettlementReport) => void told.push(mint),
      onLooked: (isComplete) => void told.push(isComplete),
      ...options,
    });
    return { told, isNext: returned === next };
  }

  describe('one settles at a time', () => {
    const holdLease = () => database().tryLead('settling');

    it('a command waits as long as it is told for another one', async () => {
      const mint = await token({ sol: 0n });
      const lease = await holdLease();
      expect((await rejection(one(mint), BusyError)).message).to.contain('another process settles right now');
      const from = performance.now();
      await rejection(one(mint, { waitMs: 700 }), BusyError);
      expect(performance.now() - from).to.be.within(700, 5_000);
      const waiting = one(mint, { waitMs: 30_000 });
      await lease!.release();
      expect((await waiting).outcome).to.equal('nothing');
      expect((await holdLease())!.token > lease!.token).to.equal(true);
    });

    it('a command that waits ends when it is told to', async () => {
      const mint = await token();
      await holdLease();
      const waiting = rejection(one(mint, { waitMs: 30_000 }), Error);
      const from = performance.now();
      stopping().abort();
      expect((await waiting).name).to.equal('AbortError');
      expect(performance.now() - from).to.be.below(5_000);
    });

    it('nobody settles while payments are held, and the lease is free again', async () => {
      await database().queries.execute(sql`update payments_gate set held = 'the chain has more'`);
      await token();
      await rejection(settleAll(context(), { signal: stopping().signal }), PaymentsHeldError);
      expect(await begun()).to.deep.equal([]);
      expect(await holdLease()).to.not.equal(undefined);
    });

    it('one that lost the database says that another may settle', async () => {
      const mint = await token({ holdersBps: 0 });
      await insertOpenSettlement(database(), mint, Date.now(), {});
      const error = await rejection(
        turn({ onReport: () => Promise.reject(new DeposedError('settling')) as never }),
        SettlementError,
      );
      expect(error.message).to.contain('another process may settle now');
      expect(error.cause).to.be.instanceOf(DeposedError);
    });
  });

  describe('a turn of the job', () => {
    it('looks, reports, and returns when it looks again', async () => {
      const mint = await tokenWithoutStorages();
      expect(await looking()).to.deep.equal({ told: ['looks', mint, true], isNext: true });
      expect(logged).to.deep.equal([]);
    });

    it('looks again soon when a settlement could not begin', async () => {
      const [waiting, mint] = [await tokenWithoutStorages(), await token()];
      loseRecipients();
      expect(await looking()).to.deep.equal({ told: ['looks', waiting, mint, false], isNext: true });
    });

    it('says that it could not look when the node is down', async () => {
      await token();
      node().setDown(true);
      expect(await looking()).to.deep.equal({ told: ['looks', false], isNext: true });
      const [line] = logged;
      expect([line!.level, line!.msg.split(' is tried')[0]]).to.deep.equal([
        50,
        'reading the community storages failed and',
      ]);
      expect(line).to.have.property('err');
    });

    it('ends with the reason when it is told to stop while it looks', async () => {
      await tokenWithoutStorages();
      const onReport = () => {
        stopping().abort(new Error('the process ends'));
        throw new Error('reporting fails');
      };
      expect((await rejection(looking({ onReport }), Error)).message).to.equal('the process ends');
      expect(logged).to.deep.equal([]);
    });

    it('does not wait for a command that settles, and ends a look without its lease', async () => {
      await tokenWithoutStorages();
      const onReport = () => {
        throw new DeposedError('settling');
      };
      const error = await rejection(looking({ onReport }), SettlementError);
      expect(error.cause).to.be.instanceOf(DeposedError);
      await database().tryLead('settling');
      const from = performance.now();
      await rejection(turn(), BusyError);
      expect(performance.now() - from).to.be.below(400);
    });
  });
});
