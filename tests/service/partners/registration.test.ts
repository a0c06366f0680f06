// Users of partners: the message that they sign, and their registration. threat: unwilling-users, other-installation
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import bs58 from 'bs58';
import { eq } from 'drizzle-orm';
import { indexerState, otherRecords, partnerUsers } from '#app/db/schema/index.js';
import {
  signedRegistration,
  signText,
  startPartnerService,
  type PartnerService,
} from '#tests/service/partner-service.js';
import { startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { expectRefusal, GET_MESSAGE, REGISTER, STATS, usePartners } from '#tests/service/partners.js';

const MINUTE_MS = 60_000;

describe('the Partner API and its users', () => {
  const { cluster, database, service, newKey, register } = usePartners();

  describe('GET /v1/internal/auth/get-message', () => {
    it('contains the service, the partner, the nonce and its expiry in ten minutes', async () => {
      const { key, partner } = await newKey();
      const { status, body } = await service().get(GET_MESSAGE, key);
      expect(status).to.equal(200);
      const { message, nonce } = body as { message: string; nonce: string };
      expect(body).to.have.all.keys('message', 'nonce');
      expect(message).to.contain('Service: Curvekit test\n').and.to.contain(`Partner: ${partner.name}\n`);
      expect(message).to.contain(`Nonce: ${nonce}\n`);
      const expiry = Date.parse(/^Expires: (.+)$/m.exec(message)![1]!);
      expect(expiry - service().keys.now()).to.be.within(10 * MINUTE_MS - 10_000, 10 * MINUTE_MS);
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
      expect((await service().get(STATS, first.key)).body).to.include({ users: 1 });
      expect((await service().get(STATS, second.key)).body).to.include({ users: 0 });
    });

    it('registers a user once in forty concurrent attempts of two partners', async () => {
      const [first, second] = [await newKey(), await newKey()];
      const user = Keypair.generate();
      const attempts = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const { key } = index % 2 === 0 ? first : second;
          return { key, body: await signedRegistration(service(), key, user) };
        }),
      );
      const answers = await Promise.all(attempts.map(({ key, body }) => service().post(REGISTER, key, body)));
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      expect(answers.filter(({ status }) => status === 409)).to.have.length(39);
    });

    it('accepts a nonce once in twenty concurrent attempts', async () => {
      const { key } = await newKey();
      const { body } = await service().get(GET_MESSAGE, key);
      const { message, nonce } = body as { message: string; nonce: string };
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => {
          const user = Keypair.generate();
          return service().post(REGISTER, key, {
            publicKey: user.publicKey.toBase58(),
            signature: signText(user, message),
            nonce,
          });
        }),
      );
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        expectRefusal(answer, 403, 'INVALID_NONCE');
      }
    });

    it('accepts the same registration again, at once and after the nonce has expired, and counts it once', async () => {
      const { key } = await newKey();
      const body = await signedRegistration(service(), key, Keypair.generate());
      const again = () => service().post(REGISTER, key, body);
      const answers = [...(await Promise.all(Array.from({ length: 10 }, again))), await again()];
      service().advance(10.1 * MINUTE_MS);
      // Deletes the expired nonces.
      await service().get(GET_MESSAGE, key);
      answers.push(await again());
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
      expect((await service().get(STATS, key)).body).to.include({ users: 1 });
      const other = await newKey();
      expectRefusal(await service().post(REGISTER, other.key, body), 403, 'INVALID_NONCE');
    });

    it('refuses a nonce after ten minutes', async () => {
      const { key } = await newKey();
      const [inTime, late] = [
        await signedRegistration(service(), key, Keypair.generate()),
        await signedRegistration(service(), key, Keypair.generate()),
      ];
      service().advance(9.9 * MINUTE_MS);
      expect((await service().post(REGISTER, key, inTime)).status).to.equal(200);
      service().advance(0.1 * MINUTE_MS);
      expectRefusal(await service().post(REGISTER, key, late), 403, 'INVALID_NONCE');
    });

    it("refuses another partner's nonce", async () => {
      const [owner, other] = [await newKey(), await newKey()];
      const body = await signedRegistration(service(), owner.key, Keypair.generate());
      expectRefusal(await service().post(REGISTER, other.key, body), 403, 'INVALID_NONCE');
      expect((await service().post(REGISTER, owner.key, body)).status).to.equal(200);
    });

    it("refuses another wallet's signature, and keeps the nonce valid", async () => {
      const { key } = await newKey();
      const [user, stranger] = [Keypair.generate(), Keypair.generate()];
      const { body } = await service().get(GET_MESSAGE, key);
      const { message, nonce } = body as { message: string; nonce: string };
      const publicKey = user.publicKey.toBase58();
      const forged = { publicKey, signature: signText(stranger, message), nonce };
      expectRefusal(await service().post(REGISTER, key, forged), 403, 'INVALID_SIGNATURE');
      const signature = signText(user, message);
      expect((await service().post(REGISTER, key, { publicKey, signature, nonce })).status).to.equal(200);
    });

    it('refuses a signature of any text other than the whole message', async () => {
      const { key } = await newKey();
      const user = Keypair.generate();
      const { body } = await service().get(GET_MESSAGE, key);
      const { message, nonce } = body as { message: string; nonce: string };
      for (const text of [nonce, `${message}\n`, message.toLowerCase(), message.slice(1), '']) {
        const forged = { publicKey: user.publicKey.toBase58(), signature: signText(user, text), nonce };
        expectRefusal(await service().post(REGISTER, key, forged), 403, 'INVALID_SIGNATURE');
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
        behind = await startPartnerService({
          database: database(),
          cluster: { connection: new Connection(proxy.url) },
        });
      });
      beforeEach(() => {
        proxy.setDown(false);
        proxy.setHanging(false);
      });
      after(async () => {
        await behind.close();
        await proxy.stop();
        await database().queries.delete(otherRecords);
        await database().queries.delete(indexerState);
      });

      const silences: Record<string, () => void> = {
        fails: () => proxy.setDown(true),
        'accepts requests and never answers': () => proxy.setHanging(true),
      };
      for (const [what, silence] of Object.entries(silences)) {
        it(`answers 503 if the node ${what}, and keeps the nonce valid`, async function () {
          this.timeout(30_000);
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
      }

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
          const [row] = await database()
            .queries.select({ slot: partnerUsers.registeredSlot })
            .from(partnerUsers)
            .where(eq(partnerUsers.wallet, user.publicKey.toBase58()));
          return row?.slot;
        };
        expect(await registeredSlot()).to.equal(SLOT);
        const state = { id: 1, programId: 'program', scannedSlot: SLOT - 1 };
        await database().queries.insert(indexerState).values(state);
        expect(await registeredSlot()).to.equal(SLOT);
        await database()
          .queries.update(indexerState)
          .set({ scannedSlot: SLOT + 5 });
        expect(await registeredSlot()).to.equal(SLOT + 5);
        const place = { outer: 0, inner: 0, kind: 'create' } as const;
        await database()
          .queries.insert(otherRecords)
          .values({ ...place, signature: 'newest', slot: SLOT + 9 });
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
      null: ['null', 'body'],
      'no publicKey': [{ ...valid, publicKey: undefined }, 'publicKey'],
      'a publicKey that is a number': [{ ...valid, publicKey: 1 }, 'publicKey'],
      'a publicKey of 31 bytes': [
        { ...valid, publicKey: bs58.encode(new Uint8Array(31).fill(7)) },
        'publicKey',
      ],
      'a publicKey of 33 bytes': [
        { ...valid, publicKey: bs58.encode(new Uint8Array(33).fill(7)) },
        'publicKey',
      ],
      'a publicKey that is not base58': [
        { ...valid, publicKey: `${valid.publicKey.slice(1)}0` },
        'publicKey',
      ],
      'a publicKey with a space': [{ ...valid, publicKey: ` ${valid.publicKey}` }, 'publicKey'],
      'the publicKey of the system program': [
        { ...valid, publicKey: PublicKey.default.toBase58() },
        'publicKey',
      ],
      'a publicKey off the curve': [{ ...valid, publicKey: offCurve }, 'publicKey'],
      'no signature': [{ ...valid, signature: undefined }, 'signature'],
      'a signature of 63 bytes': [
        { ...valid, signature: bs58.encode(new Uint8Array(63).fill(7)) },
        'signature',
      ],
      'a signature in base64': [{ ...valid, signature: Buffer.alloc(64, 7).toString('base64') }, 'signature'],
      'no nonce': [{ ...valid, nonce: undefined }, 'nonce'],
      'a nonce in capitals': [{ ...valid, nonce: 'A'.repeat(32) }, 'nonce'],
      'a nonce one digit longer': [{ ...valid, nonce: '0'.repeat(33) }, 'nonce'],
      'an unknown field': [{ ...valid, referrer: 'x' }, 'referrer'],
    };
    for (const [what, [body, field]] of Object.entries(malformed)) {
      it(`refuses ${what} and names ${field}`, async () => {
        const { key } = await newKey();
        const answer = await service().post(REGISTER, key, body);
        expectRefusal(answer, 400, 'VALIDATION_ERROR');
        expect((answer.body as { message: string }).message).to.contain(`${field} `);
      });
    }
  });
});
