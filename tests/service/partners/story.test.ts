import { Keypair, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { PartnerClient, type MessageWallet } from '@curvekit/sdk/partner';
import { RewardsClient } from '@curvekit/sdk/rewards';
import type { Context } from '#app/context.js';
import { checkLedger } from '#app/ledger/check.js';
import { reindex } from '#app/index/reindex.js';
import { signatureBy } from '#app/keys/ed25519.js';
import { createMetrics } from '#app/base/metrics.js';
import { issueKey } from '#app/partners/keys.js';
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
