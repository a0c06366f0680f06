import { expect } from 'chai'; // threat: health-checks
import { Validator } from '@seriousme/openapi-schema-validator';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { eq } from 'drizzle-orm';
import type { RewardsErrorCode } from '@curvekit/sdk/rewards';
import { checkLedger } from '#app/ledger/check.js';
import { claims, tokenMetadata } from '#app/db/schema/index.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { codesOf, documentedErrors } from '#tests/service/error-codes.js';
import { initiate, reward, signed } from '#tests/service/rewards.js';
import { buyTokens, launch } from '#tests/program/tokens.js';
import { eventually } from '#tests/service/service.js';
import { U64_MAX } from '#tests/constants.js';
import { API_FOLDER, apiFiles, type ApiDocument } from '../../../../scripts/generate-sdk/api-types.js';
import { differences, formatted } from '../../../../scripts/generate-sdk/output.js';
import { expectError, useRewards } from '#tests/service/rewards-reads.js';

/** Every code that the SDK knows. The compiler checks that none is missing. */
const SDK_CODES: Readonly<Record<RewardsErrorCode, true>> = {
  VALIDATION_ERROR: true,
  CLAIM_ERROR: true,
  INVALID_SIGNATURE: true,
  TOKEN_NOT_FOUND: true,
  CLAIM_NOT_FOUND: true,
  CLAIM_IN_PROGRESS: true,
  IDEMPOTENCY_KEY_REUSED: true,
  RATE_LIMIT_EXCEEDED: true,
  NOT_FOUND: true,
  METHOD_NOT_ALLOWED: true,
  SERVICE_UNAVAILABLE: true,
  INTERNAL_ERROR: true,
};

/** The schema of an object, which the test changes. */
interface DocumentedObject {
  readonly properties: Record<string, object>;
  readonly required: string[];
}

