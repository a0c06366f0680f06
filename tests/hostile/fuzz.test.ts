// Every field and path of every route gets values that parsers and databases refuse: 4xx or an ordinary answer, never a fault.
// threat: strange-values, any-search, malformed-input
import { createHash } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { createToken } from '@curvekit/sdk';
import { issueKey } from '#app/partners/keys.js';
import { SCOPES } from '#app/partners/scopes.js';
import { signatureBy } from '#app/keys/ed25519.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { startAttackedService, type AttackedService } from '#tests/hostile/attacked-service.js';
import { Attacker } from '#tests/hostile/attacker.js';
import { URL_VALUES } from '#tests/hostile/hostile-values.js';
import { hostileRequests, type Document, type HostileRequest } from '#tests/hostile/walk-document.js';
import { launch, TERMS } from '#tests/program/tokens.js';
import { picture } from '#tests/service/pictures.js';
import { rewardsEnvironment } from '#tests/service/rewards.js';
import { eventually } from '#tests/service/service.js';
import { PAGES as PATHS } from '../../web/src/pages/table.js';
import { MINT_RENT } from '#tests/constants.js';

/** Of pino. */
const ERROR = 50;
/** Fewer than the uploads that are open at once. */
const AT_ONCE = 8;
const STACK = /\bat .*(?:\.[mc]?[jt]s:\d+|node:internal)/;
const PAGES = [
  ...Object.values(PATHS).map((path) => path.replace(/:(address|signature)/, '{x}')),
  '/{x}',
  '/assets/{x}',
  '/docs/{x}',
  '/og/{x}',
  '/og/r/{x}',
  '/health?{x}',
];
/** Names that a token can have on chain. */
const NAMES = ['\uffff', 'a\u0000b', '\u202ea', ' ', '<script>', '💩'.repeat(8), '\ufeff', '%00', '\'"\\--'];

