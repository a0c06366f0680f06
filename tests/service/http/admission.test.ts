// What clients hold at once is limited for each address and in all, before anything is known about them.
// threat: endless-bodies, single-bytes, open-requests, idle-connections, network-counters, flood
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Api } from '#app/http/api.js';
import { BOUNDS, CONNECTIONS, JSON_BODY, type Kind } from '#app/http/bounds.js';
import { envelopeErrors } from '#app/http/error-shapes.js';
import { defineRoute } from '#app/http/route.js';
import { MOST_COUNTERS, WindowCounters } from '#app/http/window-counters.js';
import { z } from '#app/http/zod.js';
import { routeOf, useHttpCore } from '#tests/service/http-core.js';
import { useSockets } from '#tests/service/raw-get.js';
import { eventually } from '#tests/service/service.js';

const KINDS = Object.keys(BOUNDS) as Kind[];
const FROM_MANY = { TRUST_PROXY: '1', RATE_LIMIT_REQUESTS: '1000000' };
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

describe('requests that are open', () => {
  const start = useHttpCore();
  const { sockets, send: rawRequest, closeAll } = useSockets();

  /** A server with a path for each kind, which answers when the test says so, and one that takes a body. */
  async function startKinds(environment: Record<string, string> = FROM_MANY) {
    let open = 0;
    let answer = () => undefined as void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const waits = async () => {
      open += 1;
      await answered;
      return { ok: true };
    };
    const api = (kind: Kind): Api => ({
      name: kind,
      description: kind,
      prefix: `/${kind}`,
      kind,
      errors: envelopeErrors,
      routes: [routeOf(`/${kind}`, waits)],
    });
    const taking: Api = {
      name: 'taking',
      description: 'takes a body',
      prefix: '/taking',
      errors: envelopeErrors,
      routes: [
        defineRoute({
          method: 'post',
          path: '/taking',
          operationId: 'take',
          summary: 'takes a body',
          body: z.strictObject({ text: z.string() }),
          answer: z.strictObject({ length: z.number() }),
          answerDescription: 'its length',
          handler: ({ body: { text } }) => Promise.resolve({ length: text.length }),
        }),
      ],
    };
    const uploading: Api = {
      name: 'form',
      description: 'takes a form',
      prefix: '/form',
      kind: 'upload',
      errors: envelopeErrors,
      routes: [
        defineRoute({
          method: 'post',
          path: '/form',
          operationId: 'takeForm',
          summary: 'takes a form',
          form: { fields: z.strictObject({}), mostBytes: BOUNDS.upload.body.bytes },
          answer: z.strictObject({ length: z.number() }),
          answerDescription: 'its length',
          handler: ({ raw }) => Promise.resolve({ length: raw.body.length }),
        }),
      ],
    };
    const started = await start({ environment, apis: [...KINDS.map(api), taking, uploading] });
    return { ...started, open: () => open, answer };
  }

  it('end with their connection, also those that were pipelined and never got it', async () => {
    const { server, open, answer } = await startKinds();
    const { perClient } = BOUNDS.faucet.open;
    const request = 'GET /faucet HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n';
    const warnings: Error[] = [];
    const warned = (warning: Error) => void warnings.push(warning);
    process.on('warning', warned);
    const { socket } = await rawRequest(server.url, request.repeat(perClient + 20));
    await eventually(() => open() === perClient, 'open ones');
    expect((await fetch(`${server.url}/faucet`, from('192.0.2.1'))).status).to.equal(429);
    socket.destroy();
    answer();
    await eventually(
      async () => (await fetch(`${server.url}/faucet`, from('192.0.2.1'))).status === 200,
      'a free place',
    );
    process.off('warning', warned);
    // A listener for each request would be reported as a leak.
    expect(warnings).to.deep.equal([]);
  });

  it('hold the bytes of bodies that have arrived, within limits, and give them back', async () => {
    const { server } = await startKinds();
    const bytes = JSON_BODY.bytes - 100;
    const unfinished = (address: string) =>
      rawRequest(
        server.url,
        `POST /taking HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${JSON_BODY.bytes}\r\n\r\n${'x'.repeat(bytes)}`,
      );
    const take = (address: string) =>
      fetch(`${server.url}/taking`, {
        method: 'POST',
        headers: { 'X-Forwarded-For': address, 'Content-Type': 'application/json' },
        body: JSON.stringify({ text: 'x'.repeat(10_000) }),
      });
    for (let sent = 0; sent < JSON_BODY.held.perClient / JSON_BODY.bytes; sent += 1)
      await unfinished('192.0.2.1');
    await eventually(async () => (await take('192.0.2.1')).status === 429, 'a refusal');
    const refused = await take('192.0.2.1');
    expect(await refused.json())
      .to.have.property('message')
      .that.matches(/1048576 bytes of bodies/);
    expect((await take('192.0.2.2')).status).to.equal(200);
    closeAll();
    await eventually(async () => (await take('192.0.2.1')).status === 200, 'room for a body');
  });

  it('have bodies in pieces of a sensible size, because each piece takes time and memory', async () => {
    const { server } = await startKinds();
    const head =
      'POST /form HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data\r\nTransfer-Encoding: chunked\r\n\r\n';
    const pieces = (count: number, bytes: number) =>
      `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`.repeat(count);
    const small = await rawRequest(server.url, `${head}${pieces(500_000, 1)}0\r\n\r\n`);
    await eventually(() => small.answer() !== '', 'an answer');
    expect(small.answer()).to.match(/^HTTP\/1\.1 400 .*body.*arrives in too many pieces; send larger ones/s);
    // Packets of a slow connection, and a client that writes a few lines one by one.
    for (const [count, bytes] of [
      [20_000, 100],
      [1_000, 2],
    ] as const) {
      const { answer } = await rawRequest(server.url, `${head}${pieces(count, bytes)}0\r\n\r\n`);
      await eventually(() => answer() !== '', 'an answer');
      expect(answer()).to.match(new RegExp(`^HTTP/1\\.1 200 .*\\{"length":${count * bytes}\\}$`, 's'));
    }
  });

  it('are not read to the end of a long body once they are refused', async () => {
    const { server } = await startKinds();
    const head = (path: string, length: number) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    const { answer, socket } = await rawRequest(server.url, head('/form', 4_000_000));
    await once(socket, 'close');
    expect(answer()).to.match(/^HTTP\/1\.1 415 .*Connection: close/s);
    // The rest of a short body is cheaper than a new connection.
    const short = await rawRequest(server.url, head('/form', 100));
    await eventually(() => short.answer() !== '', 'an answer');
    expect(short.answer()).to.match(/^HTTP\/1\.1 415 .*Connection: keep-alive/s);
  });

  it('come over a limited number of connections from one address, and any number from a proxy', async () => {
    const { server } = await startKinds({ STREAMS_PER_ADDRESS: '1' });
    const most = CONNECTIONS.perClient + 1;
    let closed = 0;
    const idle = async (url: string) => {
      const { socket } = await rawRequest(url, 'GET ');
      socket.on('close', () => (closed += 1));
    };
    for (let count = 0; count < most; count += 1) await idle(server.url);
    expect(closed).to.equal(0);
    await idle(server.url);
    await eventually(() => closed === 1, 'a closed connection');
    sockets[0]!.destroy();
    await sleep(100);
    expect((await fetch(`${server.url}/one`)).status).to.equal(200);
    const { server: proxied } = await startKinds();
    closed = 0;
    for (let count = 0; count < most + 5; count += 1) await idle(proxied.url);
    expect((await fetch(`${proxied.url}/one`)).status).to.equal(200);
    expect(closed).to.equal(0);
  });
});

describe('counters of requests', () => {
  it('are limited in number: the oldest is dropped', () => {
    const counters = new WindowCounters(60, 3);
    for (const key of ['a', 'b', 'c', 'a', 'd']) counters.add(key);
    expect([counters.size, counters.look('a'), counters.look('b')?.requests]).to.deep.equal([
      3,
      undefined,
      1,
    ]);
    const many = new WindowCounters(60);
    for (let key = 0; key < MOST_COUNTERS + 1_000; key += 1) many.add(String(key));
    expect(many.size).to.equal(MOST_COUNTERS);
  });
});
