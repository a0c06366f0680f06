// Signed transactions: whether they landed, whether they can still land, and what a node can make them cost. What callers are
// told while nodes fail, tests/schedules plays.
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { Connection, Keypair, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import {
  buy,
  CurvekitError,
  InvalidArgumentError,
  lookForLanding,
  lookForRecentLandings,
  OutcomeUnknownError,
  prepareTransaction,
  ProgramError,
  RpcError,
  sendAndConfirm,
  suggestComputeUnitPrice,
  trackLanding,
  TransactionError,
  TransactionExpiredError,
  UnreadableTransactionError,
  type ExpiryProof,
  type ExpiryResult,
  type ExpirySearch,
  type PreparedTransaction,
} from '@curvekit/sdk';
import { startLocalCluster } from '@curvekit/testing';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { SOL } from '../../../tests/support/constants.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { RpcFailure, type RpcCall } from '../../../tests/support/node/rpc-proxy.js';
import { serveNode, type ServedNode } from '../../../tests/support/node/serve.js';
import { useTrader, type Trader } from '../../../tests/support/program/trader.js';

/** Agave's answer when the node keeps no history. */
const NO_HISTORY = new RpcFailure(-32011, 'Transaction history is not available from this node');
/** More tokens than any buy in this file yields. */
const TOO_MUCH = 10n ** 15n;
/** The largest value of `maxSupportedTransactionVersion`. */
const ANY_VERSION = 255;
const HASH = '11111111111111111111111111111111';
const BLOCK = { blockhash: HASH, previousBlockhash: HASH, parentSlot: 4, blockTime: null };

type Rewriting = (call: RpcCall, result: object) => unknown;
interface Signed extends PreparedTransaction {
  readonly signature: string;
}

const asksHistory = ({ params }: RpcCall) =>
  (params[1] as { searchTransactionHistory?: boolean } | undefined)?.searchTransactionHistory === true;
const unknown = (result: object) => ({ ...result, value: [null] });

describe('a signed transaction', () => {
  const cluster = useCluster();
  const trader = useTrader(cluster);
  let { token, wallet, proxy, proxied, held } = {} as Trader;
  beforeEach(() => ({ token, wallet, proxy, proxied, held } = trader()));

  /** Each has a different amount, because equal transactions would have equal signatures. */
  let amount = SOL / 10n;
  const buying = (minTokenToReceive = 0n) =>
    buy({ mint: token.mint, payer: wallet.publicKey, solToSpend: (amount += 1n), minTokenToReceive });
  async function signedBuy(minTokenToReceive = 0n): Promise<Signed> {
    const parts = { payer: wallet.publicKey, instructions: buying(minTokenToReceive) };
    const prepared = await prepareTransaction(cluster().connection, { ...parts, computeUnitLimit: 200_000 });
    prepared.transaction.sign([wallet]);
    return { ...prepared, signature: bs58.encode(prepared.transaction.signatures[0]!) };
  }
  const send = (sent: Signed, options?: object) => sendAndConfirm(proxied, sent, options);

  async function expectUnknown(sending: Promise<unknown>, says: string): Promise<void> {
    const error = await rejection(sending, OutcomeUnknownError);
    expect(error).to.be.instanceOf(CurvekitError).and.not.instanceOf(TransactionError);
    expect(error.message).to.include(error.signature).and.to.include(says);
  }

  describe('whose blockhash is over', () => {
    const later = (blocks: number, { method }: RpcCall, result: object) =>
      method === 'getEpochInfo'
        ? { ...result, blockHeight: (result as { blockHeight: number }).blockHeight + blocks }
        : result;
    const cases: Record<
      string,
      [end: 'bought' | 'expired' | 'unknown', says: string, (sent: Signed, height: number) => Rewriting]
    > = {
      'is found in the history when its status is no longer in memory': [
        ...(['bought', ''] as const),
        () => (call, result) =>
          call.method === 'getSignatureStatuses' && !asksHistory(call)
            ? unknown(result)
            : later(1_000, call, result),
      ],
      'is found later when the node of the statuses lags behind that of the height': [
        ...(['bought', ''] as const),
        () => {
          let asked = 0;
          return (call, result) =>
            call.method === 'getSignatureStatuses' && ++asked <= 5
              ? { ...unknown(result), context: { slot: 1 } }
              : later(1_000, call, result);
        },
      ],
      'has an unknown outcome when the lagging node never catches up': [
        ...(['unknown', ''] as const),
        () => (call, result) =>
          call.method === 'getSignatureStatuses'
            ? { ...unknown(result), context: { slot: 1 } }
            : later(1_000, call, result),
      ],
      'has an unknown outcome when the node keeps no history': [
        ...(['unknown', 'does not keep the blocks'] as const),
        () => (call, result) => {
          if (call.method !== 'getSignatureStatuses') return later(1_000, call, result);
          return asksHistory(call) ? NO_HISTORY : unknown(result);
        },
      ],
      'has an unknown outcome when the history begins after it': [
        ...(['unknown', 'full history'] as const),
        () => (call, result) => {
          if (call.method === 'getSignatureStatuses') return unknown(result);
          if (call.method === 'getFirstAvailableBlock') return 900;
          return call.method === 'getBlock' ? { ...BLOCK, blockHeight: 900 } : later(1_000, call, result);
        },
      ],
      'has expired when the history covers its blocks, also those with newer transactions': [
        ...(['expired', ''] as const),
        () => (call, result) => {
          if (call.method === 'getSignatureStatuses') return unknown(result);
          if (call.method === 'getFirstAvailableBlock') return 5;
          if (call.method !== 'getBlock') return later(1_000, call, result);
          const { maxSupportedTransactionVersion: most = 0 } = call.params[1] as Record<string, number>;
          if (most < ANY_VERSION)
            return new RpcFailure(-32_015, 'Transaction version (255) is not supported');
          return { ...BLOCK, blockHeight: 0 };
        },
      ],
      'has expired when the node keeps no history, but its blocks are recent enough': [
        ...(['expired', ''] as const),
        ({ lastValidBlockHeight }, height) =>
          (call, result) => {
            if (call.method !== 'getSignatureStatuses')
              return later(lastValidBlockHeight + 1 - height, call, result);
            return asksHistory(call) ? NO_HISTORY : unknown(result);
          },
      ],
    };
    for (const [name, [end, says, answers]] of Object.entries(cases)) {
      it(name, async () => {
        const sent = await signedBuy();
        const rewrite = answers(sent, await cluster().connection.getBlockHeight('finalized'));
        proxy.rewrite((call, result) => rewrite(call, result as object));
        const sending = send(sent, { stallTimeoutMs: 1_000 });
        if (end === 'unknown') await expectUnknown(sending, says);
        else if (end === 'bought') expect((await sending).signature).to.equal(sent.signature);
        else {
          const { message } = await rejection(sending, TransactionExpiredError);
          expect(message).to.include(String(sent.lastValidBlockHeight));
        }
      });
    }

    it('is found when it was sent before, so that the preflight refuses it', async () => {
      const sent = await signedBuy();
      const first = await send(sent);
      proxy.rewrite((call, result) => {
        if (call.method === 'sendTransaction')
          return new RpcFailure(-32002, 'Transaction simulation failed: Blockhash not found');
        if (call.method === 'getSignatureStatuses' && !asksHistory(call)) return unknown(result as object);
        return later(1_000, call, result as object);
      });
      expect(await send(sent)).to.deep.equal(first);
    });
  });

  it('is not sent when its signature is missing', async () => {
    const sent = await signedBuy();
    sent.transaction.signatures = sent.transaction.signatures.map(() => new Uint8Array(64));
    expect((await rejection(send(sent), InvalidArgumentError)).argument).to.equal('transaction');
    expect(await held().catch(() => 0n)).to.equal(0n);
  });

  describe('of a newer version', () => {
    interface Returned {
      readonly transaction: { readonly message?: { readonly accountKeys: readonly string[] } };
    }
    /** Gives the wallet's transactions a version, on a node that encodes versions up to `newest`. */
    const version = (given: number, newest = 255) =>
      proxy.rewrite(({ method, params }, result) => {
        const found = result as Returned | null;
        if (method !== 'getTransaction' || found === null) return result;
        if (found.transaction.message?.accountKeys[0] !== wallet.publicKey.toBase58()) return result;
        const { maxSupportedTransactionVersion: most = 0 } = (params[1] ?? {}) as Record<string, number>;
        if (given <= Math.min(most, newest)) return { ...found, version: given };
        return new RpcFailure(
          -32_015,
          `Transaction version (${given}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${given}`,
        );
      });

    for (const given of [1, 7, 255]) {
      it(`${given} is confirmed, and its failure comes with its log`, async () => {
        version(given);
        expect((await send(await signedBuy())).slot).to.be.greaterThan(0);
        const failing = send(await signedBuy(TOO_MUCH), { skipPreflight: true });
        const error = await rejection(failing, ProgramError);
        expect(error).to.include({ name: 'SlippageError' });
        expect(error.logs).to.be.an('array').with.length.greaterThan(0);
      });
    }

    it('that the node cannot encode fails without its log; send() of the local cluster says so at once', async () => {
      version(7, 1);
      const failing = send(await signedBuy(TOO_MUCH), { skipPreflight: true });
      expect(await rejection(failing, ProgramError)).to.include({ name: 'SlippageError', logs: undefined });
      const { wsUrl, payer, programId } = cluster();
      const behind = await startLocalCluster({ backend: proxy.url, wsUrl, payer, programId });
      try {
        const sending = behind.send(buying(), [wallet]);
        expect((await rejection(sending, UnreadableTransactionError)).version).to.equal(7);
        proxy.rewrite(undefined);
        expect((await behind.send(buying(), [wallet])).slot).to.be.greaterThan(0);
      } finally {
        await behind.stop();
      }
    });
  });

  describe('that is looked for', () => {
    /** From now on the node reports a finalized height beyond the transaction's last valid block height. */
    const expire = ({ lastValidBlockHeight }: Signed, blocks: number) =>
      proxy.rewrite(({ method }, result) =>
        method === 'getEpochInfo'
          ? { ...(result as object), blockHeight: lastValidBlockHeight + blocks }
          : result,
      );
    /** A proof with a fixed result, and its calls. */
    function proofOf(result: ExpiryResult, blocks = 1) {
      const asked: { readonly transaction: object; readonly search: ExpirySearch }[] = [];
      const proof: ExpiryProof = {
        isDue: (height, { lastValidBlockHeight }) => height >= lastValidBlockHeight + blocks,
        examine: (transaction, search) => {
          asked.push({ transaction, search });
          return Promise.resolve(result);
        },
      };
      return { proof, asked };
    }

    it('among many is found in the given order, with two requests', async () => {
      const [landed, pending, alsoLanded] = [await signedBuy(), await signedBuy(), await signedBuy()];
      await send(landed);
      await send(alsoLanded);
      const calls = () => [...proxy.calls.values()].reduce((sum, count) => sum + count, 0);
      const before = calls();
      const { landings } = await lookForRecentLandings(proxied, [landed, pending, alsoLanded]);
      expect(landings.map(({ kind }) => kind)).to.deep.equal(['landed', 'pending', 'landed']);
      expect(landings[0]).to.deep.include({ err: null });
      expect(calls() - before).to.equal(2);
    });

    it('among many is never expired, because that needs a proof', async () => {
      const lost = await signedBuy();
      expire(lost, 1_000);
      const height = lost.lastValidBlockHeight + 1_000;
      const { landings } = await lookForRecentLandings(proxied, [lost]);
      expect(landings).to.deep.equal([{ kind: 'expiring' }]);
      expect(await lookForLanding(proxied, lost)).to.deep.include({ landing: { kind: 'expired' } });
      expect((await lookForRecentLandings(proxied, [lost])).height).to.equal(height);
    });

    it('has expired when the caller’s own proof says so, which is asked when it is due and nothing landed', async () => {
      const lost = await signedBuy();
      const { proof, asked } = proofOf({ kind: 'expired' }, 5);
      const kinds = [];
      for (const blocks of [undefined, 4, 5]) {
        expect(asked).to.deep.equal([]);
        if (blocks !== undefined) expire(lost, blocks);
        kinds.push((await lookForLanding(proxied, lost, { proof })).landing.kind);
      }
      expect(kinds).to.deep.equal(['pending', 'expiring', 'expired']);
      const [{ transaction, search }] = asked as [(typeof asked)[number]];
      expect(transaction).to.equal(lost);
      expect(search.searchedHistory).to.equal(true);
      expect(search.finalized.height).to.equal(lost.lastValidBlockHeight + 5);
      await cluster().connection.sendRawTransaction(lost.transaction.serialize());
      expect((await lookForLanding(proxied, lost, { proof })).landing.kind).to.equal('landed');
      expect(asked).to.have.length(1);
    });

    it('ends sendAndConfirm() with the result of the proof', async () => {
      const lost = await signedBuy();
      expire(lost, 1);
      // The node accepts the transaction and drops it.
      const dropping = new Connection(proxy.url, { commitment: 'confirmed', disableRetryOnRateLimit: true });
      dropping.sendRawTransaction = () => Promise.resolve(lost.signature);
      const { proof } = proofOf({ kind: 'expired' });
      await rejection(sendAndConfirm(dropping, lost, { proof }), TransactionExpiredError);
      const { proof: unproven } = proofOf({ kind: 'unknown', reason: 'a block is missing' });
      await expectUnknown(sendAndConfirm(dropping, lost, { proof: unproven }), 'a block is missing');
    });
  });

  it('costs no more than the highest price and the runtime’s limit when the node reports wrong numbers', async () => {
    for (const [told, options, suggested] of [
      [10 ** 12, {}, 1_000_000n],
      [10 ** 12, { highest: 5n }, 5n],
      [999_999, {}, 999_999n],
      [-1, {}, 0n],
      [1.5, {}, 1n],
    ] as const) {
      proxy.rewrite(({ method }, result) =>
        method === 'getRecentPrioritizationFees' ? [{ slot: 1, prioritizationFee: told }] : result,
      );
      expect(await suggestComputeUnitPrice(proxied, buying(), 50, options)).to.equal(suggested);
    }
    proxy.rewrite(({ method }, result) =>
      method === 'simulateTransaction'
        ? { ...(result as object), value: { err: null, logs: [], unitsConsumed: 10 ** 9 } }
        : result,
    );
    const parts = { payer: wallet.publicKey, instructions: buying() };
    expect((await prepareTransaction(proxied, parts)).computeUnitLimit).to.equal(1_400_000);
  });
});

describe('a failed request of the landing tracker', () => {
  const KEY = 'a1b2c3d4e5f6';
  const sent = { signature: '1'.repeat(64), lastValidBlockHeight: 10 };
  const refusal = { code: -32601, message: `no such method, key ${KEY}` };
  let node: ServedNode;
  let connection: Connection;
  /** Answers of the methods that work. */
  let results: Readonly<Record<string, unknown>>;
  let fail: (body: string, response: ServerResponse) => void;
  const answerOf = (body: string, fields: object) =>
    JSON.stringify({ jsonrpc: '2.0', id: (JSON.parse(body) as { id: unknown }).id, ...fields });
  const failWith = (status: number, text: string) => {
    fail = (_, response) => void response.writeHead(status).end(text);
  };

  before(async () => {
    node = await serveNode((body, response) => {
      const result = results[(JSON.parse(body) as { method: string }).method];
      if (result === undefined) return fail(body, response);
      response.end(answerOf(body, { result }));
    });
    connection = new Connection(`${node.url}/v2/${KEY}`, { disableRetryOnRateLimit: true });
  });
  beforeEach(() => {
    results = {};
    fail = (body, response) => response.end(answerOf(body, { error: refusal }));
  });
  after(() => node.stop());

  const epochAt = (blockHeight: number) => ({
    ...{ absoluteSlot: blockHeight, blockHeight, epoch: 0 },
    ...{ slotIndex: 0, slotsInEpoch: 432_000, transactionCount: 0 },
  });
  const noStatus = { context: { slot: 1_000 }, value: [null] };

  function expectNamed(error: unknown, method: string, details: object): void {
    expect(error).to.be.instanceOf(RpcError);
    expect(error).to.include({ method, host: new URL(node.url).host, ...details });
    expect(inspect(error, { depth: 9, showHidden: true })).to.not.include(KEY);
  }

  for (const [method, answers] of [
    ['getEpochInfo', { getSignatureStatuses: noStatus }],
    ['getSignatureStatuses', { getEpochInfo: epochAt(5) }],
    ['getFirstAvailableBlock', { getEpochInfo: epochAt(1_000), getSignatureStatuses: noStatus }],
    ['getBlock', { getEpochInfo: epochAt(1_000), getSignatureStatuses: noStatus, getFirstAvailableBlock: 7 }],
  ] as const)
    it(`names ${method} and the node, and not the key`, async () => {
      results = answers;
      expectNamed(await rejection(lookForLanding(connection, sent), RpcError), method, { code: -32601 });
      if (method === 'getSignatureStatuses') {
        const error = await rejection(lookForRecentLandings(connection, [sent]), RpcError);
        expectNamed(error, method, { code: -32601 });
      }
      failWith(403, `no access for ${KEY}`);
      expectNamed(await rejection(lookForLanding(connection, sent), RpcError), method, { status: 403 });
    });

  it('names no key in the form in which the URL has it, in its own form, or escaped', async () => {
    const forms = ['ab/cd+key', 'ab%2Fcd%2Bkey'];
    failWith(403, `no access for ${forms.join(' or ')}`);
    for (const path of [`/v2/${forms[1]}`, `/?api-key=${forms[1]}`]) {
      const error = await rejection(lookForLanding(new Connection(node.url + path), sent), RpcError);
      expect(error.message).to.include('no access for … or …');
    }
  });

  it('is the cause of an unknown outcome, also of a node that does not answer', async () => {
    const track = async () => {
      const outcome = await trackLanding({
        stallTimeoutMs: 400,
        send: () => Promise.resolve(),
        look: (retry) => lookForLanding(connection, sent, { retry }),
      });
      return outcome.kind === 'unknown' ? outcome.cause : outcome;
    };
    expectNamed(await track(), 'getSignatureStatuses', { code: -32601 });
    fail = () => undefined;
    expectNamed(await track(), 'getSignatureStatuses', { status: undefined, isTemporary: true });
  });

  it('is the cause of an unknown outcome, when sending fails and nothing is known of the transaction', async () => {
    results = { getEpochInfo: epochAt(5), getSignatureStatuses: noStatus };
    failWith(502, `bad gateway ${KEY}`);
    const signer = Keypair.generate();
    const message = new TransactionMessage({
      ...{ payerKey: signer.publicKey, recentBlockhash: HASH, instructions: [] },
    });
    const transaction = new VersionedTransaction(message.compileToV0Message());
    transaction.sign([signer]);
    const sending = sendAndConfirm(
      connection,
      { transaction, lastValidBlockHeight: 10 },
      { stallTimeoutMs: 400 },
    );
    const error = await rejection(sending, OutcomeUnknownError);
    expectNamed(error.cause, 'sendTransaction', { status: 502 });
  });
});
