// Which signatures the Rewards Claiming API accepts. threat: anothers-rewards, false-envelope, false-time, replayed-request
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { eq } from 'drizzle-orm';
import { curveAddress } from '@curvekit/sdk';
import { claims } from '#app/db/schema/index.js';
import type { ApiAnswer } from '#tests/service/api-client.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { envelopeOf, ledgerEnvelope } from '#tests/service/envelopes.js';
import { signatureBy } from '#app/keys/ed25519.js';
import { initiate, signed, signedFor } from '#tests/service/rewards.js';
import { signText } from '#tests/service/partner-service.js';
import { expectError, useRewards } from '#tests/service/rewards-reads.js';

const REFUSED = { status: 'error', code: 'INVALID_SIGNATURE', message: 'Signature verification failed' };
/**
 * The group order of ed25519. Added to a signature's second half, it gives a second signature that lax verifiers
 * accept.
 */
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

describe(`requests to the Rewards Claiming API (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const { scene, wallet, address, rewards, rewardsOfToken } = useRewards();

  describe('POST /rewards/:address/initiate', () => {
    const good = () => ({ tokenAddress: scene().mint, claimType: 'SOL' });

    it('reserves nothing unless the wallet itself signed', async () => {
      const path = `/rewards/${address}/initiate`;
      const stranger = Keypair.generate();
      const others = [{}, signed(stranger), signedFor(stranger, 'POST', path, JSON.stringify(good()))];
      for (const headers of others) {
        const answer = await scene().api.post(path, good(), headers);
        expect([answer.status, answer.body]).to.deep.equal([401, REFUSED]);
      }
      const offCurve = curveAddress(new PublicKey(scene().mint)).address.toBase58();
      for (const of of ['nonsense', offCurve]) {
        const answer = await scene().api.post(`/rewards/${of}/initiate`, good(), signed(wallet));
        expectError(answer, 400, 'VALIDATION_ERROR', 'address');
      }
      expect(
        await scene().database.queries.select().from(claims).where(eq(claims.wallet, address)),
      ).to.deep.equal([]);
    });
  });

  describe('authentication', () => {
    const expectRefused = (answer: ApiAnswer) => {
      expect([answer.status, answer.body], answer.text).to.deep.equal([401, REFUSED]);
    };

    /** Invalid headers, each with a different fault. */
    const faultsOf = (good: Record<string, string>): Record<string, string>[] => {
      const { 'X-Signature': signature = '', 'X-Timestamp': timestamp = '' } = good;
      const bytes = bs58.decode(signature);
      return [
        {},
        { 'X-Signature': signature },
        { 'X-Timestamp': timestamp },
        { ...good, 'X-Timestamp': String(Number(timestamp) + 1) },
        signed(Keypair.generate(), timestamp),
        { ...good, 'X-Signature': '' },
        { ...good, 'X-Signature': signature.toLowerCase() },
        { ...good, 'X-Signature': `1${signature}` },
        { ...good, 'X-Signature': `${signature}1` },
        { ...good, 'X-Signature': signature.slice(1) },
        { ...good, 'X-Signature': `${signature}, ${signature}` },
        { ...good, 'X-Signature': bs58.encode(bytes.subarray(0, 63)) },
        { ...good, 'X-Signature': bs58.encode(Buffer.concat([bytes, Buffer.of(0)])) },
        { ...good, 'X-Signature': Buffer.from(bytes).toString('base64') },
        { ...good, 'X-Signature': Buffer.from(bytes).toString('hex') },
        { ...good, 'X-Signature': bs58.encode(new Uint8Array(64)) },
        { ...good, 'X-Signature': '1'.repeat(10_000) },
        { ...good, 'X-Signature-Scheme': 'bound' },
        { ...good, 'X-Signature-Scheme': 'none' },
        ...[
          `${timestamp}.0`,
          `+${timestamp}`,
          `0x${Number(timestamp).toString(16)}`,
          `${timestamp}n`,
          '-1',
          'NaN',
          '1e12',
        ].map((text) => ({ 'X-Timestamp': text, 'X-Signature': signText(wallet, text) })),
      ];
    };

    /** Reads that need the wallet's signature and accept the same one repeatedly. */
    const reads = {
      '/rewards/{address}': rewards,
      '/rewards/{address}/tokens/{tokenAddress}': rewardsOfToken,
    };

    for (const [path, read] of Object.entries(reads)) {
      it(`accepts timestamps of the last 5 minutes and the next 30 seconds for ${path}`, async () => {
        const at = (ms: number) => read(signed(wallet, Date.now() + ms));
        for (const ms of [0, -299_000, 29_000]) expect((await at(ms)).status).to.equal(200);
        for (const [ms, words] of [
          [-301_000, '30[12] s behind'],
          [33_000, '3. s ahead of'],
          [-1e12, '100000000[01] s behind'],
          [1e12, '[0-9]+ s ahead of'],
        ] as const) {
          const { status, body } = await at(ms);
          expect([status, body['code']]).to.deep.equal([401, 'INVALID_SIGNATURE']);
          expect(body['message']).to.match(
            new RegExp(`^Signature verification failed: X-Timestamp is ${words} the service's clock`),
          );
        }
      });

      it(`gives the same answer to every fault for ${path}`, async () => {
        const good = signed(wallet);
        for (const headers of faultsOf(good)) expectRefused(await read(headers));
        expect((await read(good)).status).to.equal(200);
      });

      it(`refuses another wallet's signature for ${path}`, async () => {
        const other = Keypair.generate();
        const bare = path.replace('{tokenAddress}', scene().mint).replace('{address}', address);
        expectRefused(await read(signed(other)));
        expectRefused(await read(signedFor(other, 'GET', bare)));
        expectRefused(await read(signed(wallet), other.publicKey.toBase58()));
      });
    }

    it('accepts the text in the envelope of a hardware wallet, and nothing else in it', async () => {
      const path = `/rewards/${address}`;
      const time = String(Date.now());
      const bound = `${time}\nGET\n${path}\n${createHash('sha256').digest('hex')}`;
      const domain = Buffer.alloc(32, 7);
      const ask = async (
        envelope: Uint8Array,
        { text = time, tell = false, by = wallet }: { text?: string; tell?: boolean; by?: Keypair } = {},
      ) => {
        const { status } = await rewards({
          'X-Timestamp': time,
          'X-Signature': bs58.encode(signatureBy(by, envelope)),
          ...(text === bound ? { 'X-Signature-Scheme': 'bound' } : {}),
          ...(tell ? { 'X-Signed-Message': Buffer.from(envelope).toString('base64') } : {}),
        });
        return status;
      };
      const own = { text: time, signers: [wallet.publicKey] };
      for (const tell of [false, true]) {
        expect(await ask(ledgerEnvelope({ text: time }), { tell })).to.equal(200);
        expect(await ask(envelopeOf(own), { tell })).to.equal(200);
        // Lines are no printable ASCII, so the format is UTF-8.
        expect(await ask(ledgerEnvelope({ text: bound, format: 1 }), { text: bound, tell })).to.equal(200);
        expect(await ask(envelopeOf({ ...own, text: bound, format: 1 }), { text: bound, tell })).to.equal(
          200,
        );
      }
      expect(await ask(envelopeOf({ ...own, domain }), { tell: true }), 'a domain that is told').to.equal(
        200,
      );
      expect(await ask(envelopeOf({ ...own, domain })), 'a domain that is not told').to.equal(401);
      expect(await ask(Buffer.from(time), { tell: true }), 'the text alone').to.equal(200);

      const other = Keypair.generate().publicKey;
      const refused = {
        'another text': envelopeOf({ ...own, text: `${time}0` }),
        'the text and more': Buffer.concat([envelopeOf(own), Buffer.from('0')]),
        'a longer length': envelopeOf({ ...own, length: time.length + 1 }),
        'a shorter length': envelopeOf({ ...own, length: time.length - 1 }),
        'another version': envelopeOf({ ...own, version: 1 }),
        'an unknown format': envelopeOf({ ...own, format: 3 }),
        'ASCII with lines': envelopeOf({ ...own, text: bound }),
        'another signer': envelopeOf({ ...own, signers: [other] }),
        'no signer': envelopeOf({ ...own, signers: [] }),
        'two signers': envelopeOf({ ...own, signers: [wallet.publicKey, other] }),
        'another head': Buffer.concat([
          Buffer.from('\xfesolana offchain', 'latin1'),
          envelopeOf(own).subarray(16),
        ]),
        'Ledger, another text': ledgerEnvelope({ text: `${time}0` }),
        'Ledger, another length': ledgerEnvelope({ text: time, length: 1 }),
        'Ledger, another version': ledgerEnvelope({ text: time, version: 1 }),
        'a text before it': Buffer.concat([Buffer.from('x'), Buffer.from(time)]),
      };
      for (const [what, envelope] of Object.entries(refused)) {
        const text = what === 'ASCII with lines' ? bound : time;
        for (const tell of [false, true]) expect(await ask(envelope, { text, tell }), what).to.equal(401);
      }
      expect(await ask(envelopeOf(own), { by: Keypair.generate() }), 'by another key').to.equal(401);
      // The header says one thing, and the wallet has signed another.
      const told = { 'X-Timestamp': time, 'X-Signature': signText(wallet, time) };
      const lies = [envelopeOf(own).toString('base64'), '', '!', 'A'.repeat(5_000)];
      for (const lie of lies)
        expect((await rewards({ ...told, 'X-Signed-Message': lie })).status).to.equal(401);
    });

    it('reports an invalid address before an invalid signature', async () => {
      const offCurve = curveAddress(new PublicKey(scene().mint)).address.toBase58();
      const key = wallet.publicKey.toBytes();
      const tooLong = bs58.encode(Buffer.concat([key, Buffer.of(1)]));
      const bad = [
        'nonsense',
        bs58.encode(key.subarray(1)),
        tooLong,
        address.replace(/.$/, '0'),
        'é',
        '1'.repeat(5_000),
        offCurve,
      ];
      for (const of of bad) {
        expectError(await rewards({}, encodeURIComponent(of)), 400, 'VALIDATION_ERROR', 'address');
      }
      expectRefused(await rewards(signed(wallet), Keypair.generate().publicKey.toBase58()));
    });

    it('refuses keys for which anyone can sign', async () => {
      // With a key of order 4 and S = 0, R = the neutral element verifies for one message in four.
      const neutral = Buffer.alloc(64);
      neutral[0] = 1;
      for (let offset = 0; offset < 16; offset += 1) {
        const headers = { 'X-Timestamp': String(Date.now() - offset), 'X-Signature': bs58.encode(neutral) };
        expectError(await rewards(headers, '1'.repeat(32)), 400, 'VALIDATION_ERROR', 'address');
      }
    });

    it('refuses the second valid form of a signature', async () => {
      const headers = signed(wallet);
      const bytes = Buffer.from(bs58.decode(headers['X-Signature']!));
      const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + GROUP_ORDER;
      Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse().copy(bytes, 32);
      expectRefused(await rewards({ ...headers, 'X-Signature': bs58.encode(bytes) }));
    });

    it('accepts a signature repeatedly for reads, and once for a claim', async () => {
      const headers = signed(wallet);
      for (let time = 0; time < 3; time += 1) expect((await rewards(headers)).status).to.equal(200);
      const claimer = Keypair.generate();
      const once = signed(claimer);
      expectError(await initiate(scene(), claimer, { claimType: 'SOL' }, once), 400, 'CLAIM_ERROR');
      expectRefused(await initiate(scene(), claimer, { claimType: 'SOL' }, once));
      const now = Date.now();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          initiate(scene(), claimer, { claimType: 'SOL' }, signed(claimer, now - 1_000 - (index % 2))),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        400,
        400,
        ...Array.from({ length: 18 }, () => 401),
      ]);
    });

    it('binds a signature to its request if the scheme is bound', async () => {
      const path = `/rewards/${address}`;
      const ofToken = `${path}/tokens/${scene().mint}`;
      for (const [read, own, other] of [
        [rewards, path, ofToken],
        [rewardsOfToken, ofToken, path],
      ] as const) {
        expect((await read(signedFor(wallet, 'GET', own))).status).to.equal(200);
        expectRefused(await read(signedFor(wallet, 'POST', own)));
        expectRefused(await read(signedFor(wallet, 'GET', other)));
      }

      const claimer = Keypair.generate();
      const claimPath = `/rewards/${claimer.publicKey.toBase58()}/initiate`;
      const body = JSON.stringify({ tokenAddress: scene().mint, claimType: 'SOL' });
      const send = (sent: string) =>
        scene().api.post(claimPath, sent, signedFor(claimer, 'POST', claimPath, body));
      expectError(await send(body), 400, 'CLAIM_ERROR');
      expectRefused(await send(body.replace('SOL', 'TOKEN')));
      expectRefused(await send(`${body} `));
    });
  });
});
