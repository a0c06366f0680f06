import { Keypair, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { ApiError, PartnerClient, type MessageWallet } from '@curvekit/sdk/partner';
import { RewardsClient } from '@curvekit/sdk/rewards';
import type { Context } from '#app/context.js';
import { checkLedger } from '#app/ledger/check.js';
import { reindex } from '#app/index/reindex.js';
import { signatureBy } from '#app/keys/ed25519.js';
import { createMetrics } from '#app/base/metrics.js';
import { issueKey, rotateKey } from '#app/partners/keys.js';
import { startService, type Service } from '#app/service.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { openTestDatabase } from '#tests/database/database.js';
import { DocumentedAnswers } from '#tests/service/documented-answers.js';
import { eventually, finalize, testConfig } from '#tests/service/service.js';
import { buyTokens, launch, type Token } from '#tests/program/tokens.js';

const SPENT = 1_000_000_000n;
/** 10 % of the fee, which is 1 % of SPENT. */
const REWARD = 1_000_000n;

/** A partner's payout wallet, and the client of the partner's server. */
interface PartnerActor {
  readonly client: PartnerClient;
  readonly payoutWallet: Keypair;
}

describe("a partner's rewards and PartnerClient", () => {
  const cluster = useCluster();
  let service: Service;
  let token: Token;
  let fetch: typeof globalThis.fetch;

  before(async () => {
    const config = testConfig(cluster(), {
      PORT: '0',
      RATE_LIMIT_REQUESTS: '1000000',
      SETTLEMENT_INTERVAL_SECONDS: '0',
    });
    service = await startService(config, {
      overrides: {
        database: await openTestDatabase(),
        deployment: cluster().deployment,
        metrics: createMetrics({ ofProcess: false }),
      },
    });
    ({ fetch } = new DocumentedAnswers(service.document));
    token = await launch(cluster());
  });
  after(() => service.stop());

  async function newPartner(name: string): Promise<PartnerActor> {
    const payoutWallet = Keypair.generate();
    const { key } = await issueKey(service.context, {
      partner: name,
      payoutWallet: payoutWallet.publicKey.toBase58(),
    });
    return { client: new PartnerClient({ baseUrl: service.url, fetch, apiKey: key }), payoutWallet };
  }

  const rewardsOf = (wallet: Keypair) =>
    new RewardsClient({ baseUrl: service.url, fetch }).rewards(signer(wallet));
  const unclaimedOf = async (wallet: Keypair, mint: PublicKey) =>
    (await rewardsOf(wallet)).find(({ tokenInfo }) => tokenInfo.address === mint.toBase58())?.unclaimedRewards
      .sol ?? 0n;

  it('earn nothing for trades before the registration, or for trades of other wallets', async function () {
    this.timeout(120_000);
    const { client, payoutWallet } = await newPartner('Late');
    const [user, other] = (await cluster().fundedWallets(2)) as [Keypair, Keypair];
    await buyTokens(cluster(), token, user, SPENT);
    await client.registerUser(signer(user));
    await buyTokens(cluster(), token, other, SPENT);
    await buyTokens(cluster(), token, user, 2n * SPENT);
    await finalize(cluster());
    await eventually(async () => (await client.stats()).trades === 1n, 'the trade to be booked', 60_000);
    expect(await unclaimedOf(payoutWallet, token.mint)).to.equal(2n * REWARD);
  });

  it('are the same after a reindex', async function () {
    this.timeout(120_000);
    const { client, payoutWallet } = await newPartner('Again');
    const user = await cluster().fundedWallet();
    await client.registerUser(signer(user));
    await buyTokens(cluster(), token, user, SPENT);
    await finalize(cluster());
    await eventually(async () => (await client.stats()).trades === 1n, 'the trade to be booked', 60_000);
    const before = await client.stats();
    const { context } = service;
    await reindex(context.database);
    await eventually(async () => isIndexed(context, token.mint), 'the index', 60_000);
    await buyTokens(cluster(), token, user, SPENT);
    await finalize(cluster());
    await eventually(async () => (await client.stats()).trades === 2n, 'the next trade', 60_000);
    expect((await client.stats()).rewardSol).to.equal(before.rewardSol + REWARD);
    expect(await unclaimedOf(payoutWallet, token.mint)).to.equal(2n * REWARD);
    expect(await checkLedger(context.database.queries, { whole: true })).to.deep.equal([]);
  });

  describe('PartnerClient', () => {
    it('reports the code of a refusal', async () => {
      const { client } = await newPartner('Codes');
      const user = Keypair.generate();
      await client.registerUser(signer(user));
      await expectRefusal(client.registerUser(signer(user)), 409, 'ALREADY_REGISTERED');
      const forged: MessageWallet = {
        ...signer(Keypair.generate()),
        address: Keypair.generate().publicKey.toBase58(),
      };
      await expectRefusal(client.registerUser(forged), 403, 'INVALID_SIGNATURE');
      const { nonce } = await client.registrationMessage();
      const signed = {
        publicKey: user.publicKey,
        signature: new Uint8Array(64),
        nonce: nonce.replace(/./g, '0'),
      };
      await expectRefusal(client.register(signed), 403, 'INVALID_NONCE');
    });

    it('works with the next key after the old one has ended', async () => {
      const issued = await issueKey(service.context, {
        partner: 'Rotating',
        payoutWallet: Keypair.generate().publicKey.toBase58(),
      });
      const { issued: next } = await rotateKey(service.context, issued.id, { overlapSeconds: 0 });
      const clientOf = (apiKey: string) => new PartnerClient({ baseUrl: service.url, fetch, apiKey });
      await expectRefusal(clientOf(issued.key).version(), 401, 'INVALID_API_KEY');
      expect(await clientOf(next.key).version()).to.equal('v1');
    });

    it('lists every user, page by page', async function () {
      this.timeout(60_000);
      const { client } = await newPartner('Many');
      const users = Array.from({ length: 101 }, () => Keypair.generate());
      for (const user of users) await client.registerUser(signer(user));
      const listed: string[] = [];
      for await (const { publicKey } of client.allUsers()) listed.push(publicKey);
      expect(listed.sort()).to.deep.equal(users.map(({ publicKey }) => publicKey.toBase58()).sort());
      const first = await client.users({ limit: 2 });
      expect(first.users).to.have.length(2);
      expect(first.nextCursor).to.be.a('string');
    });

    it('refuses an invalid key or limit without a request', async () => {
      expect(() => new PartnerClient({ baseUrl: service.url, apiKey: 'secret' })).to.throw('apiKey');
      const { client } = await newPartner('Limits');
      await expectMessage(client.users({ limit: 101 }), 'limit must be a whole number from 1 to 100');
    });
  });
});

function signer({ publicKey, secretKey }: Keypair): MessageWallet {
  return {
    address: publicKey.toBase58(),
    signMessage: (message) => Promise.resolve(signatureBy({ secretKey }, message)),
  };
}

async function isIndexed({ database }: Context, mint: PublicKey): Promise<boolean> {
  const found = await database.queries.query.tokens.findFirst({
    where: (tokens, { eq }) => eq(tokens.mint, mint.toBase58()),
  });
  return found !== undefined;
}

async function expectRefusal(attempt: Promise<unknown>, status: number, code: string): Promise<void> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error, 'nothing was refused').to.be.instanceOf(ApiError);
  expect(error).to.include({ status, code });
}

async function expectMessage(attempt: Promise<unknown>, message: string): Promise<void> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect((error as Error | undefined)?.message).to.contain(message);
}
