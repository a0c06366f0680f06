// Hand-written statements and the types of their rows, against the database that they are for: it describes each, and none runs.
import type { PGlite } from '@electric-sql/pglite';
import { expect } from 'chai';
import { createInMemory } from '#app/db/new-database.js';
import { statements, type Statement } from '#tests/database/statements.js';

/** Kinds of values in TypeScript by PostgreSQL's number of the type. Both drivers give the same for these, and not for wider numbers. */
const KINDS: ReadonlyMap<number, RegExp> = new Map([
  [16, /^boolean$/],
  [21, /^number$/],
  [23, /^number$/],
  [25, /^string$/],
  [1009, /^string\[\]$/],
  [3802, /^Readonly<.*>$/],
]);
/**
 * Their texts are put together while the service runs. The ledger's rules, the stream's reads and the recomputation of three tables of candles
 * have tests of their own.
 */
const PUT_TOGETHER = [
  'app/src/ledger/check.ts',
  'app/src/market/books/recompute-candles.ts',
  'app/src/market/stream/feed.ts',
];

async function problemsOf(database: PGlite, { place, text, row }: Statement): Promise<string[]> {
  if (text === undefined) return [`${place}: its text cannot be told from the sources`];
  const described = await database.describeQuery(text).catch((error: Error) => error);
  if (described instanceof Error) return [`${place}: ${described.message}`];
  if (row === undefined) return [];
  const columns = new Map(described.resultFields.map(({ name, dataTypeID }) => [name, dataTypeID]));
  const missing = [...row.keys()].filter((name) => !columns.has(name));
  const wrong = [...columns].flatMap(([name, type]) => {
    const kinds = row.get(name);
    if (kinds === undefined) return [`${place}: its row has no ${name}`];
    const isRight = [...kinds].every((kind) => kind === 'null' || KINDS.get(type)?.test(kind) === true);
    return isRight
      ? []
      : [`${place}: ${name} is ${[...kinds].join(' | ')}, and of type ${type} in the database`];
  });
  return [...missing.map((name) => `${place}: no column ${name}`), ...wrong];
}

describe('the statements of the service', function () {
  this.timeout(120_000);
  let database: PGlite;
  let all: Statement[];

  before(async () => {
    database = await createInMemory({ tables: true });
    all = statements();
  });
  after(() => database.close());

  const problems = async () => (await Promise.all(all.map((one) => problemsOf(database, one)))).flat();

  it('name tables and columns that exist, and rows with the types that the database gives', async () => {
    expect(all.length).to.be.above(100);
    const unexpected = (await problems()).filter(
      (problem) => !PUT_TOGETHER.some((file) => problem.startsWith(file)),
    );
    expect(unexpected).to.deep.equal([]);
  });

  it('are found wrong when a column is renamed or gets another type', async () => {
    await database.exec('alter table payments_gate rename column unread to not_read');
    await database.exec('alter table tasks alter column attempts type bigint');
    const found = (await problems()).join('\n');
    expect(found).to.match(/gate\/payments-gate\.ts:\d+: column "unread" does not exist/);
    expect(found).to.match(/attempts is number, and of type 20/);
  });
});
