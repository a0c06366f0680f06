// The table of limits in docs/api.md has the numbers of the code, and the running service keeps them. threat: idle-connections, unread-files, random-paths
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import bs58 from 'bs58';
import { expect } from 'chai';
import {
  BOUNDS,
  CONNECTIONS,
  HEADERS_MS,
  JSON_BODY,
  REQUEST_MS,
  STILL_MS,
  type BodyBounds,
  type Bounds,
  type Kind,
  type Most,
} from '#app/http/bounds.js';
import { type Service } from '#app/service.js';
import { Library } from '#app/tokens/pictures/library.js';
import { picturePath } from '#app/tokens/pictures/document.js';
import { folderStore } from '#app/tokens/pictures/store.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { buildTestPage } from '#tests/service/built-page.js';
import { useSockets } from '#tests/service/raw-get.js';
import { eventually } from '#tests/service/service.js';
import { startTestService } from '#tests/service/test-service.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const MIB = 1_048_576;
const STREAMS_PER_ADDRESS = 1_000;
const KINDS = Object.keys(BOUNDS) as Kind[];
const boundsOf = (kind: Kind): Bounds => BOUNDS[kind];

const GET: Readonly<Partial<Record<Kind, string>>> = {
  api: '/settlements/none',
  market: '/v1/market/tokens/none',
  action: '/actions/t/none',
  listing: '/adapters/dexscreener/pair?id=none',
  file: '/v1/market/images/none.webp',
  share: '/og/none.png',
  page: '/t/none',
  other: '/health',
};
const POST: Readonly<Partial<Record<Kind, string>>> = {
  upload: '/v1/market/uploads',
  node: '/rpc',
  faucet: '/v1/market/faucet',
};