describe('hostile values in every field of every route', function () {
  this.timeout(300_000);
  const cluster = useCluster();
  const wallet = Keypair.generate();
  let service: AttackedService;
  let attacker: Attacker;
  let image: Buffer;
  let key: string;
  let sent = 0;

  before(async () => {
    service = await startAttackedService(cluster(), {
      ...rewardsEnvironment(await cluster().fundedWallet(1_000_000_000n)),
      UPLOADS_PER_DAY: '1000000',
    });
    const payoutWallet = Keypair.generate().publicKey.toBase58();
    ({ key } = await issueKey(
      { database: service.database, now: Date.now },
      { partner: 'Fuzz', payoutWallet, scopes: SCOPES },
    ));
    attacker = new Attacker(service.url);
    image = await picture('png');
  });
  after(async () => {
    attacker?.close();
    await service?.stop();
  });

  /** Each request has its own address, which has not reached a limit. */
  const newAddress = () => {
    sent += 1;
    return `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`;
  };

  async function faultOf({ what, method, path, headers, body, form }: HostileRequest): Promise<string[]> {
    const multipart = form === undefined ? undefined : await formOf(form);
    const bytes = multipart?.bytes ?? (body === undefined ? undefined : Buffer.from(body));
    const signature = signedHeaders(method, path, bytes);
    const { status, text } = await attacker.ask(method, path, newAddress(), {
      headers: {
        'X-Api-Key': key,
        ...signature,
        ...(bytes && { 'Content-Type': multipart?.type ?? 'application/json' }),
        ...headers,
      },
      ...(bytes && { body: bytes }),
    });
    const isFault = status >= 500 || status === 0 || STACK.test(text);
    return isFault ? [`${what}: ${status} ${text.slice(0, 300)}`] : [];
  }

  function signedHeaders(
    method: string,
    path: string,
    body: Buffer = Buffer.alloc(0),
  ): Record<string, string> {
    const time = String(Date.now());
    const hash = createHash('sha256').update(body).digest('hex');
    const [bare] = path.split('?');
    const signature = signatureBy(wallet, Buffer.from(`${time}\n${method}\n${bare}\n${hash}`));
    return { 'X-Signature-Scheme': 'bound', 'X-Timestamp': time, 'X-Signature': bs58.encode(signature) };
  }

  async function formOf(values: Readonly<Record<string, string>>): Promise<{ bytes: Buffer; type: string }> {
    const form = new FormData();
    for (const [name, value] of Object.entries(values)) if (name !== 'image') form.set(name, value);
    form.set('image', new Blob([new Uint8Array(image)]));
    const response = new Response(form);
    return { type: response.headers.get('content-type')!, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  async function faults(requests: readonly HostileRequest[]): Promise<string[]> {
    const waiting = [...requests];
    const found: string[] = [];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
          found.push(...(await faultOf(next)));
      }),
    );
    return found;
  }

  const loggedFaults = () =>
    service.logged().filter((line) => line.level >= ERROR || STACK.test(JSON.stringify(line)));

  it('hostile values are refused, or answered as usual, by the routes of the OpenAPI document', async () => {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
    const mint = (await launch(cluster())).mint.toBase58();
    await eventually(
      async () => (await fetch(`${service.url}/v1/market/tokens/${mint}`)).status === 200,
      'the token in the index',
    );
    const address = wallet.publicKey.toBase58();
    const requests = hostileRequests(document, {
      ...{ address, creator: address, account: address, publicKey: address, wallet: address },
      ...{ mint, tokenAddress: mint, amount: '0.5', topic: 'none', claimType: 'SOL', sort: 'new' },
      ...{
        jsonrpc: '2.0',
        id: '1',
        method: 'getBalance',
        name: 'A',
        symbol: 'A',
        description: 'A',
        interval: '1m',
      },
      ...{ website: 'https://a.example/', x: '', telegram: '', discord: '' },
    });
    const operations = new Set(requests.map(({ method, what }) => `${method} ${what.split(' ')[1]}`));
    console.log(`      ${requests.length} requests for ${operations.size} operations with a field`);
    expect(requests.length).to.be.above(500);
    expect(await faults(requests)).to.deep.equal([]);
    expect(loggedFaults()).to.deep.equal([]);
  });

  it('hostile values are refused by the page and by paths outside every API', async () => {
    const requests = PAGES.flatMap((template) =>
      Object.entries(URL_VALUES).flatMap(([kind, value]) =>
        ['text/html', 'application/json'].map((Accept) => ({
          what: `GET ${template}: ${kind}`,
          method: 'GET',
          path: template.includes('{x}') ? template.replace('{x}', value) : `${template}?${value}`,
          headers: { Accept },
        })),
      ),
    );
    expect(await faults(requests)).to.deep.equal([]);
    expect(loggedFaults()).to.deep.equal([]);
  });

  /** The SDK refuses a name without a visible letter. An attacker's client does not. */
  async function launchNamed(name: string): Promise<string> {
    const mint = Keypair.generate();
    const texts = [name, name.slice(0, 2)].map((text) => Buffer.from(text));
    const [accepted, symbol] = texts.map(({ length }) => 'n'.repeat(length));
    const { payer, deployment } = cluster();
    const instructions = createToken({
      ...{ ...TERMS, name: accepted!, symbol: symbol!, uri: name },
      ...{ mint: mint.publicKey, payer: payer.publicKey, deployment, mintRentLamports: MINT_RENT },
    });
    const { data } = instructions.find(({ programId }) => programId.equals(deployment.programId))!;
    for (const text of texts) {
      const written = Buffer.alloc(4 + text.length, 'n');
      written.writeUInt32LE(text.length);
      text.copy(data, data.indexOf(written) + 4);
    }
    await cluster().send(instructions, [payer, mint]);
    return mint.publicKey.toBase58();
  }

  it('hostile names of tokens on chain are shown everywhere without harm', async () => {
    for (const name of NAMES) {
      const mint = await launchNamed(name);
      const read = (path: string) =>
        attacker.ask('GET', path, newAddress(), { headers: { Accept: 'text/html' } });
      await eventually(
        async () => (await read(`/v1/market/tokens/${mint}`)).status === 200,
        `'${name}' in the index`,
      );
      for (const path of [
        `/t/${mint}`,
        `/og/${mint}.png`,
        `/actions/t/${mint}`,
        `/v1/market/tokens?q=${mint}`,
      ])
        expect((await read(path)).status, `${path} of '${name}'`).to.equal(200);
    }
    expect(loggedFaults()).to.deep.equal([]);
  });
});
