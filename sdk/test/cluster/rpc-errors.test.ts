// What the SDK's reads throw when a node refuses, fails, hangs, or answers something else than JSON-RPC.
import { inspect } from 'node:util';
import type { ServerResponse } from 'node:http';
import { createSolanaRpc, type Address } from '@solana/kit';
import { Connection, Keypair, type ConnectionConfig } from '@solana/web3.js';
import { expect } from 'chai';
import { fetchMarket, RpcError, type RpcOptions } from '@curvekit/sdk';
import { KIT_MAJORS, kitEntry } from '../../../tests/support/kit/kit-entry.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { serveNode, type ServedNode } from '../../../tests/support/node/serve.js';

type Read = (url: string, options: RpcOptions) => Promise<unknown>;

interface Library {
  readonly read: Read;
  /** Its class: the entry for Kit is bundled apart. */
  readonly errorClass: typeof RpcError;
}

const MINT = Keypair.generate().publicKey;
const KEY = 'a1b2c3d4e5f6';
const PAGE = `<!doctype html><html><head><title>Access denied</title></head><body>${'<p>why</p>'.repeat(400)}</body></html>`;
const ONCE = { retries: 0 };

const web3 = (config: ConnectionConfig) => (): Promise<Library> =>
  Promise.resolve({
    read: (url, options) =>
      fetchMarket(new Connection(url, { disableRetryOnRateLimit: true, ...config }), MINT, options),
    errorClass: RpcError,
  });
const ownFetch = ((url: string, init?: RequestInit) => fetch(url, init)) as ConnectionConfig['fetch'];

const LIBRARIES: readonly { readonly name: string; readonly library: () => Promise<Library> }[] = [
  { name: 'web3.js', library: web3({}) },
  { name: 'web3.js with a fetch of its own', library: web3({ ...(ownFetch && { fetch: ownFetch }) }) },
  ...KIT_MAJORS.map((name) => ({
    name,
    library: async (): Promise<Library> => {
      const kit = await kitEntry(name);
      return {
        read: (url, options) => kit.fetchMarket(createSolanaRpc(url), MINT.toBase58() as Address, options),
        errorClass: kit.RpcError,
      };
    },
  })),
];

const answerOf = (body: string, fields: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: (JSON.parse(body) as { id: unknown }).id, ...fields });
const emptyAccounts = (body: string) =>
  answerOf(body, { result: { context: { slot: 1 }, value: Array.from({ length: 11 }, () => null) } });

