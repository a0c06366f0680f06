// What claims take from the treasury beside their amounts never comes out of what it owes, however many come at once.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { eq, sql } from 'drizzle-orm';
import { claims } from '../../app/src/db/schema/index.js';
import type { Database } from '../../app/src/db/database.js';
import { credit } from '../../app/src/db/ledger.js';
import { ClaimsRepository, type NewClaim } from '../../app/src/rewards/claims-repository.js';
import { lamportsOf } from '../support/accounts.js';
import type { ApiAnswer } from '../support/api-client.js';
import { useCluster } from '../support/cluster.js';
import { DATABASE_KIND, openTestDatabase } from '../support/database.js';
import {
  initiate,
  ledgerProblems,
  reward,
  startRewardsScene,
  transactionOf,
  type RewardsScene,
} from '../support/rewards.js';
import { eventually, finalize } from '../support/service.js';

const SOL = 1_000_000_000n;
const NETWORK_FEE = 10_000n;
const WALLET_RENT = 890_880n;
const ACCOUNT_RENT = 2_039_280n;
const TOKENS = 1_234_567n;
/** Not enough for another claim. */
const REST = NETWORK_FEE - 1n;

describe(`the treasury of claims (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const cluster = useCluster();
  let scene: RewardsScene;
  /** Has a reward of SOL that it leaves alone. */
  let owner: Keypair;

  beforeEach('start the service', async () => {
    scene = await startRewardsScene(cluster());
    owner = Keypair.generate();
    await reward(scene.database, owner.publicKey, scene.mint, 'SOL', 10n * SOL);
  });
  afterEach(async () => {
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
    await scene.stop();
  });

  const rewarded = async (): Promise<Keypair> => {
    const wallet = Keypair.generate();
    await reward(scene.database, wallet.publicKey, scene.mint, 'TOKEN', TOKENS);
    return wallet;
  };
  /** Leaves the treasury so much above what it owes and must keep. */
  const leave = (surplus: bigint) =>
    cluster().setAccount(scene.treasury.publicKey, { lamports: 10n * SOL + WALLET_RENT + surplus });
  const surplus = async () =>
    (await lamportsOf(cluster().connection, scene.treasury.publicKey)) - 10n * SOL - WALLET_RENT;

  /** Claims of new wallets, all at once. @returns those that were paid, each as its wallet and transaction */
  async function claimAtOnce(count: number, burnToken = false): Promise<[Keypair, ApiAnswer][]> {
    const wallets: Keypair[] = [];
    for (let made = 0; made < count; made += 1) wallets.push(await rewarded());
    const answers = await Promise.all(
      wallets.map((wallet) => initiate(scene, wallet, { claimType: 'TOKEN', burnToken })),
    );
    for (const { status, body } of answers) {
      if (status === 200) continue;
      expect([status, body['message']]).to.deep.equal([
        400,
        'The treasury is short of SOL for the network at the moment; try again later',
      ]);
    }
    return wallets.flatMap((wallet, index) =>
      answers[index]!.status === 200 ? [[wallet, answers[index]!]] : [],
    );
  }

  async function land(paid: readonly [Keypair, ApiAnswer][]): Promise<void> {
    for (const [wallet, answer] of paid) {
      const transaction = transactionOf(answer);
      transaction.sign([wallet]);
      await cluster().sendSigned(transaction);
    }
  }

  async function untilEnded(): Promise<void> {
    await finalize(cluster());
    await eventually(async () => {
      const open = eq(claims.state, 'IN_PROGRESS');
      return (await scene.database.queries.select().from(claims).where(open)).length === 0;
    }, 'the end of every claim');
  }

  it('pays fees and rent of many claims of tokens at once out of its surplus only', async () => {
    await leave(3n * (NETWORK_FEE + ACCOUNT_RENT) + REST);
    const paid = await claimAtOnce(12);
    expect(paid).to.have.length(3);
    // Neither those that are signed, nor those that have landed but are not finalized, leave room for more.
    expect(await claimAtOnce(1)).to.deep.equal([]);
    await land(paid);
    expect(await surplus()).to.equal(REST);
    expect(await claimAtOnce(1)).to.deep.equal([]);
    await untilEnded();
    expect(await claimAtOnce(1)).to.deep.equal([]);
    expect(await surplus()).to.equal(REST);
  });

  it('counts the rent that claims which burn take while they land', async () => {
    await leave(NETWORK_FEE + ACCOUNT_RENT + REST);
    const paid = await claimAtOnce(4, true);
    expect(paid).to.have.length(1);
    await land(paid);
    expect(await surplus()).to.equal(ACCOUNT_RENT + REST);
  });

  it('does not promise SOL that claims of tokens under way take', async () => {
    await leave(NETWORK_FEE + ACCOUNT_RENT);
    expect(await claimAtOnce(1)).to.have.length(1);
    await leave(NETWORK_FEE + ACCOUNT_RENT - 1n);
    const refused = await initiate(scene, owner, { claimType: 'SOL' });
    expect(refused.body['message']).to.equal('The treasury is short of SOL at the moment; try again later');
    await leave(NETWORK_FEE + ACCOUNT_RENT);
    expect((await initiate(scene, owner, { claimType: 'SOL' })).status).to.equal(200);
  });
});

describe(`claims in the database (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const MINT = 'mint';
  let database: Database;
  let repository: ClaimsRepository;
  beforeEach(async () => {
    database = await openTestDatabase();
    repository = new ClaimsRepository(database);
  });
  afterEach(() => database.close());

  const claimOf = (wallet: string, more: Partial<NewClaim> = {}): NewClaim => ({
    ...{ signature: `claim of ${wallet}`, wallet, mint: MINT, asset: 'TOKEN', amount: TOKENS, burn: false },
    ...{ networkFee: NETWORK_FEE, opensAccount: true, rent: ACCOUNT_RENT, transaction: 'AAAA' },
    ...{ blockhashSlot: 1, lastValidBlockHeight: 150, ...more },
  });
  const creditWallets = (wallets: readonly string[], asset: 'SOL' | 'TOKEN' = 'TOKEN') =>
    database.transaction((tx) =>
      credit(tx, 'settlement', {
        ...{ key: `${asset} of ${wallets.join()}`, mint: MINT, asset },
        credits: wallets.map((wallet) => ({ wallet, amount: TOKENS })),
      }),
    );
  const since = new Date(0);

  it('are judged one after the other, each beside those before it', async () => {
    const wallets = Array.from({ length: 20 }, (_, index) => `wallet ${index}`);
    await creditWallets(wallets);
    const costs = NETWORK_FEE + ACCOUNT_RENT;
    const results = await Promise.allSettled(
      wallets.map((wallet) =>
        repository.store(claimOf(wallet), undefined, {
          since,
          require: ({ tokenClaimCosts }) => {
            if (tokenClaimCosts + costs > 5n * costs) throw new RangeError('short');
          },
        }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(5);
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as Error] : [],
    );
    expect(refused.every((error) => error instanceof RangeError)).to.equal(true);
    expect(await repository.obligations(MINT, since)).to.deep.equal({
      ...{ reservedSol: 0n, reservedToken: 5n * TOKENS, tokenClaimCosts: 5n * costs },
    });
    expect(await ledgerProblems(database)).to.deep.equal([]);
  });

  it('count as under way until after the balance was read', async () => {
    await creditWallets(['paid', 'failed', 'expired']);
    await creditWallets(['paid SOL'], 'SOL');
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
    const ends = {
      paid: 'COMPLETED',
      failed: 'FAILED',
      expired: 'EXPIRED',
      'paid SOL': 'COMPLETED',
    } as const;
    for (const [wallet, state] of Object.entries(ends)) {
      const sol = wallet === 'paid SOL';
      const claim = claimOf(wallet, sol ? { asset: 'SOL', opensAccount: false, rent: 0n } : {});
      expect(await repository.store(claim, undefined)).to.equal(undefined);
      await repository.end(claim.signature, state, null, at(10));
    }
    expect(await repository.obligations(MINT, at(9))).to.deep.equal({
      ...{ reservedSol: TOKENS, reservedToken: TOKENS },
      tokenClaimCosts: 2n * (NETWORK_FEE + ACCOUNT_RENT),
    });
    const none = { reservedSol: 0n, reservedToken: 0n, tokenClaimCosts: 0n };
    expect(await repository.obligations(MINT, at(11))).to.deep.equal(none);
  });

  it('owe what settlements under way will credit, before they do', async () => {
    await creditWallets(['wallet'], 'SOL');
    expect(await repository.owedSol()).to.equal(TOKENS);
    await database.queries.execute(sql`
      insert into settlements (mint, creator, state, sol, sol_holders, sol_lp, sol_creator, sol_creator_credited)
      values ('mint 1', 'creator', 'planned', 100, 70, 10, 20, 5), ('mint 2', 'creator', 'failed', 9, 9, 0, 0, 0)
    `);
    expect(await repository.owedSol()).to.equal(TOKENS + 75n);
  });

  it('in progress are listed page by page, each once, though many are of the same millisecond', async () => {
    await database.queries.execute(sql`
      insert into claims (signature, wallet, mint, asset, amount, network_fee, burn, transaction, blockhash_slot,
        last_valid_block_height, created_at)
      select 'claim ' || i, 'wallet ' || i, 'mint', 'TOKEN', 1, 1, false, '', 1, 1,
        timestamptz '2026-01-01 00:00:00.0001' + (i % 40) * interval '37 microseconds'
      from generate_series(1, 100) i
    `);
    const listed: string[] = [];
    let page = await repository.open(7);
    while (page.length > 0 && listed.length < 200) {
      listed.push(...page.map(({ signature }) => signature));
      page = await repository.open(7, page.at(-1));
    }
    expect(listed).to.have.length(100);
    expect(new Set(listed).size).to.equal(100);
  });
});
