// The Rewards Claiming API: its document, its reads, the requests it takes, and the signatures it accepts.
// threat: anothers-rewards, false-envelope, false-time, replayed-request
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { eq } from 'drizzle-orm';
import { curveAddress } from '@curvekit/sdk';
import { claims, tokenMetadata } from '#app/db/schema/index.js';
import { signatureBy } from '#app/keys/ed25519.js';
import { U64_MAX } from '#tests/constants.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { fieldsOf, type ApiAnswer } from '#tests/service/api-client.js';
import { envelopeOf, ledgerEnvelope } from '#tests/service/envelopes.js';
import { Follower } from '#tests/service/stream-follower.js';
import { signText } from '#tests/service/partner-service.js';
import { initiate, reward, signed, signedFor, useRewardsScene } from '#tests/service/rewards.js';
import { buyTokens, launch } from '#tests/program/tokens.js';
import { eventually } from '#tests/service/service.js';
import { API_FOLDER, apiFiles, type ApiDocument } from '../../../../scripts/generate-sdk/api-types.js';
import { differences, formatted } from '../../../../scripts/generate-sdk/output.js';
import packageFile from '../../../../app/package.json' with { type: 'json' };

const REFUSED = { status: 'error', code: 'INVALID_SIGNATURE', message: 'Signature verification failed' };
/** Added to a signature's second half, the group order of ed25519 gives a second signature that lax verifiers accept. */
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

interface DocumentedObject {
  readonly properties: Record<string, { readonly type?: string; readonly description?: string }>;
  readonly required: string[];
}

