// What the landing tracker throws when a node refuses or fails: it names the method and the node, and not the key.
import { inspect } from 'node:util';
import type { ServerResponse } from 'node:http';
import { Connection, Keypair, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  lookForLanding,
  lookForRecentLandings,
  OutcomeUnknownError,
  RpcError,
  sendAndConfirm,
  trackLanding,
} from '@curvekit/sdk';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { serveNode, type ServedNode } from '../../../tests/support/node/serve.js';

const KEY = 'a1b2c3d4e5f6';

const answerOf = (body: string, fields: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: (JSON.parse(body) as { id: unknown }).id, ...fields });

describe('a failed request of the landing tracker', () => {
  const sent = { signature: '1'.repeat(64), lastValidBlockHeight: 10 };
  const history = { code: -32601, message: `no such method, key ${KEY}` };
  let node: ServedNode;
  let connection: Connection;
  /** Answers of the methods that work. */
  let results: Readonly<Record<string, unknown>>;
  let fail: (body: string, response: ServerResponse) => void;

  before(async () => {
    node = await serveNode((body, response) => {
      const { method } = JSON.parse(body) as { method: string };
      const result = results[method];
      if (result === undefined) return fail(body, response);
      response.end(answerOf(body, { result }));
    });
    connection = new Connection(`${node.url}/v2/${KEY}`, { disableRetryOnRateLimit: true });
  });
  beforeEach(() => {
    results = {};
    fail = (body, response) => response.end(answerOf(body, { error: history }));
  });
  after(() => node.stop());

  const epochAt = (blockHeight: number) => ({
    absoluteSlot: blockHeight,
    blockHeight,
    epoch: 0,
    slotIndex: 0,
    slotsInEpoch: 432_000,
    transactionCount: 0,
  });
  const noStatus = { context: { slot: 1_000 }, value: [null] };

  function expectNamed(error: unknown, method: string, details: object): void {
    expect(error).to.be.instanceOf(RpcError);
    expect(error).to.include({ method, host: new URL(node.url).host, ...details });
    expect(inspect(error, { depth: 9, showHidden: true })).to.not.include(KEY);
  }

  for (const [method, answers] of [
    ['getEpochInfo', {}],
    ['getSignatureStatuses', { getEpochInfo: epochAt(5) }],
    ['getFirstAvailableBlock', { getEpochInfo: epochAt(1_000), getSignatureStatuses: noStatus }],
    ['getBlock', { getEpochInfo: epochAt(1_000), getSignatureStatuses: noStatus, getFirstAvailableBlock: 7 }],
  ] as const)
    it(`names ${method} and the node, and not the key`, async () => {
      results = answers;
      expectNamed(await rejection(lookForLanding(connection, sent), RpcError), method, { code: -32601 });
      fail = (_, response) => void response.writeHead(403).end(`no access for ${KEY}`);
      expectNamed(await rejection(lookForLanding(connection, sent), RpcError), method, { status: 403 });
    });

  it('names the node of a look-up of many', async () => {
    results = { getEpochInfo: epochAt(5) };
    const error = await rejection(lookForRecentLandings(connection, [sent]), RpcError);
    expectNamed(error, 'getSignatureStatuses', { code: -32601 });
  });

  it('names no key in the form in which the URL has it, in its own form, or escaped', async () => {
    const forms = ['ab/cd+key', 'ab%2Fcd%2Bkey'];
    fail = (_, response) => void response.writeHead(403).end(`no access for ${forms.join(' or ')}`);
    for (const path of [`/v2/${forms[1]}`, `/?api-key=${forms[1]}`]) {
      const error = await rejection(lookForLanding(new Connection(node.url + path), sent), RpcError);
      expect(error.message).to.include('no access for … or …');
    }
  });

  it('is the cause of an unknown outcome, also of a node that does not answer', async () => {
    const track = async () => {
      const options = { stallTimeoutMs: 400, send: () => Promise.resolve() };
      const look = (retry: Parameters<Parameters<typeof trackLanding>[0]['look']>[0]) =>
        lookForLanding(connection, sent, { retry });
      const outcome = await trackLanding({ ...options, look });
      return outcome.kind === 'unknown' ? outcome.cause : outcome;
    };
    expectNamed(await track(), 'getEpochInfo', { code: -32601 });
    fail = () => undefined;
    expectNamed(await track(), 'getEpochInfo', { status: undefined, isTemporary: true });
  });

  it('is the cause of an unknown outcome, when sending fails and nothing is known of the transaction', async () => {
    results = { getEpochInfo: epochAt(5), getSignatureStatuses: noStatus };
    fail = (_, response) => void response.writeHead(502).end(`bad gateway ${KEY}`);
    const signer = Keypair.generate();
    const transaction = new VersionedTransaction(
      new TransactionMessage({
        payerKey: signer.publicKey,
        recentBlockhash: Keypair.generate().publicKey.toBase58(),
        instructions: [],
      }).compileToV0Message(),
    );
    transaction.sign([signer]);
    const error = await rejection(
      sendAndConfirm(connection, { transaction, lastValidBlockHeight: 10 }, { stallTimeoutMs: 400 }),
      OutcomeUnknownError,
    );
    expectNamed(error.cause, 'sendTransaction', { status: 502 });
  });
});
