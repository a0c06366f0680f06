// No query of a request or a job reads a table that grows as a whole, and none reads too many rows of it.
import { expect } from 'chai';
import { explainAll, type Explained } from './plans/explain-all.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { sharedPostgres, postgresWithTables } from '#tests/database/database.js';

/** Large enough that PostgreSQL prefers an index for everything that an index can answer. */
const SIZES = { tokens: 20_000, trades: 50_000, rewards: 20_000, others: 10_000 };

describe('the plans of all queries (postgres)', function () {
  this.timeout(300_000);
  const cluster = useCluster();
  let explained: Explained;

  before('send every request', async () => {
    await sharedPostgres();
    explained = await explainAll({ cluster: cluster(), url: await postgresWithTables(), sizes: SIZES });
  });

  it('use indexes', () => {
    const found = explained.findings.map(
      ({ during, problem, statement }) => `${problem} (${during}): ${statement}`,
    );
    if (found.length > 0) expect.fail(found.join('\n\n'));
  });

  it('are those of requests and of jobs', () => {
    expect(explained.statements).to.be.at.least(200);
  });
});
