// The SDK's RewardsClient: reads of rewards, claims from the request to the end, and services, proxies and devices that fail.
// threat: false-time
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import { InvalidArgumentError, keypairWallet } from '@curvekit/sdk';
import {
  ApiError,
  ClaimEndedError,
  ClaimUnknownError,
  ConnectionError,
  isRefusal,
  OtherMessageSignedError,
  RewardsClient,
  type ClaimProgress,
} from '@curvekit/sdk/rewards';
import { eq } from 'drizzle-orm';
import { pendingRewards, records } from '#app/db/schema/index.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL, U64_MAX } from '#tests/constants.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { forward } from '#tests/network/forward.js';
import { serveHttp, type ServedNode } from '#tests/node/serve.js';
import { openTokenAccount } from '#tests/program/tokens.js';
import { envelopeOf, hardwareWallet, ledgerEnvelope } from '#tests/service/envelopes.js';
import { expireBlockhashes, useRewardsScene, untilClaim } from '#tests/service/rewards.js';
import { eventually, finalize } from '#tests/service/service.js';

describe(`RewardsClient (${DATABASE_KIND})`, () => {
  const cluster = useCluster();
  const scene = useRewardsScene(cluster);
  const client = () =>
    new RewardsClient({ baseUrl: `${scene.service.url}/`, fetch: scene.api.answers.fetch });

  const rewarded = async (asset: 'SOL' | 'TOKEN', amount: bigint) => {
    const keypair = await scene.rewarded(asset, amount);
    return { ...keypairWallet(keypair), publicKey: keypair.publicKey };
  };
  const ofSol = () => ({ tokenAddress: scene.token.mint, claimType: 'SOL' }) as const;
  const toBurn = () => ({ tokenAddress: scene.token.mint, claimType: 'TOKEN', burnToken: true }) as const;

  it('reads rewards of any size, with either signature scheme', async () => {
    const wallet = await rewarded('TOKEN', U64_MAX);
    for (const scheme of ['bound', 'timestamp'] as const) {
      const { url, answers } = scene.api;
      const [entry] = await new RewardsClient({ baseUrl: url, fetch: answers.fetch, scheme }).rewards(wallet);
      expect(entry?.unclaimedRewards).to.deep.equal({
        sol: 0n,
        solUi: '0',
        token: U64_MAX,
        tokenUi: '18446744073709.551615',
      });
      expect(entry?.tokenInfo.address).to.equal(scene.mint);
    }
    for (const address of [scene.token.mint, scene.mint]) {
      const { allTimeRewards } = await client().rewardsOf(wallet, address);
      expect(allTimeRewards.token).to.equal(U64_MAX);
    }
    const refusal = await rejection(client().rewardsOf(wallet, 'abc'), InvalidArgumentError);
    expect(refusal.message).to.equal('tokenAddress is "abc"; give an address, 32 bytes in base58');
  });

  it('signs with the time of the service when the clock of the device is wrong', async () => {
    const { url, answers } = scene.api;
    const wallet = keypairWallet(Keypair.generate());
    for (const wrongMs of [31_000, 120_000, -360_000, 3_600_000, -80_000_000]) {
      let signed = 0;
      const signer = {
        ...wallet,
        signMessage: (message: Uint8Array) => {
          signed += 1;
          return wallet.signMessage(message);
        },
      };
      const now = () => Date.now() + wrongMs;
      const ofDevice = new RewardsClient({ baseUrl: url, fetch: answers.fetch, now });
      expect(await ofDevice.rewards(signer), `${wrongMs} ms`).to.deep.equal([]);
      expect(signed, 'signatures of the first request').to.equal(2);
      expect(await ofDevice.rewards(signer)).to.deep.equal([]);
      expect(signed, 'signatures of both').to.equal(3);
    }
    // A service that names a far future gets no signature for it.
    const far = new RewardsClient({
      baseUrl: url,
      fetch: answers.fetch,
      now: () => Date.now() - 2 * 86_400_000,
    });
    const refusal = await rejection(far.rewards(wallet), ApiError);
    expect(refusal.code).to.equal('INVALID_SIGNATURE');
    expect(refusal.message).to.match(/X-Timestamp is 172\d+ s behind the service's clock/);
    // A refusal for another reason is not tried again.
    let asked = 0;
    const stranger = { ...wallet, signMessage: () => ((asked += 1), Promise.resolve(new Uint8Array(64))) };
    await rejection(client().rewards(stranger), ApiError);
    expect(asked).to.equal(1);
  });

  it('takes the envelopes that hardware wallets sign', async () => {
    const key = Keypair.generate();
    const { publicKey } = key;
    const wallet = (envelope: (text: string) => Uint8Array) => hardwareWallet(key, envelope);
    const domain = Buffer.alloc(32, 9);
    const good = [
      (text: string) => Buffer.from(text),
      (text: string) => ledgerEnvelope({ text, format: 1 }),
      (text: string) => envelopeOf({ text, format: 1, signers: [publicKey], domain }),
    ];
    for (const envelope of good) expect(await client().rewards(wallet(envelope))).to.deep.equal([]);
    const bad = [
      (text: string) => Buffer.from(`${text} `),
      (text: string) => Buffer.from(`x${text}`),
      (text: string) => ledgerEnvelope({ text: `${text} `, format: 1 }),
      (text: string) => ledgerEnvelope({ text, version: 1 }),
      () => new Uint8Array(),
    ];
    for (const envelope of bad) await rejection(client().rewards(wallet(envelope)), OtherMessageSignedError);
  });

  it('throws errors with the code, the fields and the request id', async () => {
    const wallet = keypairWallet(Keypair.generate());
    const nothing = await rejection(client().initiate(wallet, ofSol()), ApiError);
    expect(isRefusal(nothing, 'CLAIM_ERROR')).to.equal(true);
    expect(nothing.status).to.equal(400);
    expect(nothing.requestId).to.match(/^[\w-]+$/);
    const bad = await rejection(client().status('short'), ApiError);
    expect([bad.code, bad.fields.map(({ field }) => field)]).to.deep.equal([
      'VALIDATION_ERROR',
      ['signature'],
    ]);
    const imposter = { ...wallet, address: Keypair.generate().publicKey.toBase58() };
    expect(isRefusal(await rejection(client().rewards(imposter), ApiError), 'INVALID_SIGNATURE')).to.equal(
      true,
    );
  });

  it('claims from the request to the end, and reports each stage', async () => {
    const wallet = await rewarded('SOL', SOL);
    const stages: string[] = [];
    const onProgress = (progress: ClaimProgress) => {
      stages.push(progress.stage === 'status' ? progress.status : progress.stage);
      if (progress.stage === 'submitted') void finalize(cluster());
    };
    const { connection } = cluster();
    const { signature, amount } = await client().claim(wallet, ofSol(), {
      connection,
      onProgress,
      pollMs: 20,
    });
    expect(amount).to.equal(SOL - 10_000n);
    expect(stages.filter((stage) => stage !== 'IN_PROGRESS')).to.deep.equal([
      'initiated',
      'signed',
      'submitted',
      'COMPLETED',
    ]);
    expect(await lamportsOf(connection, wallet.publicKey)).to.equal(SOL - 10_000n);
    expect((await client().status(signature)).status).to.equal('COMPLETED');
  });

  it('claims the final rewards while the rest is pending', async () => {
    const wallet = await rewarded('SOL', SOL);
    const owner = wallet.publicKey.toBase58();
    const { queries } = scene.database;
    // The record is already finalized. Otherwise its finality would remove the pending reward.
    await finalize(cluster());
    const final = queries
      .select({ id: records.id })
      .from(records)
      .where(eq(records.finalized, true))
      .limit(1);
    await eventually(async () => (await final).length > 0, 'a final record');
    const [record] = await final;
    await queries
      .insert(pendingRewards)
      .values({ recordId: record!.id, wallet: owner, mint: scene.mint, asset: 'SOL', amount: 7n });
    const { unclaimedRewards } = await client().rewardsOf(wallet, scene.token.mint);
    expect(unclaimedRewards.sol).to.equal(SOL + 7n);
    const claim = await client().initiate(wallet, { ...ofSol(), unclaimed: unclaimedRewards.sol });
    expect(claim.amount).to.equal(SOL - 10_000n);
  });

  it("a claim to burn leaves the wallet's account alone if the wallet opened it after the claim was built", async () => {
    const wallet = await rewarded('TOKEN', 5n);
    const { connection } = cluster();
    const claim = await client().initiate(wallet, toBurn());
    const account = await openTokenAccount(cluster(), wallet.publicKey, scene.token.mint);
    const rent = await lamportsOf(connection, account);
    const treasuryHad = await lamportsOf(connection, scene.treasury.publicKey);
    const signed = await wallet.signTransaction(claim.transaction);
    await connection.sendRawTransaction(signed, { skipPreflight: true });
    await finalize(cluster());
    await untilClaim(scene.api, claim.signature, 'FAILED');
    expect(await lamportsOf(connection, account)).to.equal(rent);
    expect(await lamportsOf(connection, scene.treasury.publicKey)).to.equal(treasuryHad - 10_000n);

    // Nothing is lost: the next claim uses the wallet's account.
    const onProgress = ({ stage }: ClaimProgress) => {
      if (stage === 'submitted') void finalize(cluster());
    };
    const failing = (progress: ClaimProgress) => {
      onProgress(progress);
      throw new Error('a page that fails to show it does not end the claim');
    };
    const options = { connection, onProgress: failing, pollMs: 20 };
    const { signature } = await client().claim(wallet, toBurn(), options);
    expect((await client().status(signature)).status).to.equal('COMPLETED');
    expect(await lamportsOf(connection, account)).to.equal(rent);
  });

  it('throws ClaimEndedError for a claim that expired', async () => {
    const wallet = await rewarded('SOL', SOL);
    // An RPC node that accepts the transaction and drops it.
    const connection = { sendRawTransaction: () => Promise.resolve('') };
    const onProgress = ({ stage }: ClaimProgress) => {
      if (stage === 'submitted') void expireBlockhashes(cluster());
    };
    const ended = await rejection(
      client().claim(wallet, ofSol(), { connection, onProgress, pollMs: 20 }),
      ClaimEndedError,
    );
    expect(ended.status).to.equal('EXPIRED');
    const again = await client().initiate(wallet, ofSol());
    expect((await client().status(again.signature)).status).to.equal('IN_PROGRESS');
  });

  describe('behind a proxy that fails', () => {
    /** The proxy's answers to the next status requests, in order. Afterwards the service answers. */
    let failures: ((response: ServerResponse) => void)[] = [];
    let front: ServedNode;

    before(async () => {
      front = await serveHttp((request, response) => {
        const failure = request.url?.endsWith('/status') === true ? failures.shift() : undefined;
        if (failure !== undefined) failure(response);
        else void forward(request, response, scene.service.url);
      });
    });
    after(() => front.stop());

    const refuse =
      (status: number, code?: string, headers: Record<string, string> = {}) =>
      (response: ServerResponse) => {
        const body = code === undefined ? '<html>' : JSON.stringify({ status: 'error', code, message: code });
        response.writeHead(status, headers).end(body);
      };
    const drop = (response: ServerResponse) => response.destroy();

    /** Claims through an RPC node that drops every submitted transaction until the last failure is over. */
    const claiming = async (signal?: AbortSignal) => {
      const wallet = await rewarded('SOL', SOL);
      const told: ClaimProgress[] = [];
      const submissions = { count: 0 };
      let landed = false;
      const connection = {
        sendRawTransaction: async (bytes: Uint8Array) => {
          submissions.count += 1;
          if (failures.length > 0 || landed) return '';
          landed = true;
          const signature = await cluster().connection.sendRawTransaction(bytes, { skipPreflight: true });
          void finalize(cluster());
          return signature;
        },
      };
      const claim = new RewardsClient({ baseUrl: front.url }).claim(
        wallet,
        { tokenAddress: scene.token.mint, claimType: 'SOL' },
        { connection, signal, pollMs: 20, onProgress: (progress) => told.push(progress) },
      );
      return { wallet, claim, told, submissions };
    };

    it('follows the claim until it has ended, and keeps submitting it', async () => {
      failures = [
        drop,
        refuse(500, 'INTERNAL_ERROR'),
        refuse(503, 'SERVICE_UNAVAILABLE'),
        drop,
        refuse(502),
        drop,
        refuse(403),
        refuse(200),
      ];
      const count = failures.length;
      const { wallet, claim, told, submissions } = await claiming();
      const { signature } = await claim;
      expect((await new RewardsClient({ baseUrl: scene.service.url }).status(signature)).status).to.equal(
        'COMPLETED',
      );
      expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL - 10_000n);
      expect(submissions.count).to.be.greaterThan(count);
      const unknown = told.filter((progress) => progress.stage === 'unknown');
      expect(unknown.map(({ problem }) => (problem instanceof ApiError ? problem.status : 0))).to.deep.equal([
        0, 500, 503, 0, 502, 0, 403, 0,
      ]);
      expect(new Set(told.map((progress) => progress.signature))).to.deep.equal(new Set([signature]));
    });

    it('waits for Retry-After before the next status request, for at most 60 polls, and submits meanwhile', async () => {
      for (const seconds of ['1', '86400']) {
        failures = [refuse(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': seconds })];
        const { claim, told, submissions } = await claiming();
        const isTold = () => Promise.resolve(told.some(({ stage }) => stage === 'unknown'));
        await eventually(isTold, 'the refusal');
        const [toldAt, before] = [performance.now(), submissions.count];
        await claim;
        expect(performance.now() - toldAt).to.be.at.least(800);
        expect(submissions.count).to.be.greaterThan(before + 1);
        expect(told.filter(({ stage }) => stage === 'unknown')).to.have.length(1);
      }
    });

    it('stops when its signal aborts, although the service stays unreachable', async () => {
      failures = Array.from({ length: 10_000 }, () => drop);
      const stop = new AbortController();
      const { claim, told } = await claiming(stop.signal);
      const ended = rejection(claim, Error);
      await eventually(() => told.filter(({ stage }) => stage === 'unknown').length > 4, 'some failures');
      stop.abort(new Error('enough'));
      expect((await ended).message).to.equal('enough');
    });

    it('throws an error with the signature if the API does not know the claim', async () => {
      failures = [drop, refuse(404, 'CLAIM_NOT_FOUND')];
      const { claim, told } = await claiming();
      const { signature, cause } = await rejection(claim, ClaimUnknownError);
      expect(signature).to.equal(told[0]?.signature);
      expect(isRefusal(cause, 'CLAIM_NOT_FOUND')).to.equal(true);
    });
  });

  describe('with a service that misbehaves', () => {
    let server: ServedNode;
    let answers: { status: number; headers?: Record<string, string>; body: string }[] = [];
    let asked = 0;

    before(async () => {
      server = await serveHttp((request, response) => {
        request.resume();
        asked += 1;
        const { status, headers = {}, body } = answers.length > 1 ? answers.shift()! : answers[0]!;
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      });
    });
    after(() => server.stop());
    beforeEach(() => (asked = 0));

    const status = JSON.stringify({ status: 'success', data: { status: 'COMPLETED', message: '' } });
    const limited = { status: 429, body: JSON.stringify({ code: 'RATE_LIMIT_EXCEEDED', message: 'x' }) };

    it('retries after Retry-After, with limits on the time and the number of retries', async () => {
      const patient = new RewardsClient({ baseUrl: server.url });
      answers = [
        { ...limited, headers: { 'retry-after': '1' } },
        { status: 503, body: '' },
        { status: 200, body: status },
      ];
      const startedAt = Date.now();
      expect((await patient.status('x')).status).to.equal('COMPLETED');
      expect(asked).to.equal(3);
      expect(Date.now() - startedAt).to.be.at.least(1_400);

      asked = 0;
      answers = [{ ...limited, headers: { 'retry-after': '900' } }];
      const refused = await rejection(patient.status('x'), ApiError);
      expect([refused.code, refused.retryAfterMs, asked]).to.deep.equal(['RATE_LIMIT_EXCEEDED', 900_000, 1]);

      answers = [limited];
      expect(
        (await rejection(new RewardsClient({ baseUrl: server.url, retries: 1 }).status('x'), ApiError))
          .status,
      ).to.equal(429);
      expect(asked).to.equal(3);
    });

    it("throws ConnectionError, or the code UNKNOWN, for answers that are not the API's", async () => {
      const hasty = new RewardsClient({ baseUrl: server.url, retries: 0 });
      for (const body of [
        '<html>',
        '',
        '[]',
        'null',
        '{"data":{"status":"NEW","message":""}}',
        '{"data":{}}',
      ]) {
        answers = [{ status: 200, body }];
        await rejection(hasty.status('x'), ConnectionError);
      }
      answers = [{ status: 404, body: '<html>' }];
      expect((await rejection(hasty.status('x'), ApiError)).code).to.equal('UNKNOWN');
      const nowhere = new RewardsClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 });
      const { HTTPS_PROXY } = process.env;
      process.env['HTTPS_PROXY'] = 'http://proxy.example.com:8080';
      const { message } = await rejection(nowhere.status('x'), ConnectionError);
      delete process.env['HTTPS_PROXY'];
      if (HTTPS_PROXY !== undefined) process.env['HTTPS_PROXY'] = HTTPS_PROXY;
      expect(message).to.match(
        /^the service cannot be reached at http:\/\/127\.0\.0\.1:1\/rewards\/.*: bad port; HTTPS_PROXY is set, and Node.js uses it with NODE_USE_ENV_PROXY=1$/,
      );
      answers = [{ status: 302, headers: { location: 'https://api.example.com/?a=b' }, body: '' }];
      expect((await rejection(hasty.status('x'), ConnectionError)).message).to.match(
        /redirects to https:\/\/api\.example\.com\/: use the URL that it redirects to$/,
      );
      expect(() => new RewardsClient({ baseUrl: 'ftp://x' })).to.throw(/baseUrl/);
    });
  });
});
