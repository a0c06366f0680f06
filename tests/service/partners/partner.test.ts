// The Partner API: its keys, the registration of users, and what it answers. threat: partner-key, unwilling-users, other-installation
import { expect } from 'chai';
import { statement } from '#app/db/database.js';
import { eq } from 'drizzle-orm';
import { formatApiKey, parseApiKey } from '#app/partners/api-key.js';
import { KeyCommandError } from '#app/partners/errors.js';
import { describeKeys, issueKey, revokeKey, rotateKey } from '#app/partners/keys.js';
import type { Scope } from '#app/partners/scopes.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { useDatabase } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { indexerState, otherRecords, partnerUsers } from '#app/db/schema/index.js';
import {
  signedRegistration,
  signText,
  startPartnerService,
  type Answer,
  type PartnerService,
} from '#tests/service/partner-service.js';
import { startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { documentedErrors, tabledErrors } from '#tests/service/error-codes.js';

const MINUTE_MS = 60_000;
const DAY_SECONDS = 86_400;
/** Longer than the service caches a key from the database. */
const STALE_MS = 1_100;

const VERSION = '/v1/internal';
const GET_MESSAGE = '/v1/internal/auth/get-message';
const REGISTER = '/v1/internal/auth/register';
const USERS = '/v1/internal/users';
const STATS = '/v1/internal/stats';

/** The answer to every key that the service refuses. */
const UNAUTHORIZED = {
  message: 'The header x-api-key must carry a valid API key',
  error: 'INVALID_API_KEY',
  statusCode: '401',
};

function expectRefusal({ body, status }: Answer, expected: number, error: string): void {
  expect(body).to.have.all.keys('message', 'error', 'statusCode');
  expect(body).to.include({ error, statusCode: String(expected) });
  expect(status).to.equal(expected);
}

describe('the Partner API', () => {
  const cluster = useCluster();
  const database = useDatabase();
  let service: PartnerService;
  let partners = 0;

  before(async () => (service = await startPartnerService({ database, cluster: cluster() })));
  after(() => service.close());

  function newKey(options: { scopes?: readonly Scope[]; lifetimeSeconds?: number } = {}) {
    partners += 1;
    const payoutWallet = Keypair.generate().publicKey.toBase58();
    return issueKey(service.keys, { partner: `Partner ${partners}`, payoutWallet, ...options });
  }
  const register = async (key: string, user = Keypair.generate()) =>
    service.post(REGISTER, key, await signedRegistration(service, key, user));
  const messageOf = async (key: string) =>
    (await service.get(GET_MESSAGE, key)).body as { message: string; nonce: string };

  describe('keys', () => {
    it('is shown once: neither the database nor the log contains the key or its secret', async () => {
      const { key, id } = await newKey();
      await service.get(VERSION, key);
      const { secret } = parseApiKey(key)!;
      const rows = JSON.stringify(await statement(database.queries)`select * from api_keys`);
      expect(rows).to.contain(id);
      expect(rows).not.to.contain(secret);
      expect(service.logged()).to.contain(`"apiKeyId":"${id}"`);
      expect(service.logged()).not.to.contain(secret);
      expect(JSON.stringify(await describeKeys(service.keys))).not.to.contain(secret);
    });

    /** The key without its checksum, with a different first digit of the secret. */
    const otherSecret = (key: string) =>
      key.replace(/_([0-9a-f])([0-9a-f]{63})[0-9a-f]{8}$/, (_, first: string, rest: string) => {
        return `_${first === '0' ? '1' : '0'}${rest}`;
      });

    for (const path of [VERSION, GET_MESSAGE, USERS, STATS, '/v1/internal/auth/register'])
      it(`is required for ${path}`, async () => {
        const answer = path === REGISTER ? await service.post(path, undefined, {}) : await service.get(path);
        expect(answer.status).to.equal(401);
        expect(answer.body).to.deep.equal(UNAUTHORIZED);
      });

    const unusable: Record<string, (key: string) => string> = {
      'in another format': () => 'x',
      'with a wrong checksum': (key) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'),
      'with one digit of the secret changed': (key) => `${otherSecret(key)}${key.slice(-8)}`,
      'with one digit of the secret changed and a matching checksum': (key) =>
        formatApiKey({ id: parseApiKey(key)!.id, secret: otherSecret(key).slice(-64) }),
      'with another secret and the right checksum': (key) =>
        formatApiKey({ id: parseApiKey(key)!.id, secret: 'ab'.repeat(32) }),
      'with an unknown id': (key) =>
        formatApiKey({ id: '0123456789abcdef', secret: parseApiKey(key)!.secret }),
      'in capitals': (key) => key.toUpperCase(),
      'with one character appended': (key) => `${key}0`,
    };
    for (const [what, change] of Object.entries(unusable))
      it(`is refused: ${what}`, async () => {
        const { key } = await newKey();
        const answer = await service.get(VERSION, change(key));
        expect(answer.status).to.equal(401);
        expect(answer.body).to.deep.equal(UNAUTHORIZED);
      });

    it('is refused once it has expired', async () => {
      const { key } = await newKey({ lifetimeSeconds: DAY_SECONDS });
      service.advance(DAY_SECONDS * 1_000 - MINUTE_MS);
      expect((await service.get(VERSION, key)).status).to.equal(200);
      service.advance(MINUTE_MS);
      expect((await service.get(VERSION, key)).body).to.deep.equal(UNAUTHORIZED);
    });

    it('is refused one second after it was revoked, even if it was just used', async () => {
      const { key, id } = await newKey();
      expect((await service.get(VERSION, key)).status).to.equal(200);
      await revokeKey(service.keys, id);
      service.advance(STALE_MS);
      expect((await service.get(VERSION, key)).body).to.deep.equal(UNAUTHORIZED);
    });

    it('works together with its successor until the overlap ends', async () => {
      const { key: old, id } = await newKey({ scopes: ['users:read', 'stats:read'] });
      const { issued, replaced } = await rotateKey(service.keys, id, { overlapSeconds: 3_600 });
      expect(issued.scopes).to.deep.equal(['users:read', 'stats:read']);
      expect(issued.partner).to.deep.equal(replaced.partner);
      service.advance(3_500_000);
      expect((await service.get(STATS, old)).status).to.equal(200);
      expect((await service.get(STATS, issued.key)).status).to.equal(200);
      service.advance(101_000);
      expect((await service.get(STATS, old)).body).to.deep.equal(UNAUTHORIZED);
      expect((await service.get(STATS, issued.key)).status).to.equal(200);
    });

    it('keeps its earlier expiry when it is rotated', async () => {
      const { expiresAt, id } = await newKey({ lifetimeSeconds: 60 });
      const { replaced, issued } = await rotateKey(service.keys, id, { overlapSeconds: 3_600 });
      expect(replaced.expiresAt).to.deep.equal(expiresAt);
      expect(issued.expiresAt!.getTime() - issued.createdAt.getTime()).to.equal(60_000);
    });

    it('can be rotated only once; afterwards its successor can', async () => {
      const { id } = await newKey({ lifetimeSeconds: DAY_SECONDS });
      const { issued, replaced } = await rotateKey(service.keys, id, { overlapSeconds: 60 });
      expect(replaced.replacedBy).to.equal(issued.id);
      const again = await rejection(rotateKey(service.keys, id, { overlapSeconds: 60 }), KeyCommandError);
      expect(again.message)
        .to.contain(`was rotated already, to ${issued.id}`)
        .and.to.contain('rotate that one');
      const { issued: next } = await rotateKey(service.keys, issued.id, { overlapSeconds: 60 });
      expect(next.expiresAt!.getTime() - next.createdAt.getTime()).to.equal(DAY_SECONDS * 1_000);
    });

    it('gets one successor from concurrent rotations', async () => {
      const { id, partner } = await newKey();
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, () => rotateKey(service.keys, id, { overlapSeconds: 60 })),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      const keys = (await describeKeys(service.keys)).filter((info) => info.partner.id === partner.id);
      expect(keys).to.have.length(2);
    });

    const scopes: [Scope, string][] = [
      ['users:write', GET_MESSAGE],
      ['users:read', USERS],
      ['stats:read', STATS],
    ];
    for (const [scope, path] of scopes)
      it(`needs the scope ${scope} for ${path}`, async () => {
        const others = scopes.map(([other]) => other).filter((other) => other !== scope);
        expectRefusal(await service.get(path, (await newKey({ scopes: others })).key), 403, 'SCOPE_MISSING');
        expect((await service.get(path, (await newKey({ scopes: [scope] })).key)).status).to.equal(200);
      });

    it('needs the scope users:write to register, with any body', async () => {
      const { key } = await newKey({ scopes: ['users:read', 'stats:read'] });
      expectRefusal(await service.post(REGISTER, key, { nonsense: true }), 403, 'SCOPE_MISSING');
    });

    it('has its last use recorded', async () => {
      const { key, id } = await newKey();
      const lastUse = async () =>
        (await describeKeys(service.keys)).find((info) => info.id === id)!.lastUsedAt?.getTime();
      expect(await lastUse()).to.equal(undefined);
      await service.get(VERSION, formatApiKey({ id, secret: '00'.repeat(32) }));
      expect(await lastUse()).to.equal(undefined);
      await service.get(VERSION, key);
      const first = (await lastUse())!;
      expect(service.keys.now() - first).to.be.within(0, 10_000);
      service.advance(2 * MINUTE_MS);
      await service.get(VERSION, key);
      expect((await lastUse())! - first).to.be.at.least(2 * MINUTE_MS);
    });
  });

  describe('GET /v1/internal/auth/get-message', () => {
    it('contains the service, the partner, the nonce and its expiry in ten minutes', async () => {
      const { key, partner } = await newKey();
      const { status, body } = await service.get(GET_MESSAGE, key);
      expect(status).to.equal(200);
      const { message, nonce } = body as { message: string; nonce: string };
      expect(body).to.have.all.keys('message', 'nonce');
      expect(message).to.contain('Service: Curvekit test\n').and.to.contain(`Partner: ${partner.name}\n`);
      expect(message).to.contain(`Nonce: ${nonce}\n`);
      const expiry = Date.parse(/^Expires: (.+)$/m.exec(message)![1]!);
      expect(expiry - service.keys.now()).to.be.within(10 * MINUTE_MS - 10_000, 10 * MINUTE_MS);
    });
  });

  describe('POST /v1/internal/auth/register', () => {
    it('refuses a user whom the same partner has registered before', async () => {
      const { key } = await newKey();
      const user = Keypair.generate();
      await register(key, user);
      const refused = await register(key, user);
      expectRefusal(refused, 409, 'ALREADY_REGISTERED');
      expect(refused.body)
        .to.have.property('message')
        .that.matches(/^This partner .* with another nonce$/);
    });

    it('keeps a user with the first partner', async () => {
      const [first, second] = [await newKey(), await newKey()];
      const user = Keypair.generate();
      await register(first.key, user);
      const refused = await register(second.key, user);
      expectRefusal(refused, 409, 'ALREADY_REGISTERED');
      expect(refused.body)
        .to.have.property('message')
        .that.matches(/^Another partner /);
      expect((await service.get(STATS, first.key)).body).to.include({ users: 1 });
      expect((await service.get(STATS, second.key)).body).to.include({ users: 0 });
    });

    it('registers a user once in forty concurrent attempts of two partners', async () => {
      const [first, second] = [await newKey(), await newKey()];
      const user = Keypair.generate();
      const attempts = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const { key } = index % 2 === 0 ? first : second;
          return { key, body: await signedRegistration(service, key, user) };
        }),
      );
      const answers = await Promise.all(attempts.map(({ key, body }) => service.post(REGISTER, key, body)));
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      expect(answers.filter(({ status }) => status === 409)).to.have.length(39);
    });

    it('accepts a nonce once in twenty concurrent attempts', async () => {
      const { key } = await newKey();
      const { message, nonce } = await messageOf(key);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => {
          const user = Keypair.generate();
          return service.post(REGISTER, key, {
            publicKey: user.publicKey.toBase58(),
            signature: signText(user, message),
            nonce,
          });
        }),
      );
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      for (const answer of answers.filter(({ status }) => status !== 200))
        expectRefusal(answer, 403, 'INVALID_NONCE');
    });

    it('accepts the same registration again, at once and after the nonce has expired, and counts it once', async () => {
      const { key } = await newKey();
      const body = await signedRegistration(service, key, Keypair.generate());
      const again = () => service.post(REGISTER, key, body);
      const answers = [...(await Promise.all(Array.from({ length: 10 }, again))), await again()];
      service.advance(10.1 * MINUTE_MS);
      // Deletes the expired nonces.
      await service.get(GET_MESSAGE, key);
      answers.push(await again());
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
      expect((await service.get(STATS, key)).body).to.include({ users: 1 });
      const other = await newKey();
      expectRefusal(await service.post(REGISTER, other.key, body), 403, 'INVALID_NONCE');
    });

    it('refuses a nonce after ten minutes', async () => {
      const { key } = await newKey();
      const [inTime, late] = [
        await signedRegistration(service, key, Keypair.generate()),
        await signedRegistration(service, key, Keypair.generate()),
      ];
      service.advance(9.9 * MINUTE_MS);
      expect((await service.post(REGISTER, key, inTime)).status).to.equal(200);
      service.advance(0.1 * MINUTE_MS);
      expectRefusal(await service.post(REGISTER, key, late), 403, 'INVALID_NONCE');
    });

    it("refuses another partner's nonce", async () => {
      const [owner, other] = [await newKey(), await newKey()];
      const body = await signedRegistration(service, owner.key, Keypair.generate());
      expectRefusal(await service.post(REGISTER, other.key, body), 403, 'INVALID_NONCE');
      expect((await service.post(REGISTER, owner.key, body)).status).to.equal(200);
    });

    it("refuses another wallet's signature, and keeps the nonce valid", async () => {
      const { key } = await newKey();
      const [user, stranger] = [Keypair.generate(), Keypair.generate()];
      const { message, nonce } = await messageOf(key);
      const publicKey = user.publicKey.toBase58();
      const forged = { publicKey, signature: signText(stranger, message), nonce };
      expectRefusal(await service.post(REGISTER, key, forged), 403, 'INVALID_SIGNATURE');
      const signature = signText(user, message);
      expect((await service.post(REGISTER, key, { publicKey, signature, nonce })).status).to.equal(200);
    });

    it('refuses a signature of any text other than the whole message', async () => {
      const { key } = await newKey();
      const user = Keypair.generate();
      const { message, nonce } = await messageOf(key);
      for (const text of [nonce, `${message}\n`, message.toLowerCase(), message.slice(1), '']) {
        const forged = { publicKey: user.publicKey.toBase58(), signature: signText(user, text), nonce };
        expectRefusal(await service.post(REGISTER, key, forged), 403, 'INVALID_SIGNATURE');
      }
    });

    describe('with its own RPC node', () => {
      let proxy: RpcProxy;
      let behind: PartnerService;
      /** The newest confirmed slot that the node reports. */
      const SLOT = 1_000;
      before(async () => {
        proxy = await startRpcProxy(cluster().rpcUrl);
        proxy.rewrite(({ method }, result) => (method === 'getSlot' ? SLOT : result));
        behind = await startPartnerService({ database, cluster: { connection: new Connection(proxy.url) } });
      });
      beforeEach(() => {
        proxy.setDown(false);
        proxy.setHanging(false);
      });
      after(async () => {
        await behind.close();
        await proxy.stop();
        await database.queries.delete(otherRecords);
        await database.queries.delete(indexerState);
      });

      const silences: Record<string, () => void> = {
        fails: () => proxy.setDown(true),
        'accepts requests and never answers': () => proxy.setHanging(true),
      };
      for (const [what, silence] of Object.entries(silences))
        it(`answers 503 if the node ${what}, and keeps the nonce valid`, async () => {
          const { key } = await newKey();
          const registration = await signedRegistration(behind, key, Keypair.generate());
          silence();
          const answer = await behind.post(REGISTER, key, registration);
          expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE');
          expect(answer.headers.get('retry-after')).to.match(/^[1-9]\d*$/);
          expect((answer.body as { message: string }).message).to.match(/cluster does not answer/);
          expect((await behind.get(STATS, key)).body).to.include({ users: 0 });
          proxy.setDown(false);
          proxy.setHanging(false);
          expect((await behind.post(REGISTER, key, registration)).status).to.equal(200);
        });

      it('refuses a bad nonce or signature without waiting for the node', async () => {
        const { key } = await newKey();
        const [user, stranger] = [Keypair.generate(), Keypair.generate()];
        const forged = await signedRegistration(behind, key, user, stranger);
        proxy.setHanging(true);
        expectRefusal(await behind.post(REGISTER, key, forged), 403, 'INVALID_SIGNATURE');
        const unknown = { ...forged, nonce: '0'.repeat(32) };
        expectRefusal(await behind.post(REGISTER, key, unknown), 403, 'INVALID_NONCE');
      });

      it('stores the newest slot that the node or the index knows', async () => {
        const { key } = await newKey();
        const registeredSlot = async () => {
          const user = Keypair.generate();
          const registration = await signedRegistration(behind, key, user);
          expect((await behind.post(REGISTER, key, registration)).status).to.equal(200);
          const [row] = await database.queries
            .select({ slot: partnerUsers.registeredSlot })
            .from(partnerUsers)
            .where(eq(partnerUsers.wallet, user.publicKey.toBase58()));
          return row?.slot;
        };
        expect(await registeredSlot()).to.equal(SLOT);
        const state = { id: 1, programId: 'program', scannedSlot: SLOT - 1 };
        await database.queries.insert(indexerState).values(state);
        expect(await registeredSlot()).to.equal(SLOT);
        await database.queries.update(indexerState).set({ scannedSlot: SLOT + 5 });
        expect(await registeredSlot()).to.equal(SLOT + 5);
        const place = { outer: 0, inner: 0, kind: 'create' } as const;
        await database.queries.insert(otherRecords).values({ ...place, signature: 'newest', slot: SLOT + 9 });
        expect(await registeredSlot()).to.equal(SLOT + 9);
      });
    });

    const user = Keypair.generate();
    const valid = {
      publicKey: user.publicKey.toBase58(),
      signature: signText(user, 'anything'),
      nonce: '0'.repeat(32),
    };
    const offCurve = PublicKey.findProgramAddressSync([], PublicKey.default)[0].toBase58();
    const malformed: Record<string, [unknown, string]> = {
      'no JSON': ['{', 'body'],
      'an array': [[], 'body'],
      'no publicKey': [{ ...valid, publicKey: undefined }, 'publicKey'],
      'a publicKey that is a number': [{ ...valid, publicKey: 1 }, 'publicKey'],
      'a publicKey of 33 bytes': [
        { ...valid, publicKey: bs58.encode(new Uint8Array(33).fill(7)) },
        'publicKey',
      ],
      'a publicKey that is not base58': [
        { ...valid, publicKey: `${valid.publicKey.slice(1)}0` },
        'publicKey',
      ],
      'the publicKey of the system program': [
        { ...valid, publicKey: PublicKey.default.toBase58() },
        'publicKey',
      ],
      'a publicKey off the curve': [{ ...valid, publicKey: offCurve }, 'publicKey'],
      'no signature': [{ ...valid, signature: undefined }, 'signature'],
      'a signature in base64': [{ ...valid, signature: Buffer.alloc(64, 7).toString('base64') }, 'signature'],
      'no nonce': [{ ...valid, nonce: undefined }, 'nonce'],
      'a nonce one digit longer': [{ ...valid, nonce: '0'.repeat(33) }, 'nonce'],
      'an unknown field': [{ ...valid, referrer: 'x' }, 'referrer'],
    };
    for (const [what, [body, field]] of Object.entries(malformed))
      it(`refuses ${what} and names ${field}`, async () => {
        const { key } = await newKey();
        const answer = await service.post(REGISTER, key, body);
        expectRefusal(answer, 400, 'VALIDATION_ERROR');
        expect((answer.body as { message: string }).message).to.contain(`${field} `);
      });
  });

  describe('GET /v1/internal/users', () => {
    it("lists the partner's own users page by page, in the order of registration", async () => {
      const { key } = await newKey();
      await register((await newKey()).key);
      const users = Array.from({ length: 5 }, () => Keypair.generate());
      for (const user of users) {
        expect((await register(key, user)).status).to.equal(200);
        service.advance(1);
      }
      const seen: string[] = [];
      let cursor: string | null = '';
      for (let page = 0; cursor !== null && page < 5; page++) {
        const query = cursor === '' ? '?limit=2' : `?limit=2&cursor=${cursor}`;
        const { status, body } = await service.get(`${USERS}${query}`, key);
        expect(status).to.equal(200);
        const answer = body as { users: { publicKey: string }[]; nextCursor: string | null };
        seen.push(...answer.users.map(({ publicKey }) => publicKey));
        cursor = answer.nextCursor;
      }
      expect(seen).to.deep.equal(users.map(({ publicKey }) => publicKey.toBase58()));
    });

    it('returns the time of registration, and zero amounts before the first trade', async () => {
      const { key } = await newKey();
      const user = Keypair.generate();
      await register(key, user);
      const { body } = await service.get(USERS, key);
      const { users, nextCursor } = body as { users: { registeredAt: string }[]; nextCursor: null };
      expect(nextCursor).to.equal(null);
      expect(users).to.have.length(1);
      expect(users[0]).to.deep.include({
        publicKey: user.publicKey.toBase58(),
        volumeSol: 0,
        feesSol: 0,
        rewardSol: 0,
      });
      expect(service.keys.now() - Date.parse(users[0]!.registeredAt)).to.be.within(0, 10_000);
    });

    it('ignores unknown parameters', async () => {
      const { key } = await newKey();
      expect((await service.get(`${USERS}?offset=3&limit=1&__proto__=x`, key)).status).to.equal(200);
      expect((await service.get('/v1/internal?verbose=1', key)).status).to.equal(200);
    });

    for (const query of [
      'limit=0',
      'limit=101',
      'limit=1&limit=2',
      'cursor=x',
      'cursor=',
      `cursor=${Buffer.from('9999999999999999.So11111111111111111111111111111111111111112').toString('base64url')}`,
      `cursor=${Buffer.from("1.' or 1=1").toString('base64url')}`,
    ])
      it(`refuses ?${query.slice(0, 40)}`, async () => {
        const { key } = await newKey();
        const answer = await service.get(`${USERS}?${query}`, key);
        expectRefusal(answer, 400, 'VALIDATION_ERROR');
        expect((answer.body as { message: string }).message).to.contain(`${query.split('=')[0]} `);
      });
  });

  describe('GET /v1/internal/users/{publicKey}', () => {
    it('returns the entry of the list, and 404 for a user of another partner or of none', async () => {
      const { key } = await newKey();
      const [user, strange] = [Keypair.generate(), Keypair.generate()];
      await register(key, user);
      await register((await newKey()).key, strange);
      const one = ({ publicKey }: Keypair) => service.get(`${USERS}/${publicKey.toBase58()}`, key);
      const { users } = (await service.get(USERS, key)).body as { users: object[] };
      expect((await one(user)).body).to.deep.equal(users[0]);
      for (const wallet of [strange, Keypair.generate()])
        expectRefusal(await one(wallet), 404, 'USER_NOT_FOUND');
      expectRefusal(await service.get(`${USERS}/me`, key), 400, 'VALIDATION_ERROR');
      const writer = await newKey({ scopes: ['users:write'] });
      const refused = await service.get(`${USERS}/${user.publicKey.toBase58()}`, writer.key);
      expectRefusal(refused, 403, 'SCOPE_MISSING');
    });
  });

  describe('GET /v1/internal/stats', () => {
    it('returns amounts over 2^64 exactly', async () => {
      const { key, partner } = await newKey();
      await register(key);
      const amount = 2n ** 70n + 1n;
      await statement(database.queries)`
        update partner_users set volume_sol = ${amount.toString()}::numeric where partner_id = ${partner.id}`;
      const { text } = await service.get(STATS, key);
      expect(text).to.contain(`"volumeSol":${amount},`);
    });
  });

  describe('for every path', () => {
    it('has the same errors in its document and in docs/api.md', async () => {
      const document: unknown = await (await fetch(`${service.url}/openapi.json`)).json();
      expect(await tabledErrors('docs/api.md')).to.deep.equal(documentedErrors(document, '/v1/', 'error'));
    });

    it('answers an unknown path in its error format', async () => {
      for (const path of ['/v1/internal/nothing', '/v1'])
        expectRefusal(await service.call('GET', path, { undocumented: true }), 404, 'NOT_FOUND');
    });

    it('answers a wrong method in its error format', async () => {
      const headers = { 'x-api-key': (await newKey()).key };
      const answer = await service.call('GET', REGISTER, { headers, undocumented: true });
      expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers.get('allow')).to.equal('POST');
    });
  });
});
