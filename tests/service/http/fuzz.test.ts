// The service answers every random request as its OpenAPI document says, and never with status 500. threat: malformed-input
import { expect } from 'chai';
import fc from 'fast-check';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { issueKey } from '#app/partners/keys.js';
import { SCOPES, type Scope } from '#app/partners/scopes.js';
import { encodeCursor } from '#app/claims/rewards/pages.js';
import { fieldsOf, type ApiAnswer } from '#tests/service/api-client.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import {
  bodyFields,
  fuzzedRequests,
  UNKNOWN_PARAMETER,
  type FuzzedRequest,
  type KeyName,
  type KnownValues,
  type OpenApi,
  type Operation,
  type Sender,
} from '#tests/arbitraries/fuzzed-requests.js';
import { signText } from '#tests/service/partner-service.js';
import {
  initiate,
  reward,
  signed,
  signedFor,
  startRewardsScene,
  transactionOf,
  type RewardsScene,
} from '#tests/service/rewards.js';
import { SOL } from '#tests/constants.js';

const ALL_REQUESTS = 20_000;
const REQUESTS = Number(process.env['FUZZED_REQUESTS'] ?? ALL_REQUESTS);
/** Number of concurrent requests. */
const BATCH = 40;
const WALLETS = 40;
/** Placeholders that are valid in form. A body that has both gets a fresh nonce and signature when it is sent. */
const FRESH_NONCE = 'f'.repeat(32);
const FRESH_SIGNATURE = bs58.encode(new Uint8Array(64).fill(7));
const FRESH_MESSAGE = Buffer.from('the message').toString('base64');
const VERSION = '/v1/internal';
const GET_MESSAGE = '/v1/internal/auth/get-message';
const REGISTER = '/v1/internal/auth/register';
const USERS = '/v1/internal/users';
const STATS = '/v1/internal/stats';

/**
 * Minimum number of each answer in `ALL_REQUESTS` requests: about a quarter of the usual number, so that chance does not matter.
 * Answers with status 400 are counted by where the fault was.
 */
const REQUIRED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'GET /v1/launchpad': { 200: 350 },
  'GET /rewards/{address}': { 200: 150, '400 path': 100, '400 query': 60, 401: 100 },
  'GET /rewards/{address}/tokens/{tokenAddress}': {
    200: 180,
    '400 path': 180,
    401: 80,
    404: 60,
  },
  'GET /rewards/{signature}/status': { 200: 120, '400 path': 100, 404: 250 },
  'POST /rewards/{address}/initiate': {
    200: 20,
    '400 CLAIM_ERROR': 25,
    '400 body': 130,
    '400 header': 10,
    '400 path': 100,
    401: 100,
    404: 15,
    409: 30,
    413: 10,
    415: 10,
    422: 100,
  },
  'GET /settlements/{mint}': { 200: 200, '400 path': 90, '400 query': 20, 404: 100 },
  [`GET ${VERSION}`]: { 200: 350, 401: 90 },
  [`GET ${GET_MESSAGE}`]: { 200: 350, 401: 90, 403: 40 },
  [`POST ${REGISTER}`]: {
    200: 20,
    '400 body': 140,
    401: 90,
    403: 150,
    409: 80,
    413: 10,
    415: 12,
  },
  [`GET ${USERS}`]: { 200: 150, '400 query': 60, 401: 90, 403: 40 },
  [`GET ${USERS}/{publicKey}`]: { 200: 350, '400 path': 100, 401: 90, 403: 40, 404: 40 },
  [`GET ${STATS}`]: { 200: 350, 401: 90, 403: 40 },
  undocumented: { 405: 90 },
};

