// The API keys of partners: their form, lifetime and scopes. threat: partner-key
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { rowsOf } from '#app/db/database.js';
import { sql } from 'drizzle-orm';
import { formatApiKey, parseApiKey } from '#app/partners/api-key.js';
import { KeyCommandError } from '#app/partners/errors.js';
import { markRevoked } from '#app/partners/key-repository.js';
import { describeKeys, revokeKey, rotateKey } from '#app/partners/keys.js';
import type { Scope } from '#app/partners/scopes.js';
import { rejection } from '#tests/mocha/failures.js';
import {
  expectRefusal,
  GET_MESSAGE,
  REGISTER,
  STATS,
  usePartners,
  USERS,
  VERSION,
} from '#tests/service/partners.js';

const MINUTE_MS = 60_000;
const DAY_SECONDS = 86_400;
/** Longer than the service caches a key from the database. */
const STALE_MS = 1_100;

/** The answer to every key that the service refuses. */
const UNAUTHORIZED = {
  message: 'The header x-api-key must carry a valid API key',
  error: 'INVALID_API_KEY',
  statusCode: '401',
};

describe("a partner's API key", () => {
  const { database, service, newKey } = usePartners();

  it('is shown once: neither the database nor the log contains the key or its secret', async () => {
    const { key, id } = await newKey();
    await service().get(VERSION, key);
    const { secret } = parseApiKey(key)!;
    const rows = JSON.stringify(await rowsOf(database().queries, sql`select * from api_keys`));
    expect(rows).to.contain(id);
    expect(rows).not.to.contain(secret);
    expect(service().logged()).to.contain(`"apiKeyId":"${id}"`);
    expect(service().logged()).not.to.contain(secret);
    expect(JSON.stringify(await describeKeys(service().keys))).not.to.contain(secret);
  });

  /** The key without its checksum, with a different first digit of the secret. */
  const otherSecret = (key: string) =>
    key.replace(/_([0-9a-f])([0-9a-f]{63})[0-9a-f]{8}$/, (_, first: string, rest: string) => {
      return `_${first === '0' ? '1' : '0'}${rest}`;
    });

  for (const path of [VERSION, GET_MESSAGE, USERS, STATS, '/v1/internal/auth/register']) {
    it(`is required for ${path}`, async () => {
      const answer =
        path === REGISTER ? await service().post(path, undefined, {}) : await service().get(path);
      expect(answer.status).to.equal(401);
      expect(answer.body).to.deep.equal(UNAUTHORIZED);
    });
  }

  const unusable: Record<string, (key: string) => string> = {
    empty: () => '',
    'in another format': () => 'x',
    'with a wrong checksum': (key) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'),
    'with one digit of the secret changed': (key) => `${otherSecret(key)}${key.slice(-8)}`,
    'with one digit of the secret changed and a matching checksum': (key) =>
      formatApiKey({ id: parseApiKey(key)!.id, secret: otherSecret(key).slice(-64) }),
    'with another secret and the right checksum': (key) =>
      formatApiKey({ id: parseApiKey(key)!.id, secret: 'ab'.repeat(32) }),
    'with an unknown id': (key) => formatApiKey({ id: '0123456789abcdef', secret: parseApiKey(key)!.secret }),
    'in capitals': (key) => key.toUpperCase(),
    'with one character appended': (key) => `${key}0`,
    'twice in the header': (key) => `${key}, ${key}`,
  };
  for (const [what, change] of Object.entries(unusable)) {
    it(`is refused: ${what}`, async () => {
      const { key } = await newKey();
      const answer = await service().get(VERSION, change(key));
      expect(answer.status).to.equal(401);
      expect(answer.body).to.deep.equal(UNAUTHORIZED);
    });
  }

  it('is refused once it has expired', async () => {
    const { key } = await newKey({ lifetimeSeconds: DAY_SECONDS });
    service().advance(DAY_SECONDS * 1_000 - MINUTE_MS);
    expect((await service().get(VERSION, key)).status).to.equal(200);
    service().advance(MINUTE_MS);
    expect((await service().get(VERSION, key)).body).to.deep.equal(UNAUTHORIZED);
  });

  it('is refused one second after it was revoked, even if it was just used', async () => {
    const { key, id } = await newKey();
    expect((await service().get(VERSION, key)).status).to.equal(200);
    await revokeKey(service().keys, id);
    service().advance(STALE_MS);
    expect((await service().get(VERSION, key)).body).to.deep.equal(UNAUTHORIZED);
  });

  it('works together with its successor until the overlap ends', async () => {
    const { key: old, id } = await newKey({ scopes: ['users:read', 'stats:read'] });
    const { issued, replaced } = await rotateKey(service().keys, id, { overlapSeconds: 3_600 });
    expect(issued.scopes).to.deep.equal(['users:read', 'stats:read']);
    expect(issued.partner).to.deep.equal(replaced.partner);
    service().advance(3_500_000);
    expect((await service().get(STATS, old)).status).to.equal(200);
    expect((await service().get(STATS, issued.key)).status).to.equal(200);
    service().advance(101_000);
    expect((await service().get(STATS, old)).body).to.deep.equal(UNAUTHORIZED);
    expect((await service().get(STATS, issued.key)).status).to.equal(200);
  });

  it('keeps its earlier expiry when it is rotated', async () => {
    const { expiresAt, id } = await newKey({ lifetimeSeconds: 60 });
    const { replaced, issued } = await rotateKey(service().keys, id, { overlapSeconds: 3_600 });
    expect(replaced.expiresAt).to.deep.equal(expiresAt);
    expect(issued.expiresAt!.getTime() - issued.createdAt.getTime()).to.equal(60_000);
  });

  it('can be rotated only once; afterwards its successor can', async () => {
    const { id } = await newKey({ lifetimeSeconds: DAY_SECONDS });
    const { issued, replaced } = await rotateKey(service().keys, id, { overlapSeconds: 60 });
    expect(replaced.replacedBy).to.equal(issued.id);
    const again = await rejection(rotateKey(service().keys, id, { overlapSeconds: 60 }), KeyCommandError);
    expect(again.message)
      .to.contain(`was rotated already, to ${issued.id}`)
      .and.to.contain('rotate that one');
    const { issued: next } = await rotateKey(service().keys, issued.id, { overlapSeconds: 60 });
    expect(next.expiresAt!.getTime() - next.createdAt.getTime()).to.equal(DAY_SECONDS * 1_000);
  });

  it('gets one successor from concurrent rotations', async () => {
    const { id, partner } = await newKey();
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => rotateKey(service().keys, id, { overlapSeconds: 60 })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    const keys = (await describeKeys(service().keys)).filter((info) => info.partner.id === partner.id);
    expect(keys).to.have.length(2);
  });

  it('gets no successor if it is revoked during its rotation', async () => {
    const { id } = await newKey();
    const count = async () => (await describeKeys(service().keys)).length;
    const before = await count();
    let rotating: Promise<Error> | undefined;
    await database().transaction(async (tx) => {
      expect(await markRevoked(tx, id, new Date(service().keys.now()))).to.equal(true);
      rotating = rejection(rotateKey(service().keys, id, { overlapSeconds: 60 }), KeyCommandError);
      // Gives the other connection time to read the key.
      await sleep(300);
    });
    expect((await rotating!).message).to.contain('is revoked and cannot be rotated');
    expect(await count()).to.equal(before);
  });

  const scopes: [Scope, string][] = [
    ['users:write', GET_MESSAGE],
    ['users:read', USERS],
    ['stats:read', STATS],
  ];
  for (const [scope, path] of scopes) {
    it(`needs the scope ${scope} for ${path}`, async () => {
      const others = scopes.map(([other]) => other).filter((other) => other !== scope);
      expectRefusal(await service().get(path, (await newKey({ scopes: others })).key), 403, 'SCOPE_MISSING');
      expect((await service().get(path, (await newKey({ scopes: [scope] })).key)).status).to.equal(200);
    });
  }

  it('needs the scope users:write to register, with any body', async () => {
    const { key } = await newKey({ scopes: ['users:read', 'stats:read'] });
    expectRefusal(await service().post(REGISTER, key, { nonsense: true }), 403, 'SCOPE_MISSING');
  });

  it('has its last use recorded', async () => {
    const { key, id } = await newKey();
    const lastUse = async () =>
      (await describeKeys(service().keys)).find((info) => info.id === id)!.lastUsedAt?.getTime();
    expect(await lastUse()).to.equal(undefined);
    await service().get(VERSION, formatApiKey({ id, secret: '00'.repeat(32) }));
    expect(await lastUse()).to.equal(undefined);
    await service().get(VERSION, key);
    const first = (await lastUse())!;
    expect(service().keys.now() - first).to.be.within(0, 10_000);
    service().advance(2 * MINUTE_MS);
    await service().get(VERSION, key);
    expect((await lastUse())! - first).to.be.at.least(2 * MINUTE_MS);
  });
});
