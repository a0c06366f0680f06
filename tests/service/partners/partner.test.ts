import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import type { PartnerErrorCode } from '@curvekit/sdk/partner';
import { codesOf, documentedErrors, tabledErrors } from '#tests/service/error-codes.js';
import { expectRefusal, REGISTER, STATS, usePartners, USERS, VERSION } from '#tests/service/partners.js';

/** Every code that the SDK knows. The compiler checks that none is missing. */
const SDK_CODES: Readonly<Record<PartnerErrorCode, true>> = {
  VALIDATION_ERROR: true,
  INVALID_API_KEY: true,
  SCOPE_MISSING: true,
  INVALID_NONCE: true,
  INVALID_SIGNATURE: true,
  ALREADY_REGISTERED: true,
  RATE_LIMIT_EXCEEDED: true,
  NOT_FOUND: true,
  USER_NOT_FOUND: true,
  METHOD_NOT_ALLOWED: true,
  SERVICE_UNAVAILABLE: true,
  INTERNAL_ERROR: true,
};

describe('the Partner API', () => {
  const { database, service, newKey, register } = usePartners();

  describe('GET /v1/internal', () => {});

  describe('GET /v1/internal/users', () => {
    it("lists the partner's own users page by page, in the order of registration", async () => {
      const { key } = await newKey();
      await register((await newKey()).key);
      const users = Array.from({ length: 5 }, () => Keypair.generate());
      for (const user of users) {
        expect((await register(key, user)).status).to.equal(200);
        service().advance(1);
      }
      const seen: string[] = [];
      let cursor: string | null = '';
      for (let page = 0; cursor !== null && page < 5; page++) {
        const query = cursor === '' ? '?limit=2' : `?limit=2&cursor=${cursor}`;
        const { status, body } = await service().get(`${USERS}${query}`, key);
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
      const { body } = await service().get(USERS, key);
      const { users, nextCursor } = body as { users: { registeredAt: string }[]; nextCursor: null };
      expect(nextCursor).to.equal(null);
      expect(users).to.have.length(1);
      expect(users[0]).to.deep.include({
        publicKey: user.publicKey.toBase58(),
        volumeSol: 0,
        feesSol: 0,
        rewardSol: 0,
      });
      expect(service().keys.now() - Date.parse(users[0]!.registeredAt)).to.be.within(0, 10_000);
    });

    it('ignores unknown parameters', async () => {
      const { key } = await newKey();
      expect((await service().get(`${USERS}?offset=3&limit=1&__proto__=x`, key)).status).to.equal(200);
      expect((await service().get('/v1/internal?verbose=1', key)).status).to.equal(200);
    });

    for (const query of [
      'limit=0',
      'limit=101',
      'limit=-1',
      'limit=1.5',
      'limit=',
      'limit=1&limit=2',
      'cursor=x',
      'cursor=',
      `cursor=${Buffer.from('9999999999999999.So11111111111111111111111111111111111111112').toString('base64url')}`,
      `cursor=${Buffer.from("1.' or 1=1").toString('base64url')}`,
    ]) {
      it(`refuses ?${query.slice(0, 40)}`, async () => {
        const { key } = await newKey();
        const answer = await service().get(`${USERS}?${query}`, key);
        expectRefusal(answer, 400, 'VALIDATION_ERROR');
        expect((answer.body as { message: string }).message).to.contain(`${query.split('=')[0]} `);
      });
    }
  });

  describe('GET /v1/internal/users/{publicKey}', () => {
    it('returns the entry of the list, and 404 for a user of another partner or of none', async () => {
      const { key } = await newKey();
      const [user, strange] = [Keypair.generate(), Keypair.generate()];
      await register(key, user);
      await register((await newKey()).key, strange);
      const one = ({ publicKey }: Keypair) => service().get(`${USERS}/${publicKey.toBase58()}`, key);
      const { users } = (await service().get(USERS, key)).body as { users: object[] };
      expect((await one(user)).body).to.deep.equal(users[0]);
      for (const wallet of [strange, Keypair.generate()])
        expectRefusal(await one(wallet), 404, 'USER_NOT_FOUND');
      expectRefusal(await service().get(`${USERS}/me`, key), 400, 'VALIDATION_ERROR');
      const writer = await newKey({ scopes: ['users:write'] });
      const refused = await service().get(`${USERS}/${user.publicKey.toBase58()}`, writer.key);
      expectRefusal(refused, 403, 'SCOPE_MISSING');
    });
  });

  describe('GET /v1/internal/stats', () => {
    it('returns amounts over 2^64 exactly', async () => {
      const { key, partner } = await newKey();
      await register(key);
      const amount = 2n ** 70n + 1n;
      await database().queries.execute(
        sql`update partner_users set volume_sol = ${amount.toString()}::numeric where partner_id = ${partner.id}`,
      );
      const { text } = await service().get(STATS, key);
      expect(text).to.contain(`"volumeSol":${amount},`);
    });
  });

  describe('for every path', () => {
    it('has the same errors in its document, in docs/api.md and in the SDK', async () => {
      const document: unknown = await (await fetch(`${service().url}/openapi.json`)).json();
      const errors = documentedErrors(document, VERSION, 'error');
      expect(await tabledErrors('docs/api.md')).to.deep.equal(errors);
      expect(codesOf(errors)).to.deep.equal(Object.keys(SDK_CODES).sort());
    });

    it('answers an unknown path in its error format', async () => {
      for (const path of ['/v1/internal/nothing', '/v1']) {
        expectRefusal(await service().call('GET', path, { undocumented: true }), 404, 'NOT_FOUND');
      }
    });

    it('answers a wrong method in its error format', async () => {
      const headers = { 'x-api-key': (await newKey()).key };
      const answer = await service().call('GET', REGISTER, { headers, undocumented: true });
      expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers.get('allow')).to.equal('POST');
    });
  });
});
