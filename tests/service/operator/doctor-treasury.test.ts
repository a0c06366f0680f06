// What `curvekit doctor` says about the treasury: what it owes, what it needs, and whether payments are paused.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { credit } from '#app/ledger/credit.js';
import { insertRecoveredSettlement } from '#tests/database/recovered-settlement.js';
import { buyTokens } from '#tests/program/tokens.js';
import { openPaymentsGate } from '#tests/database/payments-gate.js';
import { useDoctor } from '#tests/service/doctor.js';
import { keyVariable } from '#tests/service/service-context.js';

describe('curvekit doctor', () => {
  const { cluster, cli, findings, token, treasury, stateOf } = useDoctor();

  before(() => cluster().fund(treasury.publicKey, 20_000_000_000n));

  it('asks a process with ROLE=api for no key of the worker', async () => {
    const of = async (role: string) =>
      (await findings({ ROLE: role })).find(({ subject }) => subject === 'settlement')?.state;
    expect([await of('worker'), await of('api')]).to.deep.equal(['warning', 'ok']);
  });

  it('counts each token that the treasury owes', async () => {
    const database = await cli().database();
    const mint = token().mint.toBase58();
    const credits = [{ wallet: Keypair.generate().publicKey.toBase58(), amount: 5_000_000n }];
    await database.transaction((tx) =>
      credit(tx, 'settlement', { key: 'doctor', mint, asset: 'TOKEN', credits }),
    );
    const environment = { TREASURY_KEYPAIR: keyVariable(treasury) };
    const [short] = await stateOf('treasury tokens', environment);
    expect(short?.state).to.equal('failure');
    expect(short?.fix).to.equal(`send at least 5 of ${mint} to ${treasury.publicKey.toBase58()}`);
    await buyTokens(cluster(), token(), treasury, 1_000_000_000n);
    expect((await stateOf('treasury tokens', environment))[0]?.state).to.equal('ok');
  });

  it('counts the amounts that recovered settlements still have to credit to holders', async () => {
    const { queries } = await cli().database();
    const mint = Keypair.generate().publicKey.toBase58();
    const paid = { sol: 6_000_000_000n, token: 3_000_000n };
    const left = { sol: 5_000_000_000n, token: 2_000_000n };
    const id = await insertRecoveredSettlement(queries, mint, paid, left);
    try {
      const environment = { TREASURY_KEYPAIR: keyVariable(treasury) };
      expect((await stateOf('recovered settlements', environment))[0]).to.include({ state: 'warning' });
      expect((await stateOf('treasury', environment))[0]?.detail).to.contain('owes 12 SOL');
      expect((await stateOf('treasury tokens', environment))[0]?.fix).to.contain(
        `send at least 2 of ${mint}`,
      );
    } finally {
      await queries.execute(sql`delete from recovered_settlements`);
      await queries.execute(sql`delete from settlements where id = ${id}`);
    }
    expect((await stateOf('recovered settlements', {}))[0]?.state).to.equal('ok');
  });

  it('counts what open settlements will credit and fees that back referral rewards, as claims do', async () => {
    const { queries } = await cli().database();
    const owes = async () =>
      (await stateOf('treasury', { TREASURY_KEYPAIR: keyVariable(treasury) }))[0]?.detail.replace(
        /.* owes /,
        '',
      );
    try {
      await queries.execute(sql`
        insert into settlements (mint, creator, state, signature, sol, sol_holders)
        values ('open', 'creator', 'paid', 'signature', 2000000000, 2000000000)`);
      expect(await owes()).to.equal('9 SOL');
      await queries.execute(
        sql`update treasury set referral_funded = 3000000000, referral_cover = 1000000000 where asset = 'SOL'`,
      );
      expect(await owes()).to.equal('10 SOL');
    } finally {
      await queries.execute(sql`update treasury set referral_funded = 0, referral_cover = 0`);
      await queries.execute(sql`delete from settlements where mint = 'open'`);
    }
    expect(await owes()).to.equal('7 SOL');
  });

  it('says that payments are paused, and which pause needs the operator', async () => {
    const { queries } = await cli().database();
    const payments = async () => (await stateOf('payments', {}))[0];
    const set = (held: string | null) =>
      queries.execute(
        sql`update payments_gate set held = ${held}, incarnation = database_incarnation(), reconciled_at = now()`,
      );
    expect(await payments()).to.include({ state: 'ok', detail: 'open' });
    try {
      await set('a payment of the treasury is not understood');
      expect(await payments()).to.include({
        state: 'failure',
        detail: 'paused: a payment of the treasury is not understood',
      });
      await queries.execute(
        sql`update payments_gate set held = null, reconciled_at = now() - interval '1 hour'`,
      );
      const old = await payments();
      expect(old).to.include({ state: 'warning' });
      expect(old?.fix).to.contain('start the service');
      await queries.execute(
        sql`insert into payer_marks (treasury, held, is_lost) values ('left', 'lost', true)`,
      );
      const left = await payments();
      expect(left).to.include({ state: 'failure' });
      expect(left?.detail).to.contain('another database pays');
      expect(left?.fix).to.contain('set DATABASE_URL to the database that pays');
    } finally {
      await queries.execute(sql`delete from payer_marks where treasury = 'left'`);
      await openPaymentsGate(await cli().database());
    }
  });
});
