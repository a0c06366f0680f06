// Each owner's account of a token is opened, and paid for, once.
import { expect } from 'chai';
import type { Database } from '#app/db/database.js';
import { SettlementError } from '#app/graduation/settlement/errors.js';
import { noteOpening, recordOpening, wasOpened } from '#app/graduation/settlement/payment/opened-accounts.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';

describe(`opened token accounts (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  let database: Database;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  it('are known by owner and token, and not opened again', async () => {
    const opened = (owner: string, mint: string) => wasOpened(database.queries, owner, mint);
    expect(await opened('creator', 'mint')).to.equal(false);
    await database.transaction((tx) => recordOpening(tx, 'creator', 'mint', 'settlement 1'));
    expect(await opened('creator', 'mint')).to.equal(true);
    expect(await opened('creator', 'another')).to.equal(false);
    expect(await opened('another', 'mint')).to.equal(false);
    await rejection(
      database.transaction((tx) => recordOpening(tx, 'creator', 'mint', 'settlement 2')),
      SettlementError,
    );
    expect(await database.transaction((tx) => noteOpening(tx, 'creator', 'mint', 'a claim'))).to.equal(false);
  });
});