describe(`the Rewards Claiming API (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const { cluster, scene, wallet, address, rewards } = useRewards();

  it('documents exactly the error codes that the SDK knows', () => {
    const codes = codesOf(documentedErrors(scene().service.document, '/rewards', 'code'));
    expect(codes).to.deep.equal(Object.keys(SDK_CODES).sort());
  });

  it('serves a valid OpenAPI 3.1 document', async () => {
    const served = (await fetch(`${scene().service.url}/openapi.json`).then((r) => r.json())) as Record<
      string,
      unknown
    >;
    expect(served).to.deep.equal(JSON.parse(JSON.stringify(scene().service.document)));
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
  });

  it('has a document that matches the types of the SDK', async () => {
    const response = await fetch(`${scene().service.url}/openapi.json`);
    const document = (await response.json()) as ApiDocument;
    const stale = async () => differences(API_FOLDER, await formatted(apiFiles(document)));
    expect(await stale(), 'run `npm run generate:sdk`').to.deep.equal([]);
    const { Amounts, PartnerStats } = document.components!.schemas as Record<string, DocumentedObject>;
    Amounts!.properties['usd'] = { type: 'number' };
    Amounts!.required.push('usd');
    expect(await stale()).to.deep.equal(['rewards.ts']);
    delete PartnerStats!.properties['trades'];
    expect(await stale()).to.deep.equal(['partner.ts', 'rewards.ts']);
  });

  describe('GET /rewards/:address', () => {
    it('returns one entry per token, ordered by address, with exact amounts of any size', async () => {
      const other = await launch(cluster(), { name: 'Other', symbol: 'OTH' });
      await reward(scene().database, wallet.publicKey, other.mint.toBase58(), 'SOL', 1n);
      await buyTokens(cluster(), other, cluster().payer, 1_000_000_000n);
      await eventually(async () => (await rewards(signed(wallet))).text.includes('"OTH"'), 'the other token');
      const { status, body, text } = await rewards(signed(wallet));
      expect([status, body['status']]).to.deep.equal([200, 'success']);
      const data = body['data'] as { tokenInfo: { address: string } }[];
      const order = data.map(({ tokenInfo }) => tokenInfo.address);
      expect(order).to.deep.equal([scene().mint, other.mint.toBase58()].sort());
      const entry = data[order.indexOf(scene().mint)];
      const amounts = {
        sol: 1_500_000_000,
        solUi: '1.5',
        token: U64_MAX,
        tokenUi: '18446744073709.551615',
      };
      const { price, ...info } = entry!.tokenInfo as { address: string; price: number };
      expect({ ...entry, tokenInfo: info }).to.deep.equal({
        unclaimedRewards: amounts,
        allTimeRewards: amounts,
        tokenInfo: { address: scene().mint, symbol: 'CURV', name: 'Curvy', image: '' },
      });
      expect(price).to.be.greaterThan(2e-8).and.lessThan(1e-7);
      expect(text).to.include(`"token":${U64_MAX}`);
    });

    it('returns an empty list for a wallet without rewards', async () => {
      const nobody = Keypair.generate();
      const { body } = await rewards(signed(nobody), nobody.publicKey.toBase58());
      expect(body).to.deep.equal({ status: 'success', data: [] });
    });

    it("returns the image that the token's metadata names", async () => {
      const image = 'https://example.org/image.png';
      await scene()
        .database.queries.insert(tokenMetadata)
        .values({ mint: scene().mint, uri: 'https://example.org/curvy.json', image, problem: null })
        .onConflictDoUpdate({ target: tokenMetadata.mint, set: { image } });
      // Token data in answers is at most a second old.
      await eventually(async () => {
        const { body } = await rewards(signed(wallet));
        const entries = body['data'] as { tokenInfo: { address: string; image: string } }[];
        return entries.find(({ tokenInfo }) => tokenInfo.address === scene().mint)?.tokenInfo.image === image;
      }, 'the image');
    });

    it('ignores unknown query parameters', async () => {
      const path = `/rewards/${address}`;
      for (const known of [path, `${path}/tokens/${scene().mint}`]) {
        const answer = await scene().api.get(`${known}?utm_source=x&limit[]=3`, { headers: signed(wallet) });
        expect(answer.status, answer.text).to.equal(200);
      }
    });

    it('must not be cached', async () => {
      const { headers } = await rewards(signed(wallet));
      expect(headers.get('cache-control')).to.equal('no-store');
    });
  });

  describe('GET /rewards/:address/tokens/:tokenAddress', () => {
    const ofToken = (token: string, of = address, headers = signed(wallet)) =>
      scene().api.get(`/rewards/${of}/tokens/${token}`, { headers });

    it('returns both amounts and nothing else', async () => {
      const { status, body } = await ofToken(scene().mint);
      const amounts = {
        sol: 1_500_000_000,
        solUi: '1.5',
        token: U64_MAX,
        tokenUi: '18446744073709.551615',
      };
      expect(status).to.equal(200);
      expect(body['data']).to.deep.equal({ unclaimedRewards: amounts, allTimeRewards: amounts });
    });

    it('returns zero for a token without rewards', async () => {
      const token = await launch(cluster());
      await eventually(async () => (await ofToken(token.mint.toBase58())).status === 200, 'the token');
      const { body } = await ofToken(token.mint.toBase58());
      const zero = { sol: 0, solUi: '0', token: 0, tokenUi: '0' };
      expect(body['data']).to.deep.equal({ unclaimedRewards: zero, allTimeRewards: zero });
    });

    it('answers 404 for an unknown token', async () => {
      expectError(await ofToken(Keypair.generate().publicKey.toBase58()), 404, 'TOKEN_NOT_FOUND');
    });

    it('names every invalid address', async () => {
      expectError(await ofToken('nonsense'), 400, 'VALIDATION_ERROR', 'tokenAddress');
      expectError(await ofToken('nonsense', 'nonsense'), 400, 'VALIDATION_ERROR', 'address', 'tokenAddress');
    });
  });

  describe('GET /rewards/:signature/status', () => {
    const status = (signature: string) => scene().api.get(`/rewards/${signature}/status`);

    it('needs no authentication, and knows a claim at once', async () => {
      const claimer = Keypair.generate();
      await reward(scene().database, claimer.publicKey, scene().mint, 'SOL', 1_000_000_000n);
      const { body } = await initiate(scene(), claimer, { claimType: 'SOL' });
      const bytes = Buffer.from((body['data'] as { tx: string }).tx, 'base64');
      const answer = await status(bs58.encode(bytes.subarray(1, 65)));
      expect([answer.status, answer.body]).to.deep.equal([
        200,
        { status: 'success', data: { status: 'IN_PROGRESS', message: 'The claim is being processed' } },
      ]);
    });

    it('answers 404 for an unknown claim', async () => {
      expectError(await status(bs58.encode(new Uint8Array(64).fill(7))), 404, 'CLAIM_NOT_FOUND');
    });

    it('reports a signature with a wrong length or alphabet', async () => {
      for (const bytes of [0, 1, 63, 65, 128]) {
        const text = bytes === 0 ? '0OIl' : bs58.encode(new Uint8Array(bytes).fill(7));
        expectError(await status(text), 400, 'VALIDATION_ERROR', 'signature');
      }
    });
  });

  it('reports in /health whether the ledger adds up, and checks it once a minute, whatever the number of requests', async () => {
    const health = async () => {
      const answer = await fetch(`${scene().service.url}/health`);
      return [answer.status, ((await answer.json()) as { checks: unknown }).checks];
    };
    expect(await health()).to.deep.equal([200, { ledger: 'ok' }]);
    const claimer = Keypair.generate();
    await reward(scene().database, claimer.publicKey, scene().mint, 'SOL', 1_000_000_000n);
    await initiate(scene(), claimer, { claimType: 'SOL' });
    const changeTo = (amount: bigint) =>
      scene()
        .database.queries.update(claims)
        .set({ amount })
        .where(eq(claims.wallet, claimer.publicKey.toBase58()));
    await changeTo(1n);
    expect(await checkLedger(scene().database.queries, { whole: false })).to.have.length(1);
    expect(await health()).to.deep.equal([200, { ledger: 'ok' }]);
    await changeTo(1_000_000_000n);
  });

  it('answers unknown paths, unknown methods and malformed requests in its error format', async () => {
    for (const path of [`/rewards/${address}/tokens`, '/REWARDS/x']) {
      expectError(await scene().api.get(path, { undocumented: true }), 404, 'NOT_FOUND');
    }
    expectError(await scene().api.get('/rewards/%E0%A4%A'), 400, 'VALIDATION_ERROR', 'path');
    for (const method of ['DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
      const answer = await scene().api.call(method, `/rewards/${address}`, { undocumented: true });
      expectError(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers.get('allow')).to.equal('GET, HEAD');
    }
    const head = await scene().api.call('HEAD', `/rewards/${address}`, { headers: signed(wallet) });
    expect([head.status, head.text]).to.deep.equal([200, '']);
    expectError(
      await scene().api.get(`/rewards/${address}?limit=many`, { headers: signed(wallet) }),
      400,
      'VALIDATION_ERROR',
      'limit',
    );
  });
});
