// What `curvekit doctor` says of a pooler in front of PostgreSQL.
import { expect } from 'chai';
import { checkPooler } from '#app/operator/doctor/pooler-check.js';
import { DATABASE_KIND, sharedPostgres } from '#tests/database/database.js';
import { startTransactionPooler, type TransactionPooler } from '#tests/database/transaction-pooler.js';

if (DATABASE_KIND === 'postgres') {
  describe('a pooler in front of the database', () => {
    let url: string;
    let pooler: TransactionPooler;

    before(async () => {
      url = await (await sharedPostgres()).createDatabase();
      pooler = await startTransactionPooler(url);
    });
    after(() => pooler?.stop());

    it('is a failure when it forgets prepared statements between transactions', async () => {
      const found = await checkPooler(pooler.url);
      expect(found).to.include({ subject: 'database connections', state: 'failure' });
      expect(found.fix).to.contain('max_prepared_statements');
    });

    it('is not found when the client connects to the server directly', async () => {
      expect((await checkPooler(url)).state).to.equal('ok');
    });

    it('is unknown when the server has no connections left', async () => {
      pooler.stop();
      const found = await checkPooler(pooler.url);
      expect(found.state).to.equal('warning');
      expect(found.detail).to.contain('ECONNREFUSED');
    });
  });
}
