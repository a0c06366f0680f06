// What claims take from the treasury beside their amounts never comes out of what it owes, however many come at once.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { lamportsOf } from '#tests/cluster/accounts.js';
import type { ApiAnswer } from '#tests/service/api-client.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import {
  initiate,
  ledgerProblems,
  reward,
  startRewardsScene,
  transactionOf,
  type RewardsScene,
  untilClaimsEnd,
} from '#tests/service/rewards.js';
import { finalize } from '#tests/service/service.js';
import { SOL } from '#tests/constants.js';

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
    await untilClaimsEnd(scene.database);
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
    const paid = await initiate(scene, owner, { claimType: 'SOL' });
    expect(paid.status, paid.text).to.equal(200);
  });
});
