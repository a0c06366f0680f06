// The role of PostgreSQL that the running service has.
import { expect } from 'chai';
import pg from 'pg';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND, sharedPostgres } from '#tests/database/database.js';
import { asOwner } from '#tests/database/postgres.js';
import { createRole, urlOf } from '#tests/database/roles.js';
import { rejection } from '#tests/mocha/failures.js';
import { Operator } from '#tests/service/operator.js';
import { clusterEnvironment } from '#tests/service/service-context.js';

const ROLE = 'curvekit_runtime';
/** What the role may not do, one statement each. */
const REFUSED = [
  'create table mine (id integer)',
  'alter table ledger_accounts disable trigger user',
  'drop trigger ledger_entries_append_only on ledger_entries',
  'update ledger_entries set amount = 0',
  'delete from ledger_entries',
  'delete from ledger_postings',
  'truncate claims',
  'create or replace function credits_owed(p_origin text) returns numeric language sql as $$ select 0.0 $$',
  'alter table trade_rows detach partition trade_rows_0',
  "insert into database_versions (hash, functions) values ('mine', '{}')",
];

describe(`the role of the running service (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const cluster = useCluster();
  const operators: Operator[] = [];
  const operate = async (databaseUrl?: string): Promise<Operator> => {
    const operator = await Operator.create({
      environment: {
        ...clusterEnvironment(cluster()),
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
        PORT: '0',
        LOG_LEVEL: 'info',
      },
    });
    operators.push(operator);
    return operator;
  };
  afterEach(async () => {
    for (const operator of operators.splice(0)) await operator.remove();
  });

  if (DATABASE_KIND === 'pglite') {
    it('is refused by the embedded database', async () => {
      const operator = await operate();
      const error = await rejection(operator.command('migrate-db', '--grant', ROLE), Error);
      expect(error.message).to.contain('--grant is for PostgreSQL: the embedded database has no roles');
    });
    return;
  }

  it('runs the service on tables that their owner has migrated, and changes none of them', async () => {
    const url = await (await sharedPostgres()).createDatabase();
    await createRole(await sharedPostgres(), ROLE);
    const service = await operate(urlOf(url, ROLE));
    const early = await rejection(service.command('migrate-db'), Error);
    expect(early.message).to.contain('run `curvekit migrate-db --grant ROLE` as their owner');
    const owner = await operate(url);
    const granted = await owner.command<{ grant: string }>('migrate-db', '--grant', ROLE);
    expect(granted.grant).to.equal(ROLE);
    await service.start();
    const ready = await fetch(`${service.url}/health`);
    expect(ready.status).to.equal(200);
    expect(await service.command('migrate-db')).to.deep.include({ applied: [] });
    await service.command(
      'key',
      'issue',
      '--partner',
      'Acme',
      '--wallet',
      cluster().payer.publicKey.toBase58(),
    );
    await service.stop();

    const client = new pg.Client({ connectionString: urlOf(url, ROLE) });
    await client.connect();
    try {
      for (const statement of REFUSED) {
        const refused = await rejection(client.query(statement), pg.DatabaseError);
        expect(refused.code, statement).to.equal('42501');
      }
      // It adds partitions all the same, with the rights of their owner.
      await client.query("select setval('records_id_seq', trade_partitions_end() - 1)");
      await client.query('select trade_ids_take(3)');
      const { rows } = await client.query('select trade_partitions_end()::integer as end');
      expect(rows).to.deep.equal([{ end: 20_000_000 }]);
    } finally {
      await client.end();
    }
  });

  it('must exist, and be neither a superuser nor the owner', async () => {
    const server = await sharedPostgres();
    const owner = await operate(await server.createDatabase());
    for (const [role, problem] of [
      ['nobody_at_all', "there is no role 'nobody_at_all'"],
      ['postgres', "the role 'postgres' is a superuser"],
    ] as const) {
      const error = await rejection(owner.command('migrate-db', '--grant', role), Error);
      expect(error.message).to.contain(problem);
    }
    const url = await server.createDatabase();
    await createRole(server, 'curvekit_owner');
    await asOwner(url, 'grant create on schema public to curvekit_owner');
    await asOwner(server.url, `grant create on database ${new URL(url).pathname.slice(1)} to curvekit_owner`);
    const weakOwner = await operate(urlOf(url, 'curvekit_owner'));
    const error = await rejection(weakOwner.command('migrate-db', '--grant', 'curvekit_owner'), Error);
    expect(error.message).to.contain("the role 'curvekit_owner' owns the tables");
  });
});