for (const { name, library } of LIBRARIES) {
  describe(`a failed read with ${name}`, () => {
    const isKit = !name.startsWith('web3');
    let read: Read;
    let errorClass: typeof RpcError;
    let node: ServedNode;
    let answer: (body: string, response: ServerResponse) => void;
    let calls = 0;

    before(async () => {
      ({ read, errorClass } = await library());
      node = await serveNode((body, response) => {
        calls += 1;
        answer(body, response);
      });
    });
    beforeEach(() => (calls = 0));
    after(() => node.stop());

    const url = () => `${node.url}/v2/${KEY}/?api-key=${KEY}9`;
    const failed = (options: RpcOptions = ONCE) => rejection(read(url(), options), errorClass);

    const http =
      (status: number, body: string, headers = {}): typeof answer =>
      (_, response) =>
        void response.writeHead(status, headers).end(body);
    const json =
      (fields: object, status = 200): typeof answer =>
      (body, response) =>
        void response.writeHead(status).end(answerOf(body, fields));
    const unsupported = { code: -32601, message: 'Method not found' };
    const invalid = { code: -32602, message: 'invalid params' };
    const web3Only = (text: string) => (isKit ? [] : [text]);
    type Case = [answer: typeof answer, isTemporary: boolean, details: object, says: readonly string[]];
    const cases: Record<string, Case> = {
      'HTTP 401': [
        http(401, `Unauthorized: the key ${KEY} is wrong`),
        ...([false, { status: 401 }, ['HTTP 401', "check the API key in the node's URL"]] as const),
      ],
      'a page of 4 kB with HTTP 403': [
        http(403, PAGE),
        ...([false, { status: 403 }, ['HTTP 403', ...web3Only('Access denied')]] as const),
      ],
      'a page with HTTP 200': [
        http(200, PAGE),
        ...([false, { status: 200 }, ['HTTP 200', 'not JSON-RPC', "check the node's URL"]] as const),
      ],
      'HTTP 429 with Retry-After': [
        http(429, 'slow down', { 'retry-after': '7' }),
        true,
        { status: 429, retryAfter: isKit ? 7 : undefined },
        ['HTTP 429', 'use a node with a higher limit'],
      ],
      'HTTP 503': [http(503, 'no upstream'), true, { status: 503 }, ['HTTP 503', 'try again']],
      'a text as error': [json({ error: 'rate limit reached' }), true, {}, ['rate limit reached', 'wait']],
      'a method that the node does not support': [
        json({ error: unsupported }),
        ...([false, { code: -32601 }, ['-32601', 'use a node that supports getMultipleAccounts']] as const),
      ],
      'HTTP 400 with a JSON-RPC error': [
        json({ error: invalid }, 400),
        false,
        { status: 400, code: isKit ? undefined : -32602 },
        ['HTTP 400', ...web3Only('invalid params')],
      ],
      'a result of another method': [json({ result: 5 }), false, {}, ['its answer has an unknown form']],
      'a connection that breaks': [
        (_, response) => void response.destroy(),
        ...([true, {}, ['no connection', 'whether the node runs']] as const),
      ],
      'no answer': [() => undefined, true, {}, ['did not answer in 300 ms', 'try again']],
    };

    for (const [what, [given, isTemporary, details, says]] of Object.entries(cases)) {
      it(`${what}: the error names the node, the method and what to do, and not the key`, async () => {
        answer = given;
        const error = await failed({ retries: 0, timeoutMs: what === 'no answer' ? 300 : 5_000 });
        const wanted = { method: 'getMultipleAccounts', isTemporary, status: undefined, code: undefined };
        expect(error).to.include({ ...wanted, ...details });
        const host = isKit ? undefined : new URL(node.url).host;
        expect(error.host).to.equal(host);
        for (const part of [...says, error.advice, 'getMultipleAccounts', host ?? 'RPC node'])
          expect(error.message).to.include(part);
        expect(error.message.length).to.be.below(450);
        expect(inspect(error, { depth: 9, showHidden: true })).to.not.include(KEY);
        expect(inspect(error, { depth: 9 }).length).to.be.below(5_000);
      });
    }

    it('is repeated after HTTP 503, a broken connection and HTTP 429', async () => {
      answer = (body, response) => {
        if (calls === 1) response.writeHead(503).end();
        else if (calls === 2) response.destroy();
        else if (calls === 3) response.writeHead(429).end();
        else response.end(emptyAccounts(body));
      };
      expect(await read(url(), {})).to.equal(null);
      expect(calls).to.equal(4);
    });

    it('is not repeated when that cannot help, and not longer than its timeout', async () => {
      answer = (_, response) => void response.writeHead(401).end();
      await failed({});
      expect(calls).to.equal(1);
      answer = (_, response) => void response.writeHead(503).end();
      const since = Date.now();
      await failed({ timeoutMs: 600, retries: 100 });
      expect(Date.now() - since).to.be.below(5_000);
      expect(calls).to.be.within(2, 4);
    });

    it('ends with the reason of an aborted signal', async () => {
      answer = () => undefined;
      const reason = new Error('enough');
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 50);
      expect(await rejection(read(url(), { signal: controller.signal }), Error)).to.equal(reason);
      expect(await rejection(read(url(), { signal: AbortSignal.abort(reason) }), Error)).to.equal(reason);
    });
  });
}
