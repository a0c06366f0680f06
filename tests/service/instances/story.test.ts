// The whole story: a partner, its user, a holder without SOL, and the operator, whose service and commands run as separate processes.
// It runs on Surfpool with PGlite, and on solana-test-validator with PostgreSQL and Redis.
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress, keypairWallet } from '@curvekit/sdk';
import { PartnerClient } from '@curvekit/sdk/partner';
import { RewardsClient, type ClaimProgress } from '@curvekit/sdk/rewards';
import { signatureBy } from '#app/keys/ed25519.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { CLUSTER, useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { databaseOfRuntimeRole } from '#tests/database/roles.js';
import { DocumentedAnswers } from '#tests/service/documented-answers.js';
import { Operator } from '#tests/service/operator.js';
import { startRedis, type RedisServer } from '#tests/database/redis.js';
import { eventually, finalize } from '#tests/service/service.js';
import {
  clusterEnvironment,
  finalizeAll,
  keyVariable,
  whileFinalizing,
} from '#tests/service/service-context.js';
import {
  buyTokens,
  launch,
  openTokenAccount,
  tokensOf,
  transferTokens,
  WHOLE_CURVE_LAMPORTS,
  type Token,
} from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

const TIMEOUT_MS = 120_000;
const SPENT = 5n * SOL;
/** 1 % of SPENT. */
const FEE = 50_000_000n;
/** 10 % of FEE. */
const REFERRAL_REWARD = 5_000_000n;
/** Longest time from a trade's confirmation until its reward is visible. */
const VISIBLE_MS = 2_000;
/** For two signatures of a claim: the treasury's and the wallet's. */
const NETWORK_FEE = 10_000n;
/** 5 % of what the curve held. */
const AFTER_MIGRATION_FEE_BPS = 500;

/** Amounts in the format of the command line. */
interface Migration {
  readonly moved: { readonly sol: string; readonly token: string };
  readonly contributed: { readonly sol: string; readonly token: string };
}

interface Settlements {
  readonly settlements: readonly {
    readonly outcome: string;
    readonly settlement: { readonly sol: string; readonly solHolders: string; readonly tokenHolders: string };
  }[];
}

interface LedgerCheck {
  readonly problems: readonly unknown[];
  readonly totals: readonly ({ readonly asset: string } & Record<
    'credited' | 'claimable' | 'reserved' | 'claimed',
    string
  >)[];
}