describe(`the service under ${REQUESTS} random requests (${DATABASE_KIND})`, function () {
  this.timeout(600_000);
  const cluster = useCluster();
  const stranger = Keypair.generate();
  const wallets = Array.from({ length: WALLETS }, () => Keypair.generate());
  const walletOf = new Map(wallets.map((wallet) => [wallet.publicKey.toBase58(), wallet]));
  const keys = new Map<KeyName, string>();
  let scene: RewardsScene;

  before('start the service', async () => {
    scene = await startRewardsScene(cluster());
    const { database, mint } = scene;
    for (const { publicKey } of wallets) {
      await reward(database, publicKey, mint, 'SOL', SOL);
      await reward(database, publicKey, mint, 'TOKEN', SOL);
    }
    const scopes: Record<KeyName, readonly Scope[]> = {
      'any key': SCOPES,
      'writing key': ['users:write'],
      'reading key': ['users:read', 'stats:read'],
    };
    const payoutWallet = Keypair.generate().publicKey.toBase58();
    for (const name of Object.keys(scopes) as KeyName[]) {
      const options = { partner: 'Fuzz', payoutWallet, scopes: scopes[name] };
      keys.set(name, (await issueKey({ database, now: Date.now }, options)).key);
    }
  });
  after(() => scene?.stop());

  it('answers as documented, and never with status 500', async () => {
    const { paths, ...rest } = scene.api.document as OpenApi;
    // Other tests cover the rest: market/fuzz.test.ts, page/node.test.ts (`/rpc`), market/actions.test.ts. Pictures are not
    // JSON.
    const document = {
      ...rest,
      paths: Object.fromEntries(
        Object.entries(paths).filter(([path]) => !/^\/(v1\/market|rpc|og|actions)\b/.test(path)),
      ),
    };
    const requests = fuzzedRequests(document, await knownValues());
    let sent = 0;
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(requests, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
        await Promise.all(
          batch.map(async (request) => {
            const answer = await send(request);
            sent += 1;
            const { status, text } = answer;
            if (status >= 500 || /\bat .*\.ts:\d/.test(text)) throw new Error(`${status} ${text}`);
            for (const what of outcomes(document, request, answer)) {
              seen.set(what, (seen.get(what) ?? 0) + 1);
            }
          }),
        );
      }),
      { numRuns: REQUESTS / BATCH, endOnFailure: true },
    );
    expect(sent).to.be.at.least(REQUESTS);
    // Every operation must be requested, and every kind of its answers must occur.
    const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${template}`),
    );
    expect(Object.keys(REQUIRED)).to.have.members([...operations, 'undocumented']);
    const missed = Object.entries(REQUIRED).flatMap(([operation, answers]) =>
      Object.entries(answers).flatMap(([what, ofAll]) => {
        const least = Math.floor((ofAll * REQUESTS) / ALL_REQUESTS);
        const times = seen.get(`${operation} ${what}`) ?? 0;
        return times >= least ? [] : [`${operation} ${what}: ${times} times, at least ${least} wanted`];
      }),
    );
    expect(missed).to.deep.equal([]);
  });

  /** Values that valid requests are built from. */
  async function knownValues(): Promise<KnownValues> {
    const [claimer, user, other] = [Keypair.generate(), Keypair.generate(), Keypair.generate()];
    await reward(scene.database, claimer.publicKey, scene.mint, 'SOL', SOL);
    const [id] = transactionOf(await initiate(scene, claimer, { claimType: 'SOL' })).signatures;
    for (const { publicKey } of [user, other]) {
      walletOf.set(publicKey.toBase58(), publicKey.equals(user.publicKey) ? user : other);
      const body = await registration(publicKey.toBase58());
      expect((await scene.api.post(REGISTER, body, proofOfKey('any key'))).status).to.equal(200);
    }
    const page = await scene.api.get(`${USERS}?limit=1`, { headers: proofOfKey('any key') });
    return {
      address: wallets.map(({ publicKey }) => publicKey.toBase58()),
      mint: [scene.mint, scene.mint, Keypair.generate().publicKey.toBase58()],
      before: ['1000'],
      tokenAddress: [scene.mint, scene.mint, scene.mint, Keypair.generate().publicKey.toBase58()],
      signature: [bs58.encode(id!), FRESH_SIGNATURE, FRESH_SIGNATURE],
      publicKey: [...walletOf.keys()],
      signedMessage: [FRESH_MESSAGE],
      nonce: [FRESH_NONCE, FRESH_NONCE, '0'.repeat(32)],
      cursor: [page.body['nextCursor'] as string, encodeCursor(scene.mint)],
      'idempotency-key': ['a', 'b'],
    };
  }

  async function send({ template, method, path, sender, headers, body }: FuzzedRequest): Promise<ApiAnswer> {
    const sent = template === REGISTER && body !== undefined ? await withFreshSignature(body) : body;
    const [bare = ''] = path.split('?');
    const wallet = walletOf.get(decodeURIComponent(bare.split('/')[2] ?? '')) ?? wallets[0]!;
    const proofs: Record<Exclude<Sender, KeyName>, () => Record<string, string>> = {
      'the wallet': () => signed(wallet),
      'the wallet, bound': () => signedFor(wallet, method, bare, sent),
      'another wallet': () => signed(stranger),
      nobody: () => ({}),
    };
    const proof = isKey(sender) ? proofOfKey(sender) : proofs[sender]();
    return scene.api.call(method, path, {
      headers: { ...proof, ...headers },
      ...(sent === undefined ? {} : { body: sent }),
      undocumented: !scene.api.answers.knows(method, path),
    });
  }

  function isKey(sender: Sender): sender is KeyName {
    return keys.has(sender as KeyName);
  }

  function proofOfKey(name: KeyName): Record<string, string> {
    return { 'x-api-key': keys.get(name)! };
  }

  /** A valid registration by a user whose keypair the test has. */
  async function registration(publicKey: string) {
    const { body } = await scene.api.get(GET_MESSAGE, { headers: proofOfKey('any key') });
    const { message, nonce } = body as { message: string; nonce: string };
    const signedMessage = Buffer.from(message).toString('base64');
    return { publicKey, nonce, signature: signText(walletOf.get(publicKey)!, message), signedMessage };
  }

  /** Returns the body, with a fresh nonce and signature in place of the placeholders. */
  async function withFreshSignature(body: string): Promise<string> {
    if (!body.includes(FRESH_NONCE) || !body.includes(FRESH_SIGNATURE)) return body;
    const fields = JSON.parse(body) as Record<string, unknown>;
    const user = String(fields['publicKey']);
    return walletOf.has(user) ? JSON.stringify({ ...fields, ...(await registration(user)) }) : body;
  }
});

/** Key in REQUIRED: the operation and status, and for a bad request also where it was bad. */
function outcomes(document: OpenApi, request: FuzzedRequest, answer: ApiAnswer): string[] {
  const { template, method } = request;
  const operation = document.paths[template]?.[method.toLowerCase()];
  if (operation === undefined) return [`undocumented ${answer.status}`];
  const what = `${method} ${template} ${answer.status}`;
  if (answer.status !== 400) return [what];
  const places = badFields(answer).flatMap((field) => {
    const place = placeOf(document, operation, field);
    return place === undefined ? [] : [`${what} ${place}`];
  });
  return places.length === 0 ? [`${what} ${answer.body['code']}`] : [...new Set(places)];
}

/** Works for both APIs. The rewards API's problems also contain words that are not fields. */
function badFields(answer: ApiAnswer): string[] {
  if (answer.body['status'] === 'error') return fieldsOf(answer);
  const [, ...problems] = (answer.body['message'] as string).split('; ');
  return problems.map((problem) => problem.split(' ')[0]!);
}

function placeOf(document: OpenApi, operation: Operation, field: string): string | undefined {
  if (field === UNKNOWN_PARAMETER) throw new Error('an unknown query parameter is refused');
  if (bodyFields(document, operation).includes(field)) return 'body';
  return operation.parameters?.find(({ name }) => name === field)?.in;
}
