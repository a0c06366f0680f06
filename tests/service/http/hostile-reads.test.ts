// Requests that ask for much and read nothing: what an instance holds for them is bounded, and others are served.
// threat: unread-files, parameter-cache, unread-rpc
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { expect } from 'chai';
import { AnswerCache } from '#app/http/answer-cache.js';
import { listen } from '#app/http/server.js';
import { type Service } from '#app/service.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { serveNode, type ServedNode } from '#tests/node/serve.js';
import { ApiClient } from '#tests/service/api-client.js';
import { useSockets } from '#tests/service/raw-get.js';
import { eventually } from '#tests/service/service.js';
import { startTestService } from '#tests/service/test-service.js';

const MIB = 1_048_576;
const call = (method: string, params: unknown[] = []) => ({ jsonrpc: '2.0', id: 7, method, params });

describe('POST /rpc with answers that are long', () => {
  const cluster = useCluster();
  const { send, closeAll } = useSockets();
  let node: ServedNode;
  let service: Service;
  let api: ApiClient;
  /** Length of the node's answers to getAccountInfo. Other methods get the real node's. */
  let answerBytes = 0;
  let filler = Buffer.alloc(0);

  before(async () => {
    node = await serveNode(async (body, response) => {
      const { id, method } = JSON.parse(body) as { id: unknown; method: string };
      if (method === 'getAccountInfo') {
        // One buffer for all answers: this process's memory is measured.
        if (filler.length !== answerBytes) filler = Buffer.alloc(answerBytes, 'x');
        response.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":"`);
        response.write(filler);
        response.end('"}');
        return;
      }
      const answer = await fetch(cluster().rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      response.end(await answer.text());
    });
    service = await startTestService(cluster(), { INDEXER: 'off', RPC_URL: node.url });
    api = new ApiClient(service.url, service.document);
  });
  after(async () => {
    await service?.stop();
    await node?.stop();
  });

  async function askWithoutReading(): Promise<void> {
    const body = JSON.stringify(call('getAccountInfo', ['x']));
    const head = 'POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const { socket } = await send(service.url, `${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    socket.pause();
  }

  it('refuses an answer of more than 8 MiB, and says so', async () => {
    answerBytes = 8 * MIB + 1;
    const { status, body } = await api.post('/rpc', call('getAccountInfo', ['x']));
    expect(status).to.equal(400);
    expect(body)
      .to.have.nested.property('error.message')
      .that.matches(/more than 8388608 bytes; ask for less/);
  });

  it('holds at most 16 MiB for an address that reads nothing, and all of it again once it has left', async () => {
    answerBytes = 5 * MIB;
    const before = process.memoryUsage().rss;
    for (let count = 0; count < 60; count += 1) await askWithoutReading();
    // Long answers are refused, short ones are not.
    await eventually(
      async () => (await api.post('/rpc', call('getAccountInfo', ['x']))).status === 429,
      'a refusal',
      60_000,
    );
    await sleep(1_000);
    expect(process.memoryUsage().rss - before).to.be.below(200 * MIB);
    answerBytes = 10;
    expect((await api.post('/rpc', call('getBlockHeight'))).status).to.equal(200);

    closeAll();
    answerBytes = 5 * MIB;
    await eventually(
      async () => (await api.post('/rpc', call('getAccountInfo', ['x']))).status === 200,
      'room for a long answer',
    );
  });

  it('refuses a repeated account, and parameters that are nested deep', async () => {
    const account = cluster().payer.publicKey.toBase58();
    const deep = `${'['.repeat(7_000)}${']'.repeat(7_000)}`;
    for (const [params, message] of [
      [`[["${account}","${account}"]]`, /params must name each account once/],
      [deep, /params must not be nested deeper than 8/],
    ] as const) {
      const answer = await fetch(`${service.url}/rpc`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"jsonrpc":"2.0","id":1,"method":"getMultipleAccounts","params":${params}}`,
      });
      expect([answer.status, await answer.text()].join(' '))
        .to.match(/^400 /)
        .and.to.match(message);
    }
  });
});

describe('the cache of public answers', () => {
  it('keeps a limited number of answers and bytes', async () => {
    const shared = new AnswerCache();
    const app = express();
    app.get('/{*path}', (request, response) =>
      shared.send(request, response, 'public', {
        key: request.url,
        make: () => Promise.resolve({ filler: 'x'.repeat(Number(request.query['bytes'] ?? 0)) }),
      }),
    );
    const server = await listen(app, { host: '127.0.0.1', port: 0 });
    atEnd(() => server.close(100));
    for (let from = 0; from < 2_500; from += 100)
      await Promise.all(
        Array.from({ length: 100 }, async (_, index) =>
          (await fetch(`${server.url}/${from + index}`)).text(),
        ),
      );
    expect(shared.size).to.equal(2_000);
    for (let count = 0; count < 12; count += 1)
      await (await fetch(`${server.url}/l${count}?bytes=900000`)).text();
    expect(shared.size).to.be.within(1, 5);
  });
});
