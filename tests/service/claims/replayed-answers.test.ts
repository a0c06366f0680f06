// Answers under idempotency keys in the database: which one stays, and for how long.
import { expect } from 'chai';
import { IdempotencyKeys } from '#app/claims/idempotency-keys.js';
import type { Database } from '#app/db/database.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';

const NOW = new Date('2026-01-02T00:00:00Z');
const later = (ms: number): Date => new Date(NOW.getTime() + ms);

describe(`answers stored under idempotency keys (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  let database: Database;
  let keys: IdempotencyKeys;
  before(async () => {
    database = await openTestDatabase();
    keys = new IdempotencyKeys(database);
  });
  after(() => database.close());

  const store = (wallet: string, key: string, body: string, expiresAt: Date, now = NOW) =>
    keys.store(wallet, { key, requestHash: `hash of ${body}`, body, now, expiresAt });
  const found = async (wallet: string, key: string, now = NOW) => (await keys.find(wallet, key, now))?.body;

  it('are those of one wallet and one key', async () => {
    await store('one', 'a', 'first', later(1));
    await store('one', 'b', 'second', later(1));
    await store('two', 'a', 'third', later(1));
    expect(await found('one', 'a')).to.equal('first');
    expect(await found('one', 'b')).to.equal('second');
    expect(await found('two', 'a')).to.equal('third');
    expect(await found('two', 'b')).to.equal(undefined);
  });

  it('stay until they expire: a second answer under the key is dropped', async () => {
    await store('wallet', 'key', 'first', later(2));
    await store('wallet', 'key', 'second', later(20), later(1));
    expect(await found('wallet', 'key', later(1))).to.equal('first');
    expect(await found('wallet', 'key', later(2))).to.equal(undefined);
    await store('wallet', 'key', 'third', later(20), later(2));
    expect(await keys.find('wallet', 'key', later(2))).to.deep.include({
      ...{ requestHash: 'hash of third', body: 'third', expiresAt: later(20) },
    });
  });

  it('are deleted when they have expired, and not before', async () => {
    await store('early', 'key', 'early', later(100));
    await store('late', 'key', 'late', later(101));
    await keys.deleteExpired(later(101));
    // Read as of a time when none of them had expired.
    expect(await found('early', 'key')).to.equal(undefined);
    expect(await found('late', 'key')).to.equal('late');
  });
});
