import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import {
  ApiError,
  ClaimEndedError,
  ClaimUnknownError,
  ConnectionError,
  isRefusal,
  RewardsClient,
  type ClaimingWallet,
  type ClaimProgress,
} from '@curvekit/sdk/rewards';
import { InvalidArgumentError } from '@curvekit/sdk';
import { API_FOLDER, apiFiles, type ApiDocument } from '../../scripts/generate-sdk/api-types.js';
import { differences, formatted } from '../../scripts/generate-sdk/output.js';
import { eq } from 'drizzle-orm';
import { pendingRewards, records } from '#app/db/schema/index.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { signText } from '#tests/service/partner-service.js';
import {
  expireBlockhashes,
  ledgerProblems,
  reward,
  startRewardsScene,
  untilClaim,
  type RewardsScene,
} from '#tests/service/rewards.js';
import { eventually, finalize } from '#tests/service/service.js';
import { forward } from '#tests/network/forward.js';
import { openTokenAccount } from '#tests/program/tokens.js';
import { SOL, U64_MAX } from '#tests/constants.js';

/** The schema of an object, to change it. */
interface DocumentedObject {
  readonly properties: Record<string, object>;
  readonly required: string[];
}

/** A wallet as a browser's adapter is one. */
function walletOf(keypair: Keypair): ClaimingWallet {
  return {
    publicKey: keypair.publicKey,
    signMessage: (message) =>
      Promise.resolve(bs58.decode(signText(keypair, Buffer.from(message).toString()))),
    signTransaction: (transaction) => {
      transaction.sign([keypair]);
      return Promise.resolve(transaction);
    },
  };
}

