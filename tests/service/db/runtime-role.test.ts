// The role of PostgreSQL that the running service has. threat: self-credit, foreign-api, foreign-signer
import { expect } from 'chai';
import pg from 'pg';
import { examine } from '#app/operator/doctor/examine.js';
import { openDatabase } from '#app/db/database.js';
import { OWNERS_FUNCTIONS, SEQUENCES, TABLES } from '#app/db/roles.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND, sharedPostgres } from '#tests/database/database.js';
import { asOwner } from '#tests/database/postgres.js';
import { createRole, databaseOfRoles, urlOf } from '#tests/database/roles.js';
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

describe(`the role of the running service (${DATABASE_KIND})`, () => {
  const cluster = useCluster();
  const operators: Operator[] = [];
  const operate = (databaseUrl?: string): Operator => {
    const operator = new Operator({
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
  afterEach(() => {
    for (const operator of operators.splice(0)) operator.kill();
  });

  if (DATABASE_KIND === 'pglite') {
    it('is refused by the embedded database', async () => {
      const operator = operate();
      const error = await rejection(operator.command('migrate-db', '--grant', ROLE), Error);
      expect(error.message).to.contain('--grant is for PostgreSQL: the embedded database has no roles');
    });
    return;
  }

  it('runs the service on tables that their owner has migrated, and changes none of them', async () => {
    const url = await (await sharedPostgres()).createDatabase();
    await createRole(await sharedPostgres(), ROLE);
    const service = operate(urlOf(url, ROLE));
    const early = await rejection(service.command('migrate-db'), Error);
    expect(early.message).to.contain('run `curvekit migrate-db --grant ROLE` as their owner');
    const owner = operate(url);
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
    atEnd(() => client.end());
    for (const statement of REFUSED) {
      const refused = await rejection(client.query(statement), pg.DatabaseError);
      expect(refused.code, statement).to.equal('42501');
    }
    // It adds partitions all the same, with the rights of their owner.
    await client.query("select setval('records_id_seq', trade_partitions_end() - 1)");
    await client.query('select trade_ids_take(3)');
    const { rows } = await client.query('select trade_partitions_end()::integer as end');
    expect(rows).to.deep.equal([{ end: 20_000_000 }]);
  });

  it('lets each kind of process do what db/roles.ts lists, and nothing else', async () => {
    const urls = await databaseOfRoles();
    const owner = await connected(urls.owner);
    atEnd(() => owner.end());
    const ofPublic = `relnamespace = 'public'::regnamespace and relkind`;
    const relations = await column(
      owner,
      `select relname from pg_class where ${ofPublic} in ('r', 'p', 'v')`,
    );
    const sequences = await column(owner, `select relname from pg_class where ${ofPublic} = 'S'`);
    const functions = await column(
      owner,
      `select p.oid::regprocedure::text from pg_proc p where pronamespace = 'public'::regnamespace`,
    );
    const owners = await column(
      owner,
      `select proname from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`,
    );
    expect(owners.toSorted(), 'functions with rights of the owner').to.deep.equal(
      Object.keys(OWNERS_FUNCTIONS).toSorted(),
    );
    for (const [index, kind] of (['service', 'api', 'signer'] as const).entries()) {
      const client = await connected(urls[kind]);
      atEnd(() => client.end());
      const may = (statement: string): Promise<boolean> => isAllowed(client, statement);
      for (const relation of relations) {
        const expected = TABLES[relation]?.[index] ?? '';
        expect(await rightsOn(client, relation), `${kind} on ${relation}`).to.equal(sorted(expected));
      }
      for (const sequence of sequences) {
        const found = [
          ['r', `select last_value from ${sequence}`],
          ['w', `select setval('${sequence}', 1)`],
          ['U', `select nextval('${sequence}')`],
        ] as const;
        let rights = '';
        for (const [letter, statement] of found) if (await may(statement)) rights += letter;
        expect(rights, `${kind} on ${sequence}`).to.equal(SEQUENCES[sequence]?.[index] ?? '');
      }
      for (const signature of functions) {
        const name = signature.replace(/\(.*/, '');
        const rights = OWNERS_FUNCTIONS[name];
        const expected =
          rights === undefined || (rights[index] === 'X' && !(kind === 'service' && name === 'claim_store'));
        const [can] = await column(client, `select has_function_privilege('${signature}', 'execute')::text`);
        expect(can, `${kind} on ${signature}`).to.equal(String(expected));
      }
      expect(await may('create table mine (id integer)'), kind).to.equal(false);
    }
  });

  it('is enough for doctor, as each kind of process', async () => {
    const urls = await databaseOfRoles();
    const treasury = JSON.stringify([...cluster().payer.secretKey]);
    for (const kind of ['service', 'api', 'signer'] as const) {
      const environment = {
        ...clusterEnvironment(cluster()),
        TREASURY_KEYPAIR: treasury,
        DATABASE_URL: urls[kind],
      };
      const findings = await examine({ environment, openDatabase, err: () => undefined });
      expect(findings.at(-1)?.subject, kind).to.equal('sold-out curves');
    }
  });

  it('stops at a sequence that somebody has moved far', async () => {
    const { owner: url } = await databaseOfRoles();
    const owner = await connected(url);
    atEnd(() => owner.end());
    await owner.query("select setval('records_id_seq', 20000000000)");
    const refused = await rejection(owner.query('select trade_ids_take(3)'), pg.DatabaseError);
    expect(refused.message).to.contain('records_id_seq is at 20000000003, more than 10 partitions after');
  });

  it('must exist, and be neither a superuser nor the owner', async () => {
    const server = await sharedPostgres();
    const owner = operate(await server.createDatabase());
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
    const weakOwner = operate(urlOf(url, 'curvekit_owner'));
    const error = await rejection(weakOwner.command('migrate-db', '--grant', 'curvekit_owner'), Error);
    expect(error.message).to.contain("the role 'curvekit_owner' owns the tables");
  });
});

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

async function column(client: pg.Client, text: string): Promise<string[]> {
  const { rows } = await client.query<[string]>({ text, rowMode: 'array' });
  return rows.map(([value]) => value);
}

/** Not allowed; a view that cannot be written; no table. Other errors come after the check of rights. */
const REFUSALS = ['42501', '55000', '42809', '0A000'];

async function isAllowed(client: pg.Client, statement: string): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    return !REFUSALS.includes((error as pg.DatabaseError).code!);
  } finally {
    await client.query('rollback');
  }
}

/** The rights of the client's role on a table or a view. Rights on some columns are written as in db/roles.ts. */
async function rightsOn(client: pg.Client, relation: string): Promise<string> {
  const rights = await column(
    client,
    `select case when has_table_privilege('${relation}', privilege) then letter
         else letter || '(' || (select string_agg(attname, ', ' order by attname collate "C") from pg_attribute
           where attrelid = '${relation}'::regclass and attnum > 0 and not attisdropped and letter in ('r', 'a', 'w')
             and has_column_privilege('${relation}', attname, case when letter in ('r', 'a', 'w') then privilege else 'select' end)
         ) || ')' end
       from (values (1, 'r', 'select'), (2, 'a', 'insert'), (3, 'w', 'update'), (4, 'd', 'delete'), (5, 'D', 'truncate'))
         as privileges (place, letter, privilege) order by place`,
  );
  return rights.filter((each) => each !== null).join(' ');
}

/** The rights of a list in the order in which they are tried. */
function sorted(rights: string): string {
  return [...rights.matchAll(/(\w)(?:\(([^)]+)\))?/g)]
    .map(([, letter, columns]) => [letter!, columns?.split(', ').toSorted().join(', ')] as const)
    .toSorted(([a], [b]) => 'rawdD'.indexOf(a) - 'rawdD'.indexOf(b))
    .map(([letter, columns]) => (columns === undefined ? letter : `${letter}(${columns})`))
    .join(' ');
}
