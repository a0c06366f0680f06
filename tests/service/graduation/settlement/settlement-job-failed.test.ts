// What the settlement job says of a settlement that cannot be paid.
import { expect } from 'chai';
import { createSettlementJob } from '#app/graduation/settlement/settlement-job.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import { newAddress } from '#tests/new-address.js';
import { usePayments } from '#tests/service/payments.js';
import { eventually } from '#tests/service/service.js';

describe(`the settlement job and a payment that fails (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const at = usePayments();

  it('says that nothing moved, and why', async () => {
    const [treasury, creator] = [newAddress(), newAddress()];
    const { mint, id } = await at.planned({ sol: 100n, solHolders: 100n, treasury, creator });
    await storeToken(at.context.database.queries, { mint });
    at.node.simulated = () => ({ InstructionError: [1, { Custom: 1 }] });
    const job = createSettlementJob(at.context)!;
    job.start();
    try {
      await eventually(async () => (await at.stored(id)).state === 'failed', 'its end');
      const line = () => at.logged.find(({ msg }) => String(msg).startsWith('the settlement failed'));
      await eventually(() => Promise.resolve(line() !== undefined), 'the line');
      expect(line()).to.deep.include({ level: 40, mint, settlement: id });
      expect(line()!['msg']).to.equal('the settlement failed, and nothing moved: `problems` says why');
      expect(line()!['problems']).to.deep.equal([(await at.stored(id)).problem]);
    } finally {
      await job.stop();
    }
  });
});
