// Answers of RPC nodes, gateways and proxies that are no JSON-RPC. Each error names the node, the method and what to do. threat: silent-node
import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import { connectNode } from '#app/chain/connection.js';
import { JsonRpc } from '#app/chain/json-rpc.js';
import { NodeError } from '#app/chain/node-errors.js';
import { rejection } from '#tests/mocha/failures.js';
import { serveNode, type ServedNode } from '#tests/node/serve.js';
import { NEVER_ABORTED } from '#tests/constants.js';

const KEY = 'f00dfeed-0123-4567-89ab-secretsecret';
const PAGE = `<html><body>${'Sorry, you have been blocked. '.repeat(100)}</body></html>`;
const TIMEOUT_MS = 300;

interface Case {
  readonly status?: number;
  readonly body?: string;
  readonly says: RegExp;
  readonly fix: RegExp;
}

const CASES: Readonly<Record<string, Case>> = {
  'HTTP 401': { status: 401, body: 'no such key', says: /with HTTP 401;/, fix: /access key in RPC_URL/ },
  'a page with HTTP 403': { status: 403, body: PAGE, says: /with HTTP 403;/, fix: /access key in RPC_URL/ },
  'HTTP 404': { status: 404, body: '', says: /with HTTP 404;/, fix: /path of RPC_URL/ },
  'HTTP 429': { status: 429, body: '{}', says: /with HTTP 429;/, fix: /node with a higher limit/ },
  'HTTP 503': { status: 503, body: PAGE, says: /with HTTP 503;/, fix: /another node/ },
  'a page with HTTP 200': {
    body: PAGE,
    says: /a web page instead of JSON-RPC/,
    fix: /address of an RPC node/,
  },
  'a text with HTTP 200': {
    body: `rate limit of key ${KEY}`,
    says: /"rate limit of key …" instead of JSON-RPC/,
    fix: /limits of its plan/,
  },
  'an error that is a text': {
    body: `{"jsonrpc":"2.0","id":0,"error":"rate limit"}`,
    says: /rate limit.* instead of JSON-RPC/,
    fix: /limits of its plan/,
  },
  'JSON of a gateway': {
    body: `{"message":"quota of ${KEY} exceeded"}`,
    says: /quota of … exceeded.* instead of JSON-RPC/,
    fix: /limits of its plan/,
  },
};

describe('answers that are no JSON-RPC', () => {
  let node: ServedNode;
  let answer: (response: ServerResponse) => void;
  let url: string;

  before(async () => {
    node = await serveNode((_body, response) => answer(response));
    url = `${node.url}/v2/${KEY}?api-key=${KEY}`;
  });
  after(() => node.stop());

  const clients = {
    'a Connection': () => connectNode({ rpcUrl: url }, { timeoutMs: TIMEOUT_MS }).getSlot(),
    'the JSON-RPC client': () => new JsonRpc(url).call({ method: 'getSlot', params: [] }, NEVER_ABORTED),
  };

  for (const [client, ask] of Object.entries(clients))
    for (const [name, { status = 200, body = '', says, fix }] of Object.entries(CASES))
      it(`${client}: ${name}`, async () => {
        answer = (response) => void response.writeHead(status, { 'content-type': 'text/html' }).end(body);
        const { message, fix: advice } = await rejection(ask(), NodeError);
        expect(message).to.match(says).and.match(fix).and.contain(`${node.url} answers getSlot`);
        expect(advice).to.match(fix);
        expect(message).not.to.match(/secretsecret|blocked/);
        expect(message.length).to.be.below(300);
      });

  it('a Connection gives up a request that is never answered', async () => {
    answer = () => undefined;
    const { message } = await rejection(clients['a Connection'](), NodeError);
    expect(message).to.contain(`${node.url} does not answer getSlot within 0.3 s; the node is overloaded`);
  });

  it('a key that is no valid escape is hidden too', async () => {
    const key = 'secret%zzkey';
    answer = (response) => void response.end(`no plan for ${key}`);
    const asking = connectNode({ rpcUrl: `${node.url}/v2/${key}` }).getSlot();
    const { message } = await rejection(asking, NodeError);
    expect(message).to.contain('"no plan for …"');
  });

  it('errors of the node itself stay errors with their code', async () => {
    answer = (response) =>
      void response.end(`{"jsonrpc":"2.0","id":0,"error":{"code":-32005,"message":"behind ${KEY}"}}`);
    const { message, code } = await rejection(clients['the JSON-RPC client'](), NodeError);
    expect([message, code]).to.deep.equal([
      `${node.url} answers getSlot with error -32005: behind …`,
      -32005,
    ]);
  });
});
