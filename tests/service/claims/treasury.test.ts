// Fees and rent of claims never come out of what the treasury owes, however many claims arrive at once. threat: spent-by-claims
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
/** Too little for another claim. */
const REST = NETWORK_FEE - 1n;

describe(`the treasury of claims (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const cluster = useCluster();
  let scene: RewardsScene;
  /** Has a SOL reward that it does not claim. */
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
  /** Leaves the treasury `surplus` lamports above what it owes and its own rent. */
  const leave = (surplus: bigint) =>
    cluster().setAccount(scene.treasury.publicKey, { lamports: 10n * SOL + WALLET_RENT + surplus });
  const surplus = async () =>
    (await lamportsOf(cluster().connection, scene.treasury.publicKey)) - 10n * SOL - WALLET_RENT;

  /** Sends claims of new wallets, all at once. @returns the accepted ones, each as wallet and answer */
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

  it('pays fees and rent of concurrent token claims only from its surplus', async () => {
    await leave(3n * (NETWORK_FEE + ACCOUNT_RENT) + REST);
    const paid = await claimAtOnce(12);
    expect(paid).to.have.length(3);
    // Signed claims, and landed claims that are not finalized, still hold their reserve.
    expect(await claimAtOnce(1)).to.deep.equal([]);
    await land(paid);
    expect(await surplus()).to.equal(REST);
    expect(await claimAtOnce(1)).to.deep.equal([]);
    await untilEnded();
    expect(await claimAtOnce(1)).to.deep.equal([]);
    expect(await surplus()).to.equal(REST);
  });

  it('reserves the rent that burning claims need while they land', async () => {
    await leave(NETWORK_FEE + ACCOUNT_RENT + REST);
    const paid = await claimAtOnce(4, true);
    expect(paid).to.have.length(1);
    await land(paid);
    expect(await surplus()).to.equal(ACCOUNT_RENT + REST);
  });

  it('does not spend on a SOL claim what token claims in progress need', async () => {
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
