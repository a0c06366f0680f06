import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import {
  ApiError,
  ClaimEndedError,
  ConnectionError,
  isRefusal,
  RewardsClient,
  type ClaimingWallet,
  type ClaimProgress,
} from '@curvekit/sdk/rewards';
import { JsonError, parseJson } from '../../sdk/src/http/json.js';
import { lamportsOf } from '../support/accounts.js';
import { useCluster } from '../support/cluster.js';
import { DATABASE_KIND } from '../support/database.js';
import { rejection } from '../support/failures.js';
import { signText } from '../support/partner-service.js';
import {
  expireBlockhashes,
  ledgerProblems,
  reward,
  startRewardsScene,
  untilClaim,
  type RewardsScene,
} from '../support/rewards.js';
import { finalize } from '../support/service.js';
import { openTokenAccount } from '../support/tokens.js';

const SOL = 1_000_000_000n;
const U64_MAX = 0xffff_ffff_ffff_ffffn;

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
    client = new RewardsClient({ baseUrl: `${scene.service.url}/` });
  });
  after(() => scene?.stop());

  const rewarded = async (asset: 'SOL' | 'TOKEN', amount: bigint): Promise<ClaimingWallet> => {
    const keypair = Keypair.generate();
    await reward(scene.database, keypair.publicKey, scene.mint, asset, amount);
    return walletOf(keypair);
  };

  it('reads rewards, of any size, with either scheme', async () => {
    const wallet = await rewarded('TOKEN', U64_MAX);
    for (const scheme of ['bound', 'timestamp'] as const) {
      const [entry] = await new RewardsClient({ baseUrl: scene.service.url, scheme }).rewards(wallet);
      expect(entry?.unclaimedRewards).to.deep.equal({
        sol: 0n,
        solUi: '0',
        token: U64_MAX,
        tokenUi: '18446744073709.551615',
      });
      expect(entry?.tokenInfo.address).to.equal(scene.mint);
    }
    const { allTimeRewards } = await client.rewardsOf(wallet, scene.token.mint);
    expect(allTimeRewards.token).to.equal(U64_MAX);
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
    const signature = await client.claim(wallet, request, { connection, onProgress, pollMs: 20 });
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

  it('claims tokens to burn them', async () => {
    const wallet = await rewarded('TOKEN', 5n);
    const request = { tokenAddress: scene.token.mint, claimType: 'TOKEN', burnToken: true } as const;
    const { connection } = cluster();
    const onProgress = ({ stage }: ClaimProgress) => {
      if (stage === 'submitted') void finalize(cluster());
    };
    const signature = await client.claim(wallet, request, { connection, onProgress, pollMs: 20 });
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
    const signature = await client.claim(wallet, request, { connection, onProgress, pollMs: 20 });
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

  it('reads JSON as JSON.parse does, but for large integers', () => {
    const texts = ['{"a":[1,-2.5e3,true,null,"\\u00e9\\n"],"b":{}}', ' [ ] ', '0', '-0', '1E2', '"x"'];
    for (const text of texts) expect(parseJson(text)).to.deep.equal(JSON.parse(text));
    expect(parseJson('[9007199254740991,9007199254740993,-18446744073709551616]')).to.deep.equal([
      9007199254740991,
      9007199254740993n,
      -18446744073709551616n,
    ]);
    const wrong = [
      '',
      '{',
      '[1,]',
      '{"a"}',
      '01',
      '+1',
      '1.',
      '"\n"',
      '"\\x"',
      'tru',
      '1 2',
      '{a:1}',
      '['.repeat(200),
    ];
    for (const text of wrong) expect(() => parseJson(text), text).to.throw(JsonError);
  });
});
