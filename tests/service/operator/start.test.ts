import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { keypairWallet } from '@curvekit/sdk';
import { PartnerClient } from '@curvekit/sdk/partner';
import { RewardsClient } from '@curvekit/sdk/rewards';
import { firstDocument, spawnLaunchpad, type Launchpad } from '#tests/process/first-document.js';
import { DocumentedAnswers } from '#tests/service/documented-answers.js';
import { eventually } from '#tests/service/service.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const START_TIMEOUT_MS = 120_000;

describe('curvekit start --local', () => {
  const folder = temporaryFolder('start');
  let running: ChildProcess;
  let launchpad: Launchpad;
  let fetch: typeof globalThis.fetch;

  before(async () => {
    running = await spawnLaunchpad(folder);
    launchpad = await firstDocument<Launchpad>(running);
    ({ fetch } = await DocumentedAnswers.of(launchpad.url));
  });
  after(() => {
    running.kill('SIGKILL');
  });

  it('serves the API, its documents, health and metrics', async () => {
    await eventually(
      async () => (await fetch(`${launchpad.url}/ready`)).status === 200,
      'the service to be ready',
      START_TIMEOUT_MS,
    );
    for (const path of ['/docs', '/openapi.json', '/health', '/metrics'])
      expect((await fetch(launchpad.url + path)).status, path).to.equal(200);
  });

  it('publishes a node that pages of other origins can ask', async () => {
    const { rpcUrl } = (await (await fetch(`${launchpad.url}/v1/launchpad`)).json()) as { rpcUrl: string };
    expect(rpcUrl).to.equal(launchpad.rpcUrl);
    const origin = 'http://localhost:8000';
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const allowed = await globalThis.fetch(rpcUrl, { method: 'OPTIONS', headers: { origin, ...asked } });
    expect(allowed.headers.get('access-control-allow-origin')).to.equal(origin);
    expect(allowed.headers.get('access-control-allow-headers')).to.equal('content-type');
  });

  it('has tokens with trades by users of the partner whose key it printed', async () => {
    expect(launchpad.tokens).to.have.length(6);
    const client = new PartnerClient({ baseUrl: launchpad.url, fetch, apiKey: launchpad.partnerKey });
    expect((await client.stats()).users).to.equal(3n);
    await eventually(
      async () => (await client.stats()).trades > 0n,
      'a trade to be booked',
      START_TIMEOUT_MS,
    );
    const { volumeSol, feesSol, rewardSol } = await client.stats();
    expect(volumeSol > feesSol && feesSol > rewardSol && rewardSol > 0n).to.equal(true);
  });

  it('stores the pictures and texts of its tokens itself', async () => {
    for (const { mint } of launchpad.tokens) {
      const read = async () =>
        (await (await fetch(`${launchpad.url}/v1/market/tokens/${mint}`)).json()) as {
          image: string | null;
          description: string | null;
          metadataProblem?: string | null;
        };
      await eventually(async () => Boolean((await read()).image), `the picture of ${mint}`);
      const { image, description } = await read();
      expect(description).to.be.a('string').and.not.equal('');
      const picture = await globalThis.fetch(new URL(image!, launchpad.url));
      expect([picture.status, picture.headers.get('content-type')]).to.deep.equal([200, 'image/webp']);
    }
  });

  it('shows the rewards of the payout wallet whose keypair it wrote', async () => {
    const file = await readFile(launchpad.payoutWalletFile, 'utf8');
    const wallet = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(file) as number[]));
    expect(wallet.publicKey.toBase58()).to.equal(launchpad.payoutWallet);
    const client = new RewardsClient({ baseUrl: launchpad.url, fetch });
    const rewards = await client.rewards(keypairWallet(wallet));
    expect(rewards).not.to.have.length(0);
    for (const { tokenInfo, unclaimedRewards } of rewards) {
      expect(launchpad.tokens.map(({ mint }) => mint)).to.include(tokenInfo.address);
      expect(unclaimedRewards.sol > 0n).to.equal(true);
    }
  });

  it('stops on SIGINT with exit code 0', async () => {
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGINT');
    expect(await ended).to.equal(0);
  });
});
