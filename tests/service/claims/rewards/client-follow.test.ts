// RewardsClient follows a signed claim to its end although the proxy in front of the service fails.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import {
  ApiError,
  ClaimUnknownError,
  isRefusal,
  RewardsClient,
  type ClaimProgress,
} from '@curvekit/sdk/rewards';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { startRewardsScene, type RewardsScene } from '#tests/service/rewards.js';
import { eventually, finalize } from '#tests/service/service.js';
import { forward } from '#tests/network/forward.js';
import { SOL } from '#tests/constants.js';
import { rewardedWallet } from '#tests/service/browser-wallet.js';

describe(`RewardsClient behind a proxy that fails (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const cluster = useCluster();
  let scene: RewardsScene;
  /** The proxy's answers to the next status requests, in order. Afterwards the service answers. */
  let failures: ((response: ServerResponse) => void)[] = [];
  let front: Server;
  let url: string;

  before(async () => {
    scene = await startRewardsScene(cluster());
    front = createServer((request, response) => {
      const failure = request.url?.endsWith('/status') === true ? failures.shift() : undefined;
      if (failure !== undefined) failure(response);
      else void forward(request, response, scene.service.url);
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  });
  after(async () => {
    await new Promise((resolve) => front.close(resolve));
    await scene?.stop();
  });

  const refuse =
    (status: number, code?: string, headers: Record<string, string> = {}) =>
    (response: ServerResponse) => {
      const body = code === undefined ? '<html>' : JSON.stringify({ status: 'error', code, message: code });
      response.writeHead(status, headers).end(body);
    };
  const drop = (response: ServerResponse) => response.destroy();

  /** Claims through an RPC node that drops every submitted transaction until the last failure is over. */
  const claiming = async (signal?: AbortSignal) => {
    const wallet = await rewardedWallet(scene, 'SOL', SOL);
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

  it('waits for Retry-After before the next status request, and submits meanwhile', async () => {
    failures = [refuse(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '1' })];
    const { claim, told, submissions } = await claiming();
    const isTold = () => Promise.resolve(told.some(({ stage }) => stage === 'unknown'));
    await eventually(isTold, 'the refusal');
    const [toldAt, before] = [performance.now(), submissions.count];
    await claim;
    expect(performance.now() - toldAt).to.be.at.least(800);
    expect(submissions.count).to.be.greaterThan(before + 1);
    expect(told.filter(({ stage }) => stage === 'unknown')).to.have.length(1);
  });

  it('waits for at most 60 polls when Retry-After names a longer time', async () => {
    failures = [refuse(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '86400' })];
    const { wallet, claim } = await claiming();
    await claim;
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL - 10_000n);
  });

  it('stops when its signal aborts, although the service stays unreachable', async () => {
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

  it('throws an error with the signature if the API does not know the claim', async () => {
    failures = [drop, refuse(404, 'CLAIM_NOT_FOUND')];
    const { claim, told } = await claiming();
    const { signature, cause } = await rejection(claim, ClaimUnknownError);
    expect(signature).to.equal(told[0]?.signature);
    expect(isRefusal(cause, 'CLAIM_NOT_FOUND')).to.equal(true);
  });
});
