// The table of limits in docs/api.md has the numbers of the code, and the running service keeps them. threat: idle-connections, unread-files
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import {
  BOUNDS,
  CONNECTIONS,
  HEADERS_MS,
  JSON_BODY,
  REQUEST_MS,
  STILL_MS,
  type BodyBounds,
  type Most,
} from '#app/http/bounds.js';
import { Library } from '#app/tokens/pictures/library.js';
import { picturePath } from '#app/tokens/pictures/paths.js';
import { folderStore } from '#app/tokens/pictures/store.js';
import { eventually } from '#tests/service/service.js';
import {
  bodyHeaders,
  boundsOf,
  GET,
  headOf,
  KINDS,
  POST,
  useLimitedServices,
} from '#tests/service/limits.js';

const MIB = 1_048_576;
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

describe('the limits in docs/api.md', function () {
  this.timeout(120_000);
  const { folder, service, usual, sockets, newAddress, send } = useLimitedServices();

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
    const policyOf = async (path: string, method = 'GET') =>
      (
        await fetch(usual().url + path, { method, headers: { 'X-Forwarded-For': '198.51.100.1' } })
      ).headers.get('ratelimit-policy');
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
          await eventually(() => Promise.resolve(answer() !== ''), `an answer for ${kind}`, within + 10_000);
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
    const { database } = service().context;
    const library = new Library(database, folderStore(folder()));
    // More than what the system buffers for a connection, so that the rest waits in the service.
    const bytes = BOUNDS.file.answers.perClient - MIB;
    const path = picturePath(await library.keep('picture', Buffer.alloc(bytes, 'x')));
    const address = newAddress();
    await send(headOf('GET', path, address));
    // Its answer comes before the next request, which would be in its place otherwise.
    const [unread] = sockets;
    await once(unread!, 'data');
    unread!.pause();
    const ask = (from: string) => fetch(service().url + path, { headers: { 'X-Forwarded-For': from } });
    await eventually(async () => {
      const answer = await ask(address);
      await answer.arrayBuffer();
      return answer.status === 429;
    }, 'a refusal');
    expect(await (await ask(address)).json())
      .to.have.property('message')
      .that.includes('16777216 bytes of files');
    expect((await (await ask(newAddress())).arrayBuffer()).byteLength).to.equal(bytes);
    for (const socket of sockets.splice(0)) socket.destroy();
    await eventually(async () => {
      const answer = await ask(address);
      await answer.arrayBuffer();
      return answer.status === 200;
    }, 'room for a file');
  });
});