const headOf = (method: string, path: string, address: string, headers: Record<string, string> = {}) =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', `X-Forwarded-For: ${address}`]
    .concat(Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
    .join('\r\n') + '\r\n\r\n';

/** Headers of a body, which pass all checks that come before it. */
const bodyHeaders = (kind: Kind, bytes: number): Record<string, string> => ({
  'Content-Length': String(bytes),
  'Content-Type': kind === 'upload' ? 'multipart/form-data; boundary=b' : 'application/json',
  'X-Signature-Scheme': 'bound',
  'X-Timestamp': String(Date.now()),
  'X-Signature': bs58.encode(new Uint8Array(64).fill(7)),
});

const DOCUMENT = readFileSync(fileURLToPath(new URL('../../../docs/api.md', import.meta.url)), 'utf8');

/** The rows of the table whose first heading is this, by their first cell. */
function tableOf(heading: string): ReadonlyMap<string, readonly string[]> {
  const lines = DOCUMENT.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} `));
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  const rows = lines.slice(start + 2, start + length).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return new Map(rows.map(([name = '', ...cells]) => [name, cells]));
}

const numbers = ({ perClient, total }: Most) =>
  [perClient, total].map((each) => each.toLocaleString('en')).join(', ');
const sizes = ({ perClient, total }: Most) => `${perClient / MIB} MiB, ${total / MIB} MiB`;

describe('the limits in docs/api.md', () => {
  const cluster = useCluster();
  const { sockets, send: sendTo, closeAll } = useSockets();
  let page: string;
  const folder = temporaryFolder('limits');
  /** Allows so many requests that places are all that is limited. */
  let service: Service;

  before(async () => {
    page = await buildTestPage();
    service = await start({
      ...{ RATE_LIMIT_REQUESTS: '1000000', MARKET_RATE_LIMIT_REQUESTS: '1000000' },
      STREAMS_PER_ADDRESS: String(STREAMS_PER_ADDRESS),
    });
  });
  after(() => service?.stop());

  const start = (more: Record<string, string>) => {
    const environment = { INDEXER: 'off', TRUST_PROXY: '1', WEB_FOLDER: page, UPLOADS_FOLDER: folder };
    return startTestService(cluster(), { ...environment, ...more });
  };

  let addresses = 0;
  const newAddress = () => `192.0.2.${(addresses += 1)}`;

  const send = (text: string) => sendTo(service.url, text);

  it('are those of the code', () => {
    const kinds = tableOf('Kind');
    expect([...kinds.keys()]).to.deep.equal(KINDS.map((kind) => `\`${kind}\``));
    for (const kind of KINDS) {
      const { rate, open, answers } = boundsOf(kind);
      const configured = kind === 'api' || kind === 'market' ? 'configured' : 'none';
      const requests = rate && `${rate.requests.toLocaleString('en')} in ${rate.windowSeconds} s`;
      const [, ...cells] = kinds.get(`\`${kind}\``)!;
      expect(cells, kind).to.deep.equal([
        requests ?? configured,
        numbers(open),
        answers === undefined ? '' : sizes(answers),
      ]);
    }
    const body = ({ bytes, ms, held }: BodyBounds) => [
      `${bytes.toLocaleString('en')} bytes`,
      `${ms / 1_000} s`,
      sizes(held),
    ];
    expect([...tableOf('Bodies').values()]).to.deep.equal([body(JSON_BODY), body(BOUNDS.upload.body)]);
    expect([...tableOf('Connections').values()].flat()).to.deep.equal([
      `${CONNECTIONS.perClient}, and as many as \`STREAMS_PER_ADDRESS\``,
      CONNECTIONS.total.toLocaleString('en'),
      ...[HEADERS_MS, REQUEST_MS, STILL_MS].map((ms) => `${ms / 1_000} s`),
    ]);
  });

  it('count requests, as their answers say', async () => {
    const usual = await start({});
    const policyOf = async (path: string, method = 'GET') =>
      (await fetch(usual.url + path, { method, headers: { 'X-Forwarded-For': '198.51.100.1' } })).headers.get(
        'ratelimit-policy',
      );
    for (const kind of KINDS) {
      const { rate } = boundsOf(kind);
      const expected = {
        api: '100;w=900',
        market: '300;w=60',
        other: null,
        ...(rate && { [kind]: `${rate.requests};w=${rate.windowSeconds}` }),
      }[kind as string];
      const path = GET[kind] ?? POST[kind] ?? '/v1/market/stream';
      expect(await policyOf(path, POST[kind] === undefined ? 'GET' : 'POST'), kind).to.equal(expected);
    }
    expect(await policyOf('/none')).to.equal('100;w=900');
    await usual.stop();
  });

  it('are those of bodies: their size, and the time in which they arrive', async () => {
    const started = performance.now();
    const kinds = [
      ['node', JSON_BODY],
      ['upload', BOUNDS.upload.body],
    ] as const;
    const headers = await send('GET / HTTP/1.1\r\nHost:');
    const headersClosed = once(sockets.at(-1)!, 'close');
    await Promise.all([
      ...kinds.flatMap(([kind, { bytes, ms }]) => {
        const post = (length: number) =>
          send(headOf('POST', POST[kind]!, newAddress(), bodyHeaders(kind, length)));
        const answered = async ({ answer }: { answer: () => string }, within: number) => {
          await eventually(() => answer() !== '', `an answer for ${kind}`, within + 10_000);
          return Number(answer().slice(9, 12));
        };
        return [
          (async () => expect(await answered(await post(bytes + 1), 0), kind).to.equal(413))(),
          (async () => {
            expect(await answered(await post(bytes), ms), kind).to.equal(408);
            expect(performance.now() - started, kind).to.be.within(ms - 100, ms + 5_000);
          })(),
        ];
      }),
      (async () => {
        await headersClosed;
        expect(headers.answer()).to.match(/^HTTP\/1\.1 408 /);
        expect(performance.now() - started).to.be.within(HEADERS_MS - 100, HEADERS_MS + 5_000);
      })(),
    ]);
  });

  it('count the bytes of files that an address does not read', async () => {
    const { database } = service.context;
    const library = new Library(database, folderStore(folder));
    // More than what the system buffers for a connection, so that the rest waits in the service.
    const bytes = BOUNDS.file.answers.perClient - MIB;
    const path = picturePath(await library.keep('picture', Buffer.alloc(bytes, 'x')));
    const address = newAddress();
    await send(headOf('GET', path, address));
    // Its answer comes before the next request, which would be in its place otherwise.
    const [unread] = sockets;
    await once(unread!, 'data');
    unread!.pause();
    const ask = (from: string) => fetch(service.url + path, { headers: { 'X-Forwarded-For': from } });
    await eventually(async () => {
      const answer = await ask(address);
      await answer.arrayBuffer();
      return answer.status === 429;
    }, 'a refusal');
    expect(await (await ask(address)).json())
      .to.have.property('message')
      .that.includes('16777216 bytes of files');
    expect((await (await ask(newAddress())).arrayBuffer()).byteLength).to.equal(bytes);
    closeAll();
    await eventually(async () => {
      const answer = await ask(address);
      await answer.arrayBuffer();
      return answer.status === 200;
    }, 'room for a file');
  });

  /** Opens requests of an address, and leaves them open. Each is counted by the end, or a later one could take its place. */
  async function hold(kind: Kind, address: string, count: number): Promise<void> {
    const [read, write] = [GET[kind], POST[kind]];
    const stream = headOf('GET', '/v1/market/stream?topic=board', address);
    // Answers wait behind a stream, which does not end.
    const PIPELINED = write === undefined ? 8 : 1;
    const held =
      read !== undefined
        ? stream + headOf('HEAD', read, address).repeat(PIPELINED)
        : write !== undefined
          ? headOf('POST', write, address, { ...bodyHeaders(kind, 100), Expect: '100-continue' })
          : stream.repeat(PIPELINED);
    const open = async () => {
      const { socket, answer } = await send(held);
      await once(socket, 'data');
      expect(answer(), kind).to.match(/^HTTP\/1\.1 (100 Continue|200 OK)\r/);
    };
    const AT_ONCE = 64;
    for (let left = count / PIPELINED; left > 0; left -= AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, open));
  }

  const ask = (kind: Kind, address: string) => {
    const [read, write] = [GET[kind], POST[kind]];
    const isPost = write !== undefined;
    const path = read ?? write ?? '/v1/market/stream?topic=board';
    return fetch(service.url + path, {
      ...(isPost && { method: 'POST', body: '{}' }),
      headers: { ...(isPost && bodyHeaders(kind, 2)), 'X-Forwarded-For': address },
    });
  };

  for (const kind of KINDS.filter((each) => each !== 'stream'))
    it(`count open requests of an address: ${kind}`, async () => {
      const { perClient } = BOUNDS[kind].open;
      const address = newAddress();
      await hold(kind, address, perClient);
      expect(await (await ask(kind, address)).text()).to.include(
        `This address has ${perClient} requests of this kind open`,
      );
      const other = await fetch(service.url + (GET[kind] ?? '/health'), {
        headers: { 'X-Forwarded-For': newAddress() },
      });
      expect(other.status).to.be.below(429);
      closeAll();
      await eventually(async () => (await ask(kind, address)).status !== 429, 'free places');
    });

  /** One read, one with a body, and the streams: the places of the others are counted by the same code. */
  for (const kind of ['api', 'upload', 'stream'] as const satisfies readonly Kind[])
    it(`count open requests of all addresses: ${kind}`, async () => {
      const { open } = boundsOf(kind);
      const perClient = kind === 'stream' ? STREAMS_PER_ADDRESS : open.perClient;
      for (let held = 0; held < open.total; held += perClient)
        await hold(kind, newAddress(), Math.min(perClient, open.total - held));
      const refused = await ask(kind, newAddress());
      expect(refused.status).to.equal(503);
      expect(await refused.text()).to.include(`The service has ${open.total} requests of this kind open`);
      const elsewhere = await ask('other', newAddress());
      expect(elsewhere.status).to.be.below(429);
      closeAll();
      await eventually(async () => {
        const answer = await ask(kind, newAddress());
        await answer.body?.cancel();
        return answer.status !== 503;
      }, 'free places');
    });
});