describe(`the story, on ${CLUSTER} and ${DATABASE_KIND}`, () => {
  const cluster = useKeyHeldCluster();
  const payoutWallet = Keypair.generate();
  /** Holds tokens, and has no SOL before its claim. */
  const holder = Keypair.generate();
  let redis: RedisServer | undefined;
  let operator: Operator;
  let fetch: typeof globalThis.fetch;
  let partner: () => PartnerClient;
  let user: Keypair;
  let whale: Keypair;
  let token: Token;
  let settled: Settlements['settlements'][number]['settlement'];

  before('the operator sets up the service, the creator launches a token', async () => {
    const [treasury, lp, creator] = (await cluster().fundedWallets(3, SOL)) as [Keypair, Keypair, Keypair];
    [user, whale] = (await cluster().fundedWallets(2)) as [Keypair, Keypair];
    token = await launch(cluster(), { afterMigrationFee: AFTER_MIGRATION_FEE_BPS }, creator);
    const onPostgres = DATABASE_KIND === 'postgres';
    redis = onPostgres ? await startRedis() : undefined;
    const url = onPostgres ? await databaseOfRuntimeRole() : undefined;
    operator = new Operator({
      environment: {
        ...clusterEnvironment(cluster()),
        ...(url !== undefined && { DATABASE_URL: url }),
        ...(redis !== undefined && { REDIS_URL: redis.url }),
        TREASURY_KEYPAIR: keyVariable(treasury),
        LP_ADDRESS: lp.publicKey.toBase58(),
        // The fee receiver holds the migrated liquidity until it is in a pool.
        EXCLUDED_HOLDERS: cluster().feeReceiver.publicKey.toBase58(),
        SETTLEMENT_INTERVAL_SECONDS: '0',
        RATE_LIMIT_REQUESTS: '1000',
        PORT: '0',
        LOG_LEVEL: 'info',
      },
    });
    await operator.command('migrate-db');
    const wallet = payoutWallet.publicKey.toBase58();
    const { key } = await operator.command<{ key: string }>(
      ...['key', 'issue', '--partner', 'Acme', '--wallet', wallet],
    );
    await operator.start();
    ({ fetch } = await DocumentedAnswers.of(operator.url));
    partner = () => new PartnerClient({ baseUrl: operator.url, fetch, apiKey: key });
  });
  after(async () => {
    operator?.kill();
    await redis?.stop();
  });

  const rewardsClient = () => new RewardsClient({ baseUrl: operator.url, fetch, scheme: 'timestamp' });
  const unclaimedSol = async (wallet: Keypair): Promise<bigint> => {
    const rewards = await rewardsClient().rewards(keypairWallet(wallet));
    const ofToken = rewards.find(({ tokenInfo }) => tokenInfo.address === token.mint.toBase58());
    return ofToken?.unclaimedRewards.sol ?? 0n;
  };
  const tokensHeld = ({ publicKey }: { publicKey: PublicKey }) =>
    tokensOf(cluster().connection, associatedTokenAddress(publicKey, token.mint).address);

  it('the partner registers a user, who signs the message', async () => {
    const { message, nonce } = await partner().registrationMessage();
    expect(message).to.contain('Acme');
    const signature = signatureBy(user, Buffer.from(message));
    await partner().register({ publicKey: user.publicKey, signature, nonce });
    expect((await partner().stats()).users).to.equal(1n);
  });

  it('the user trades, and the payout wallet sees its reward within two seconds of confirmation', async () => {
    await buyTokens(cluster(), token, user, SPENT);
    const confirmedAt = performance.now();
    await eventually(
      async () => (await unclaimedSol(payoutWallet)) === REFERRAL_REWARD,
      'the reward',
      VISIBLE_MS,
    );
    expect(performance.now() - confirmedAt).to.be.below(VISIBLE_MS);
  });

  it('the token graduates, and a wallet without SOL holds half of the tokens that the curve has sold', async () => {
    await buyTokens(cluster(), token, whale, WHOLE_CURVE_LAMPORTS);
    const account = await openTokenAccount(cluster(), holder.publicKey, token.mint);
    await transferTokens(cluster(), token.mint, whale, account, (await tokensHeld(whale)) / 2n);
    expect(await lamportsOf(cluster().connection, holder.publicKey)).to.equal(0n);
  });

  it('the operator migrates the token, and its share goes to the community storages', async () => {
    const { moved, contributed } = await whileFinalizing(cluster(), () =>
      operator.command<Migration>('migrate', token.mint.toBase58()),
    );
    const { communityWsolStorage, communityTokenStorage } = token;
    for (const [asset, storage] of [
      ['sol', communityWsolStorage],
      ['token', communityTokenStorage],
    ] as const) {
      const share = (BigInt(moved[asset]) * BigInt(AFTER_MIGRATION_FEE_BPS)) / 10_000n;
      expect(BigInt(contributed[asset])).to.equal(share);
      expect(await tokensOf(cluster().connection, storage.address)).to.equal(share);
    }
  });

  it('the service books the finalized trade for the partner', async () => {
    await whileFinalizing(cluster(), () =>
      eventually(async () => (await partner().stats()).trades === 1n, "the user's trade", TIMEOUT_MS),
    );
    expect(await partner().stats()).to.deep.equal({
      users: 1n,
      trades: 1n,
      volumeSol: SPENT,
      feesSol: FEE,
      rewardSol: REFERRAL_REWARD,
    });
    const { users } = await partner().users();
    expect(users.map(({ publicKey }) => publicKey)).to.deep.equal([user.publicKey.toBase58()]);
    expect(users[0]).to.include({ volumeSol: SPENT, feesSol: FEE, rewardSol: REFERRAL_REWARD });
  });

  it('the operator settles, which credits the holders', async () => {
    const { settlements } = await whileFinalizing(cluster(), () =>
      operator.command<Settlements>('settle', token.mint.toBase58(), '--period', '2'),
    );
    expect(settlements.map(({ outcome }) => outcome)).to.deep.equal(['settled']);
    settled = settlements[0]!.settlement;
    expect(await tokensOf(cluster().connection, token.communityWsolStorage.address)).to.equal(0n);
  });

  it('the holder reads its share with a signed timestamp', async () => {
    const held = await Promise.all([holder, whale, user].map(tokensHeld));
    const all = held.reduce((sum, amount) => sum + amount, 0n);
    const part = (BigInt(settled.solHolders) * held[0]!) / all;
    expect(await unclaimedSol(holder)).to.be.oneOf([part, part + 1n]);
  });

  it('the holder and the partner claim with empty wallets, and track their claims to the end', async () => {
    // Fees pay the partner's reward. The service first moves them to the treasury.
    const unfunded = async () => {
      const metrics = await globalThis.fetch(`${operator.url}/metrics`).then((response) => response.text());
      return /^curvekit_referrals_unfunded_lamports (\d+)$/m.exec(metrics)?.[1];
    };
    const isFunded = async (): Promise<boolean> => {
      if ((await unfunded()) === '0') return true;
      // One step per second, so that blockhashes do not expire.
      if (cluster().kind === 'surfpool') await finalizeAll(cluster());
      await sleep(1_000);
      return false;
    };
    await eventually(isFunded, 'the fees in the treasury', TIMEOUT_MS);
    const due = await Promise.all([holder, payoutWallet].map(unclaimedSol));
    const seen = await Promise.all([holder, payoutWallet].map(claimSol));
    expect(seen).to.deep.equal([holder, payoutWallet].map(() => ['IN_PROGRESS', 'COMPLETED']));
    for (const [index, { publicKey }] of [holder, payoutWallet].entries())
      expect(await lamportsOf(cluster().connection, publicKey)).to.equal(due[index]! - NETWORK_FEE);
    expect(await Promise.all([holder, payoutWallet].map(unclaimedSol))).to.deep.equal([0n, 0n]);
  });

  it('the service stops on request, and the ledger adds up to the last lamport', async () => {
    await operator.stop();
    const { problems, totals } = await operator.command<LedgerCheck>('ledger', 'check');
    expect(problems).to.deep.equal([]);
    const sumOf = (asset: string, of: 'credited' | 'claimable' | 'reserved' | 'claimed') =>
      totals.filter((total) => total.asset === asset).reduce((sum, total) => sum + BigInt(total[of]), 0n);
    const [sol, units] = ['SOL', 'TOKEN'].map((asset) => ({
      credited: sumOf(asset, 'credited'),
      claimable: sumOf(asset, 'claimable'),
      reserved: sumOf(asset, 'reserved'),
      claimed: sumOf(asset, 'claimed'),
    }));
    expect(sol!.credited).to.equal(BigInt(settled.solHolders) + REFERRAL_REWARD);
    expect(sol!.claimable + sol!.claimed).to.equal(sol!.credited);
    expect([sol!.reserved, units!.reserved, units!.claimed]).to.deep.equal([0n, 0n, 0n]);
    expect(units!.credited).to.equal(BigInt(settled.tokenHolders));
    const paid = await Promise.all(
      [holder, payoutWallet].map(({ publicKey }) => lamportsOf(cluster().connection, publicKey)),
    );
    expect(sol!.claimed).to.equal(paid.reduce((sum, lamports) => sum + lamports + NETWORK_FEE, 0n));
  });

  /** @returns the states of the claim that the wallet saw */
  async function claimSol(wallet: Keypair): Promise<string[]> {
    const states: string[] = [];
    let finality: Promise<void> | undefined;
    const onProgress = (progress: ClaimProgress) => {
      if (progress.stage !== 'status') return;
      states.push(progress.status);
      // Surfpool finalizes nothing by itself.
      finality ??= finalize(cluster());
    };
    await rewardsClient().claim(
      keypairWallet(wallet),
      { tokenAddress: token.mint, claimType: 'SOL' },
      { connection: cluster().connection, onProgress, pollMs: 200 },
    );
    await finality;
    return states;
  }
});