describe(`the client of the Rewards Claiming API (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const cluster = useCluster();
  let scene: RewardsScene;
  let client: RewardsClient;

  before('start the service', async () => {
    scene = await startRewardsScene(cluster());
    client = new RewardsClient({ baseUrl: `${scene.service.url}/`, fetch: scene.api.answers.fetch });
  });
  after(() => scene?.stop());

  it('has the types of the document that the service serves', async () => {
    const response = await fetch(`${scene.service.url}/openapi.json`);
    const document = (await response.json()) as ApiDocument;
    const stale = async () => differences(API_FOLDER, await formatted(apiFiles(document)));
    expect(await stale(), 'run `npm run generate:sdk`').to.deep.equal([]);
    const { Amounts, PartnerStats } = document.components!.schemas as Record<string, DocumentedObject>;
    Amounts!.properties['usd'] = { type: 'number' };
    Amounts!.required.push('usd');
    expect(await stale()).to.deep.equal(['rewards.ts']);
    delete PartnerStats!.properties['trades'];
    expect(await stale()).to.deep.equal(['partner.ts', 'rewards.ts']);
  });

  const rewarded = async (asset: 'SOL' | 'TOKEN', amount: bigint): Promise<ClaimingWallet> => {
    const keypair = Keypair.generate();
    await reward(scene.database, keypair.publicKey, scene.mint, asset, amount);
    return walletOf(keypair);
  };

  it('reads rewards, of any size, with either scheme', async () => {
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
      const { allTimeRewards } = await client.rewardsOf(wallet, address);
      expect(allTimeRewards.token).to.equal(U64_MAX);
    }
    const refusal = await rejection(client.rewardsOf(wallet, 'abc'), InvalidArgumentError);
    expect(refusal.message).to.equal('tokenAddress is "abc"; give a PublicKey, or its 32 bytes in base58');
  });

  it('claims, from the request to the end, and tells how it goes', async () => {
    const wallet = await rewarded('SOL', SOL);
    const stages: string[] = [];
    const onProgress = (progress: ClaimProgress) => {
      stages.push(progress.stage === 'status' ? progress.status : progress.stage);
      if (progress.stage === 'submitted') void finalize(cluster());
    };
    const { connection } = cluster();
    const request = { tokenAddress: scene.token.mint, claimType: 'SOL' } as const;
    const { signature, amount } = await client.claim(wallet, request, { connection, onProgress, pollMs: 20 });
    expect(amount).to.equal(SOL - 10_000n);
    expect(stages.filter((stage) => stage !== 'IN_PROGRESS')).to.deep.equal([
      'initiated',
      'signed',
      'submitted',
      'COMPLETED',
    ]);
    expect(await lamportsOf(connection, wallet.publicKey)).to.equal(SOL - 10_000n);
    expect((await client.status(signature)).status).to.equal('COMPLETED');
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
  });

  it('claims what is final, while the rest waits', async () => {
    const wallet = await rewarded('SOL', SOL);
    const owner = wallet.publicKey.toBase58();
    const { queries } = scene.database;
    // Of a record that is final: that of another would be taken away with its finality.
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
    const { unclaimedRewards } = await client.rewardsOf(wallet, scene.token.mint);
    expect(unclaimedRewards.sol).to.equal(SOL + 7n);
    const request = { tokenAddress: scene.token.mint, claimType: 'SOL' } as const;
    const claim = await client.initiate(wallet, { ...request, unclaimed: unclaimedRewards.sol });
    expect(claim.amount).to.equal(SOL - 10_000n);
  });

  it('claims tokens to burn them', async () => {
    const wallet = await rewarded('TOKEN', 5n);
    const request = { tokenAddress: scene.token.mint, claimType: 'TOKEN', burnToken: true } as const;
    const { connection } = cluster();
    const onProgress = ({ stage }: ClaimProgress) => {
      if (stage === 'submitted') void finalize(cluster());
    };
    const { signature, amount } = await client.claim(wallet, request, { connection, onProgress, pollMs: 20 });
    expect(amount).to.equal(5n);
    expect((await client.status(signature)).status).to.equal('COMPLETED');
  });

  it('leaves the wallet the account that it opened while its claim to burn was on the way', async () => {
    const wallet = await rewarded('TOKEN', 5n);
    const request = { tokenAddress: scene.token.mint, claimType: 'TOKEN', burnToken: true } as const;
    const { connection } = cluster();
    const claim = await client.initiate(wallet, request);
    const account = await openTokenAccount(cluster(), wallet.publicKey, scene.token.mint);
    const rent = await lamportsOf(connection, account);
    const treasuryHad = await lamportsOf(connection, scene.treasury.publicKey);
    const signed = await wallet.signTransaction(claim.transaction);
    await connection.sendRawTransaction(signed.serialize(), { skipPreflight: true });
    await finalize(cluster());
    await untilClaim(scene.api, claim.signature, 'FAILED');
    expect(await lamportsOf(connection, account)).to.equal(rent);
    expect(await lamportsOf(connection, scene.treasury.publicKey)).to.equal(treasuryHad - 10_000n);

    // Nothing is lost, and the next claim uses the account as it is.
    const onProgress = ({ stage }: ClaimProgress) => {
      if (stage === 'submitted') void finalize(cluster());
    };
    const { signature } = await client.claim(wallet, request, { connection, onProgress, pollMs: 20 });
    expect((await client.status(signature)).status).to.equal('COMPLETED');
    expect(await lamportsOf(connection, account)).to.equal(rent);
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
  });

  it('says when a claim came to nothing', async () => {
    const wallet = await rewarded('SOL', SOL);
    // A node that takes the transaction and forgets it.
    const connection = { sendRawTransaction: () => Promise.resolve('') };
    const request = { tokenAddress: scene.token.mint, claimType: 'SOL' } as const;
    const onProgress = ({ stage }: ClaimProgress) => {
      if (stage === 'submitted') void expireBlockhashes(cluster());
    };
    const ended = await rejection(
      client.claim(wallet, request, { connection, onProgress, pollMs: 20 }),
      ClaimEndedError,
    );
    expect(ended.status).to.equal('EXPIRED');
    const again = await client.initiate(wallet, request);
    expect((await client.status(again.signature)).status).to.equal('IN_PROGRESS');
  });

  it('throws errors with the code, the fields and the id of the request', async () => {
    const wallet = walletOf(Keypair.generate());
    const request = { tokenAddress: scene.token.mint, claimType: 'SOL' } as const;
    const nothing = await rejection(client.initiate(wallet, request), ApiError);
    expect(isRefusal(nothing, 'CLAIM_ERROR')).to.equal(true);
    expect(nothing.status).to.equal(400);
    expect(nothing.requestId).to.match(/^[\w-]+$/);
    const bad = await rejection(client.status('short'), ApiError);
    expect([bad.code, bad.fields.map(({ field }) => field)]).to.deep.equal([
      'VALIDATION_ERROR',
      ['signature'],
    ]);
    const imposter = { ...wallet, publicKey: Keypair.generate().publicKey };
    expect(isRefusal(await rejection(client.rewards(imposter), ApiError), 'INVALID_SIGNATURE')).to.equal(
      true,
    );
  });

  describe('with a front before the service that fails once a claim is signed', () => {
    /** Instead of answers on how a claim stands, one after the other; the service answers what comes after. */
    let failures: ((response: ServerResponse) => void)[] = [];
    let front: Server;
    let url: string;

    before(async () => {
      front = createServer((request, response) => {
        const failure = request.url?.endsWith('/status') === true ? failures.shift() : undefined;
        if (failure !== undefined) failure(response);
        else void forward(request, response, scene.service.url);
      });
      await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    });
    after(() => new Promise((resolve) => front.close(resolve)));

    const refuse =
      (status: number, code?: string, headers: Record<string, string> = {}) =>
      (response: ServerResponse) => {
        const body = code === undefined ? '<html>' : JSON.stringify({ status: 'error', code, message: code });
        response.writeHead(status, headers).end(body);
      };
    const drop = (response: ServerResponse) => response.destroy();

    /** Claims through a node that forgets what is submitted to it until the last failure is over. */
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
      const claim = new RewardsClient({ baseUrl: url }).claim(
        wallet,
        { tokenAddress: scene.token.mint, claimType: 'SOL' },
        { connection, signal, pollMs: 20, onProgress: (progress) => told.push(progress) },
      );
      return { wallet, claim, told, submissions };
    };

    it('follows the claim until it has ended, and submits it meanwhile', async () => {
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
      expect((await client.status(signature)).status).to.equal('COMPLETED');
      expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL - 10_000n);
      expect(submissions.count).to.be.greaterThan(count);
      const unknown = told.filter((progress) => progress.stage === 'unknown');
      expect(unknown.map(({ problem }) => (problem instanceof ApiError ? problem.status : 0))).to.deep.equal([
        0, 500, 503, 0, 502, 0, 403, 0,
      ]);
      expect(new Set(told.map((progress) => progress.signature))).to.deep.equal(new Set([signature]));
    });

    it('does not ask before the time that it is told, and submits meanwhile', async () => {
      failures = [refuse(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '2' })];
      const { claim, told, submissions } = await claiming();
      const isTold = () => Promise.resolve(told.some(({ stage }) => stage === 'unknown'));
      await eventually(isTold, 'the refusal');
      const [toldAt, before] = [performance.now(), submissions.count];
      await claim;
      expect(performance.now() - toldAt).to.be.at.least(1_500);
      expect(submissions.count).to.be.greaterThan(before + 1);
      expect(told.filter(({ stage }) => stage === 'unknown')).to.have.length(1);
    });

    it('stops when it is told to, though the service stays away', async () => {
      failures = Array.from({ length: 10_000 }, () => drop);
      const stop = new AbortController();
      const { claim, told } = await claiming(stop.signal);
      const ended = rejection(claim, Error);
      await eventually(
        () => Promise.resolve(told.filter(({ stage }) => stage === 'unknown').length > 4),
        'some failures',
      );
      stop.abort(new Error('enough'));
      expect((await ended).message).to.equal('enough');
    });

    it('throws an error with the signature where the API refuses to say', async () => {
      failures = [drop, refuse(404, 'CLAIM_NOT_FOUND')];
      const { claim, told } = await claiming();
      const { signature, cause } = await rejection(claim, ClaimUnknownError);
      expect(signature).to.equal(told[0]?.signature);
      expect(isRefusal(cause, 'CLAIM_NOT_FOUND')).to.equal(true);
    });
  });

  describe('with a service that misbehaves', () => {
    let server: Server;
    let url: string;
    let answers: { status: number; headers?: Record<string, string>; body: string }[] = [];
    let asked = 0;

    before(async () => {
      server = createServer((request, response) => {
        request.resume();
        asked += 1;
        const { status, headers = {}, body } = answers.length > 1 ? answers.shift()! : answers[0]!;
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(() => new Promise((resolve) => server.close(resolve)));
    beforeEach(() => (asked = 0));

    const status = JSON.stringify({ status: 'success', data: { status: 'COMPLETED', message: '' } });
    const limited = { status: 429, body: JSON.stringify({ code: 'RATE_LIMIT_EXCEEDED', message: 'x' }) };
    const fails = (request: Promise<unknown>) => rejection(request, Error);

    it('tries again when it is told to, after the time it is told, and not for ever', async () => {
      const patient = new RewardsClient({ baseUrl: url });
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
        (await rejection(new RewardsClient({ baseUrl: url, retries: 1 }).status('x'), ApiError)).status,
      ).to.equal(429);
      expect(asked).to.equal(3);
    });

    it('stops waiting when it is told to', async () => {
      answers = [{ ...limited, headers: { 'retry-after': '20' } }];
      const stop = new AbortController();
      setTimeout(() => stop.abort(new Error('enough')), 100);
      expect((await fails(new RewardsClient({ baseUrl: url }).status('x', stop.signal))).message).to.equal(
        'enough',
      );
    });

    it('says that it is not the service', async () => {
      const hasty = new RewardsClient({ baseUrl: url, retries: 0 });
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
      await rejection(nowhere.status('x'), ConnectionError);
      expect(() => new RewardsClient({ baseUrl: 'ftp://x' })).to.throw(/baseUrl/);
    });
  });
});