describe(`the Rewards Claiming API (${DATABASE_KIND})`, () => {
  const cluster = useCluster();
  const wallet = Keypair.generate();
  const address = wallet.publicKey.toBase58();
  const scene = useRewardsScene(cluster);
  let offCurve: string;

  before('credit rewards', async () => {
    await reward(scene.database, wallet.publicKey, scene.mint, 'SOL', 1_500_000_000n);
    await reward(scene.database, wallet.publicKey, scene.mint, 'TOKEN', U64_MAX);
    offCurve = curveAddress(new PublicKey(scene.mint)).address.toBase58();
  });

  const get = (path: string, headers: Record<string, string> = signed(wallet)) =>
    scene.api.get(`/rewards/${path}`, { headers });
  const rewards = (headers?: Record<string, string>, of = address) => get(of, headers);
  const rewardsOfToken = (headers?: Record<string, string>, of = address) =>
    get(`${of}/tokens/${scene.mint}`, headers);
  const good = () => ({ tokenAddress: scene.mint, claimType: 'SOL' });
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    scene.api.post(`/rewards/${address}/initiate`, body, { ...signed(wallet), ...headers });
  function expectError(answer: ApiAnswer, status: number, code: string, ...fields: string[]): void {
    expect([answer.status, answer.body['status'], answer.body['code']], answer.text).to.deep.equal([
      ...[status, 'error', code],
    ]);
    expect(fieldsOf(answer)).to.deep.equal(fields);
  }
  const expectRefused = (answer: ApiAnswer, what?: string) =>
    expect([answer.status, answer.body], what ?? answer.text).to.deep.equal([401, REFUSED]);

  it('has a valid OpenAPI 3.1 document, of which the SDK has the error codes and types, and a sentence for each field', async () => {
    const response = await fetch(`${scene.service.url}/openapi.json`);
    const served = (await response.json()) as ApiDocument & Record<string, unknown>;
    expect(served['openapi']).to.equal('3.1.0');
    const { valid, errors } = await new Validator().validate(served);
    expect(valid, JSON.stringify(errors)).to.equal(true);
    expect(
      Object.keys(served['paths'] as object).filter((path) => path.startsWith('/rewards')),
    ).to.deep.equal([
      '/rewards/{address}',
      '/rewards/{address}/tokens/{tokenAddress}',
      '/rewards/{signature}/status',
      '/rewards/{address}/initiate',
    ]);
    const { Amounts, PartnerStats, ...schemas } = served.components!.schemas as Record<
      string,
      DocumentedObject
    >;
    for (const name of ['ClaimRequest', 'Settlement', 'SettlementSample'])
      for (const [field, { description }] of Object.entries(schemas[name]!.properties))
        if (!['id', 'status'].includes(field)) expect(description, `${name}.${field}`).to.be.a('string');

    // openapi.json has a part of the document, which `npm run generate:sdk -- --check` compares.
    const stale = async () =>
      differences(API_FOLDER, await formatted(apiFiles(served))).filter((name) => name !== 'openapi.json');
    expect(await stale(), 'run `npm run generate:sdk`').to.deep.equal([]);
    Amounts!.properties['usd'] = { type: 'number' };
    Amounts!.required.push('usd');
    expect(await stale()).to.deep.equal(['rewards.ts']);
    delete PartnerStats!.properties['trades'];
    expect(await stale()).to.deep.equal(['partner.ts', 'rewards.ts']);
  });

  describe('returns', () => {
    const amounts = { sol: 1_500_000_000, solUi: '1.5', token: U64_MAX, tokenUi: '18446744073709.551615' };

    it('one entry per token, ordered by address, with exact amounts of any size, not to be cached', async () => {
      const other = await launch(cluster(), { name: 'Other', symbol: 'OTH' });
      await reward(scene.database, wallet.publicKey, other.mint.toBase58(), 'SOL', 1n);
      await buyTokens(cluster(), other, cluster().payer, 1_000_000_000n);
      await eventually(async () => (await rewards()).text.includes('"OTH"'), 'the other token');
      const { status, body, text, headers } = await rewards();
      expect([status, body['status'], headers.get('cache-control')]).to.deep.equal([
        200,
        'success',
        'no-store',
      ]);
      const data = body['data'] as { tokenInfo: { address: string; price: number } }[];
      const order = data.map(({ tokenInfo }) => tokenInfo.address);
      expect(order).to.deep.equal([scene.mint, other.mint.toBase58()].sort());
      const { tokenInfo, ...entry } = data[order.indexOf(scene.mint)]!;
      expect(entry).to.deep.equal({ unclaimedRewards: amounts, allTimeRewards: amounts });
      const { price, ...info } = tokenInfo;
      expect(info).to.deep.equal({ address: scene.mint, symbol: 'CURV', name: 'Curvy', image: '' });
      expect(price).to.be.greaterThan(2e-8).and.lessThan(1e-7);
      expect(text).to.include(`"token":${U64_MAX}`);
    });

    it('the amounts of one token, or zero', async () => {
      const { status, body } = await rewardsOfToken();
      expect(status).to.equal(200);
      expect(body['data']).to.deep.equal({ unclaimedRewards: amounts, allTimeRewards: amounts });
      const nobody = Keypair.generate();
      const of = nobody.publicKey.toBase58();
      const zero = { sol: 0, solUi: '0', token: 0, tokenUi: '0' };
      const nothing = await rewardsOfToken(signed(nobody), of);
      expect(nothing.body['data']).to.deep.equal({ unclaimedRewards: zero, allTimeRewards: zero });
      expect((await rewards(signed(nobody), of)).body).to.deep.equal({ status: 'success', data: [] });
    });

    it("the image that the token's metadata names", async () => {
      const image = 'https://example.org/image.png';
      await scene.database.queries
        .insert(tokenMetadata)
        .values({ mint: scene.mint, uri: 'https://example.org/curvy.json', image, problem: null })
        .onConflictDoUpdate({ target: tokenMetadata.mint, set: { image } });
      // Token data in answers is at most a second old.
      await eventually(async () => (await rewards()).text.includes(image), 'the image');
    });

    it('the state of a claim, without authentication and at once', async () => {
      const status = (signature: string) => scene.api.get(`/rewards/${signature}/status`);
      const claimer = Keypair.generate();
      await reward(scene.database, claimer.publicKey, scene.mint, 'SOL', 1_000_000_000n);
      const { body } = await initiate(scene, claimer, { claimType: 'SOL' });
      const bytes = Buffer.from((body['data'] as { tx: string }).tx, 'base64');
      const answer = await status(bs58.encode(bytes.subarray(1, 65)));
      expect([answer.status, answer.body]).to.deep.equal([
        200,
        { status: 'success', data: { status: 'IN_PROGRESS', message: 'The claim is being processed' } },
      ]);
      expectError(await status(bs58.encode(new Uint8Array(64).fill(7))), 404, 'CLAIM_NOT_FOUND');
      for (const text of [
        '0OIl',
        ...[1, 63, 65, 128].map((size) => bs58.encode(new Uint8Array(size).fill(7))),
      ])
        expectError(await status(text), 400, 'VALIDATION_ERROR', 'signature');
    });
  });

  describe('takes only', () => {
    it('known paths, methods and queries, and answers others in its error format', async () => {
      for (const path of [`/rewards/${address}/tokens`, '/REWARDS/x'])
        expectError(await scene.api.get(path, { undocumented: true }), 404, 'NOT_FOUND');
      expectError(await scene.api.get('/rewards/%E0%A4%A'), 400, 'VALIDATION_ERROR', 'path');
      for (const method of ['DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
        const answer = await scene.api.call(method, `/rewards/${address}`, { undocumented: true });
        expectError(answer, 405, 'METHOD_NOT_ALLOWED');
        expect(answer.headers.get('allow')).to.equal('GET, HEAD');
      }
      const head = await scene.api.call('HEAD', `/rewards/${address}`, { headers: signed(wallet) });
      expect([head.status, head.text]).to.deep.equal([200, '']);
      expectError(await get(`${address}?limit=many`), 400, 'VALIDATION_ERROR', 'limit');
      for (const known of [address, `${address}/tokens/${scene.mint}`])
        expect((await get(`${known}?utm_source=x&limit[]=3`)).status).to.equal(200);
      const unknown = Keypair.generate().publicKey.toBase58();
      expectError(await get(`${address}/tokens/${unknown}`), 404, 'TOKEN_NOT_FOUND');
      expectError(await get('nonsense/tokens/nonsense'), 400, 'VALIDATION_ERROR', 'address', 'tokenAddress');
    });

    it('claims with all fields, each right, and no other', async () => {
      for (const [body, ...fields] of [
        [{}, 'tokenAddress', 'claimType'],
        [
          { tokenAddress: 7, claimType: null, burnToken: 'yes', amount: 1 },
          ...['tokenAddress', 'claimType', 'burnToken', 'amount'],
        ],
        // One byte too many: a leading 1 decodes to a zero byte.
        [{ ...good(), tokenAddress: `1${scene.mint}` }, 'tokenAddress'],
        [
          '{"__proto__":{"claimType":"SOL"},"constructor":1}',
          ...['tokenAddress', 'claimType', '__proto__', 'constructor'],
        ],
        ...['', '{', 'null', '[]', '"text"', '7', '{"a":1}}', Uint8Array.of(0x7b, 0xff, 0x7d)].map(
          (text) => [text, 'body'] as const,
        ),
      ] as const)
        expectError(await post(body), 400, 'VALIDATION_ERROR', ...fields);
      for (const claimType of ['NFT', 'sol', 'SOL ', 'Token', '', 'toString'])
        expectError(await post({ ...good(), claimType }), 400, 'CLAIM_ERROR');
    });

    it('valid addresses, before it looks at the signature', async () => {
      const key = wallet.publicKey.toBytes();
      const bad = [
        ...['nonsense', 'é', '1'.repeat(5_000), offCurve, address.replace(/.$/, '0')],
        ...[key.subarray(1), Buffer.concat([key, Buffer.of(1)])].map((bytes) => bs58.encode(bytes)),
      ];
      for (const of of bad)
        expectError(await rewards({}, encodeURIComponent(of)), 400, 'VALIDATION_ERROR', 'address');
      // With a key of order 4 and S = 0, R = the neutral element verifies for one message in four.
      const neutral = Buffer.alloc(64);
      neutral[0] = 1;
      for (let offset = 0; offset < 16; offset += 1) {
        const headers = { 'X-Timestamp': String(Date.now() - offset), 'X-Signature': bs58.encode(neutral) };
        expectError(await rewards(headers, '1'.repeat(32)), 400, 'VALIDATION_ERROR', 'address');
      }
    });
  });

  describe('accepts a signature', () => {
    /** Invalid headers, each with a different fault. */
    const faultsOf = (good: Record<string, string>): Record<string, string>[] => {
      const { 'X-Signature': signature = '', 'X-Timestamp': timestamp = '' } = good;
      const bytes = bs58.decode(signature);
      const second = Buffer.from(bytes);
      const s = BigInt(`0x${Buffer.from(second.subarray(32)).reverse().toString('hex')}`) + GROUP_ORDER;
      Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse().copy(second, 32);
      return [
        {},
        { 'X-Signature': signature },
        { 'X-Timestamp': timestamp },
        { ...good, 'X-Timestamp': String(Number(timestamp) + 1) },
        signed(Keypair.generate(), timestamp),
        ...[
          ...['', signature.toLowerCase(), `1${signature}`, `${signature}1`, signature.slice(1)],
          ...[`${signature}, ${signature}`, '1'.repeat(10_000)],
          ...[Buffer.from(bytes).toString('base64'), Buffer.from(bytes).toString('hex')],
          ...[bytes.subarray(0, 63), Buffer.concat([bytes, Buffer.of(0)]), new Uint8Array(64), second].map(
            (other) => bs58.encode(other),
          ),
        ].map((other) => ({ ...good, 'X-Signature': other })),
        ...['bound', 'none'].map((scheme) => ({ ...good, 'X-Signature-Scheme': scheme })),
        ...[`${timestamp}.0`, `+${timestamp}`, `0x${Number(timestamp).toString(16)}`, `${timestamp}n`]
          .concat('-1', 'NaN', '1e12')
          .map((text) => ({ 'X-Timestamp': text, 'X-Signature': signText(wallet, text) })),
      ];
    };

    for (const [path, read] of Object.entries({
      '/rewards/{address}': rewards,
      '/rewards/{address}/tokens/{tokenAddress}': rewardsOfToken,
    }))
      it(`of the wallet itself, of the last 5 minutes and the next 30 seconds, repeatedly, for ${path}`, async () => {
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
        const own = signed(wallet);
        for (const headers of faultsOf(own)) expectRefused(await read(headers), JSON.stringify(headers));
        for (let time = 0; time < 2; time += 1) expect((await read(own)).status).to.equal(200);
        const other = Keypair.generate();
        const bare = path.replace('{tokenAddress}', scene.mint).replace('{address}', address);
        for (const headers of [signed(other), signedFor(other, 'GET', bare)])
          expectRefused(await read(headers));
        expectRefused(await read(signed(wallet), other.publicKey.toBase58()));
      });

    it('in the envelope of a hardware wallet, with the text and nothing else in it', async () => {
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
        const ofLines = { text: bound, tell };
        expect(await ask(ledgerEnvelope({ text: bound, format: 1 }), ofLines)).to.equal(200);
        expect(await ask(envelopeOf({ ...own, text: bound, format: 1 }), ofLines)).to.equal(200);
      }
      expect(await ask(envelopeOf({ ...own, domain }), { tell: true }), 'a told domain').to.equal(200);
      expect(await ask(envelopeOf({ ...own, domain })), 'a domain that is not told').to.equal(401);
      expect(await ask(Buffer.from(time), { tell: true }), 'the text alone').to.equal(200);

      const other = Keypair.generate().publicKey;
      const head = Buffer.from('\xfesolana offchain', 'latin1');
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
        'another head': Buffer.concat([head, envelopeOf(own).subarray(16)]),
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
      for (const lie of [envelopeOf(own).toString('base64'), '', '!', 'A'.repeat(5_000)])
        expectRefused(await rewards({ ...told, 'X-Signed-Message': lie }));
    });

    it('once for a claim, of the wallet itself only', async () => {
      const path = `/rewards/${address}/initiate`;
      const stranger = Keypair.generate();
      const others = [{}, signed(stranger), signedFor(stranger, 'POST', path, JSON.stringify(good()))];
      for (const headers of others) expectRefused(await scene.api.post(path, good(), headers));
      for (const of of ['nonsense', offCurve]) {
        const answer = await scene.api.post(`/rewards/${of}/initiate`, good(), signed(wallet));
        expectError(answer, 400, 'VALIDATION_ERROR', 'address');
      }
      const stored = await scene.database.queries.select().from(claims).where(eq(claims.wallet, address));
      expect(stored).to.deep.equal([]);

      const claimer = Keypair.generate();
      const once = signed(claimer);
      expectError(await initiate(scene, claimer, { claimType: 'SOL' }, once), 400, 'CLAIM_ERROR');
      expectRefused(await initiate(scene, claimer, { claimType: 'SOL' }, once));
      const now = Date.now();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          initiate(scene, claimer, { claimType: 'SOL' }, signed(claimer, now - 1_000 - (index % 2))),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        ...[400, 400],
        ...Array.from({ length: 18 }, () => 401),
      ]);
    });

    it('for its request only if the scheme is bound', async () => {
      const path = `/rewards/${address}`;
      const ofToken = `${path}/tokens/${scene.mint}`;
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
      const body = JSON.stringify(good());
      const send = (sent: string) =>
        scene.api.post(claimPath, sent, signedFor(claimer, 'POST', claimPath, body));
      expectError(await send(body), 400, 'CLAIM_ERROR');
      expectRefused(await send(body.replace('SOL', 'TOKEN')));
      expectRefused(await send(`${body} `));
    });
  });

  describe('has metrics that', () => {
    const scrape = async () => (await fetch(`${scene.service.url}/metrics`)).text();
    const valueOf = async (name: string) =>
      Number(new RegExp(`^${name} (.+)$`, 'm').exec(await scrape())?.[1]);

    it('name the build', async () => {
      const newest = readdirSync('app/database')
        .filter((name) => /^\d{4}_.*\.sql$/.test(name))
        .sort()
        .at(-1)!;
      const labels = `version="${packageFile.version}",node="${process.versions.node}",migration="${newest.slice(0, -4)}"`;
      expect(await scrape()).to.contain(`curvekit_build_info{${labels}} 1\n`);
    });

    it('say when payments were last reconciled', async () => {
      const at = () => valueOf('curvekit_payments_reconciled_timestamp_seconds');
      await eventually(async () => (await at()) > 0, 'a reconciliation');
      const first = await at();
      expect(first).to.be.within(Date.now() / 1_000 - 60, Date.now() / 1_000 + 1);
      await eventually(async () => (await at()) > first, 'a later one');
    });

    it('count the open streams', async () => {
      const open = () => valueOf('curvekit_market_streams_open');
      expect(await open()).to.equal(0);
      const followers = ['board', 'board'].map(() => new Follower(scene.service.url, ['board']));
      await Promise.all(followers.map((follower) => follower.untilOpen()));
      await eventually(async () => (await open()) === 2, 'two streams');
      for (const follower of followers) follower.close();
      await eventually(async () => (await open()) === 0, 'none');
    });
  });
});
