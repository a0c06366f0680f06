// The service pays referral rewards from the fees that they are a share of. It first moves these fees to the treasury.
// threat: mixed-cover, withdrawn-fees
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { Keypair, SystemProgram, type PublicKey } from '@solana/web3.js';
import { checkReferralFees, checkTreasury } from '#app/operator/doctor/treasury-checks.js';
import { coverFromSurplus, KEPT_FREE, readFees, unfundedRewards } from '#app/claims/cover.js';
import { bookFunding, fundReferrals, LEAST_MOVED } from '#app/graduation/funding/fund-referrals.js';
import type { Context } from '#app/context.js';
import { authorityTransactions, treasuryFundings } from '#app/db/schema/index.js';
import { localSigner } from '#app/keys/local-signer.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { creditOf } from '#tests/database/ledger.js';
import {
  initiate,
  ledgerProblems,
  reward,
  startRewardsScene,
  transactionOf,
  untilClaim,
} from '#tests/service/rewards.js';
import {
  clusterEnvironment,
  contextFrom,
  keyVariable,
  whileFinalizing,
} from '#tests/service/service-context.js';
import { eventually, finalize } from '#tests/service/service.js';
import bs58 from 'bs58';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';

const MINT = 'So11111111111111111111111111111111111111112';
const REWARD = 5_000_000n;
const NOT_YET = 'The fees that pay these rewards are not in the treasury yet; try again later';

describe(`fees that back referral rewards (${DATABASE_KIND})`, () => {
  const cluster = useKeyHeldCluster();
  const database = useDatabase({ each: true, paymentsOpen: true });
  let treasury: Keypair;
  let context: Context;

  beforeEach(async () => {
    treasury = await cluster().fundedWallet();
    context = await contextFrom(
      { ...clusterEnvironment(cluster()), TREASURY_KEYPAIR: keyVariable(treasury) },
      database,
    );
  });

  const keys = () => ({ feeReceiver: localSigner(cluster().feeReceiver), treasury: treasury.publicKey });
  const fund = () => whileFinalizing(cluster(), () => fundReferrals(context, keys(), NEVER_ABORTED));
  const owe = (amount: bigint, wallet = Keypair.generate()) =>
    creditOf(database, { wallet: wallet.publicKey.toBase58(), mint: MINT, asset: 'SOL', amount }, 'referral');
  const held = () => lamportsOf(cluster().connection, treasury.publicKey);

  it('are moved once, in the amount that is owed', async () => {
    const before = await held();
    await owe(REWARD);
    expect(await unfundedRewards(database.queries)).to.equal(REWARD);
    expect(await fund()).to.deep.equal({ moved: REWARD, unfunded: 0n });
    expect(await held()).to.equal(before + REWARD);
    expect(await fund()).to.deep.equal({ moved: 0n, unfunded: 0n });
    await owe(LEAST_MOVED - 1n);
    expect(await fund()).to.deep.equal({ moved: 0n, unfunded: LEAST_MOVED - 1n });
    await owe(1n);
    expect((await fund()).moved).to.equal(LEAST_MOVED);
    expect(await held()).to.equal(before + REWARD + LEAST_MOVED);
    expect(await database.queries.select().from(treasuryFundings)).to.have.length(2);
  });

  it('are booked, and not moved again, after a crash between sending and booking', async () => {
    const before = await held();
    await owe(REWARD);
    // The transaction is stored and then lands, but the process dies before it sees that.
    const dying = new AbortController();
    const stopped = rejection(
      fundReferrals(
        { ...context, connection: withNoAnswers(context.connection, () => dying.abort()) },
        keys(),
        dying.signal,
      ),
      Error,
    );
    await stopped;
    const [stored] = await database.queries.select().from(authorityTransactions);
    await cluster().connection.sendRawTransaction(Buffer.from(stored!.transaction, 'base64'));
    expect(await database.queries.select().from(treasuryFundings)).to.deep.equal([]);
    expect(await fund()).to.deep.equal({ moved: REWARD, unfunded: 0n });
    expect(await held()).to.equal(before + REWARD);
  });

  it('report what to do when the fee receiver has too little', async () => {
    const { feeReceiver } = cluster();
    const whole = await lamportsOf(cluster().connection, feeReceiver.publicKey);
    await cluster().setAccount(feeReceiver.publicKey, { lamports: 1_000_000n });
    atEnd(() => cluster().setAccount(feeReceiver.publicKey, { lamports: whole }));
    await owe(REWARD);
    const { moved, unfunded, problem } = await fund();
    expect([moved, unfunded]).to.deep.equal([0n, REWARD]);
    expect(problem).to.contain('5000000 of rewards are owed').and.to.contain('send them to the treasury');
  });

  it('are used from the treasury when they came before the rewards, as long as it shows them', async () => {
    const { connection } = cluster();
    const cover = () => coverFromSurplus(context, treasury.publicKey);
    await database.transaction((tx) => bookFunding(tx, { signature: 'early', amount: REWARD, slot: 1 }));
    await owe(REWARD);
    await cluster().setAccount(treasury.publicKey, { lamports: KEPT_FREE + 1_000n });
    expect(await cover()).to.equal(1_000n);
    expect(await unfundedRewards(database.queries)).to.equal(REWARD - 1_000n);
    // A balance that is older than a payment may show lamports that were paid.
    await cluster().setAccount(treasury.publicKey, { lamports: KEPT_FREE + REWARD });
    const finalized = await connection.getSlot('finalized');
    await database.queries.execute(sql`update treasury set settled_slot = ${finalized + 1_000_000}`);
    expect(await cover()).to.equal(0n);
    await database.queries.execute(sql`update treasury set settled_slot = 0`);
    expect(await cover()).to.equal(REWARD - 1_000n);
    expect(await unfundedRewards(database.queries)).to.equal(0n);
    expect(await ledgerProblems(database)).to.deep.equal([]);
  });

  it("are the operator's beyond what partners are owed: withdrawn, they block no claim", async () => {
    const { connection, feeReceiver } = cluster();
    const scene = await startRewardsScene(cluster(), { fundingIntervalMs: 100 });
    atEnd(() => scene.stop());
    const [holder, tokenHolder, partner] = [Keypair.generate(), Keypair.generate(), Keypair.generate()];
    await reward(scene.database, holder.publicKey, scene.mint, 'SOL', SOL);
    await reward(scene.database, tokenHolder.publicKey, scene.mint, 'TOKEN', 1_000n);
    await cluster().fund(feeReceiver.publicKey, 21n * SOL);
    const send = async (from: Keypair, to: PublicKey, lamports: bigint) => {
      const transfer = SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });
      await cluster().send([transfer], [from]);
      await finalize(cluster());
    };
    const fees = () => readFees(scene.database.queries);
    const untilFees = (surplus: bigint, unfunded = 0n) =>
      eventually(async () => {
        const read = await fees();
        return read.surplus === surplus && read.unfunded === unfunded;
      }, `${surplus} lamports of surplus and ${unfunded} unfunded`);
    await send(feeReceiver, scene.treasury.publicKey, 20n * SOL);
    await untilFees(20n * SOL);
    const has = await lamportsOf(connection, scene.treasury.publicKey);
    const working = 20_000_000n;
    await send(scene.treasury, Keypair.generate().publicKey, has - SOL - working);
    const { config } = scene.service.context;
    const doctor = () => checkTreasury({ config, connection }, scene.database);
    expect(await doctor()).to.include({ state: 'ok' });
    expect((await initiate(scene, tokenHolder, { claimType: 'TOKEN' })).status).to.equal(200);
    const claimed = await initiate(scene, holder, { claimType: 'SOL' });
    expect(claimed.status, claimed.text).to.equal(200);
    // What is left of the surplus is less than the next reward.
    const owed = {
      wallet: partner.publicKey.toBase58(),
      mint: scene.mint,
      asset: 'SOL',
      amount: SOL,
    } as const;
    await creditOf(scene.database, owed, 'referral');
    const early = await initiate(scene, partner, { claimType: 'SOL' });
    expect(early.body['message']).to.equal(NOT_YET);
    await eventually(async () => (await fees()).unfunded < SOL, 'the rest of the surplus');
    const { unfunded, surplus } = await fees();
    expect(unfunded > SOL - working).to.equal(true);
    expect((await checkReferralFees({ config }, scene.database)).fix).to.contain('or wait for further fees');
    expect(await doctor()).to.include({ state: 'ok' });
    await send(feeReceiver, scene.treasury.publicKey, unfunded);
    await untilFees(surplus);
    const paid = await initiate(scene, partner, { claimType: 'SOL' });
    expect(paid.status, paid.text).to.equal(200);
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
  });

  it('back a reward at the moment of its claim when they came earlier; others are refused until the fees are moved', async () => {
    const feeReceiver = localSigner(cluster().feeReceiver);
    const scene = await startRewardsScene(cluster(), {
      environment: { FEE_RECEIVER_KEYPAIR: keyVariable(cluster().feeReceiver) },
      fundingIntervalMs: 1_000_000,
    });
    atEnd(() => scene.stop());
    const { database: db, mint } = scene;
    await db.transaction((tx) => bookFunding(tx, { signature: 'early', amount: REWARD, slot: 1 }));
    const [first, second] = [Keypair.generate(), Keypair.generate()];
    for (const partner of [first, second])
      await creditOf(
        db,
        { wallet: partner.publicKey.toBase58(), mint, asset: 'SOL', amount: REWARD },
        'referral',
      );
    expect(await readFees(db.queries)).to.deep.equal({ unfunded: 2n * REWARD, surplus: REWARD });
    const claimed = await initiate(scene, first, { claimType: 'SOL' });
    expect(claimed.status, claimed.text).to.equal(200);
    const refused = await initiate(scene, second, { claimType: 'SOL' });
    expect([refused.status, refused.body['message']]).to.deep.equal([400, NOT_YET]);
    expect(await readFees(db.queries)).to.deep.equal({ unfunded: REWARD, surplus: 0n });
    const of = { feeReceiver, treasury: scene.treasury.publicKey };
    await whileFinalizing(cluster(), () => fundReferrals(scene.service.context, of, NEVER_ABORTED));
    const transaction = transactionOf(await initiate(scene, second, { claimType: 'SOL' }));
    transaction.sign([second]);
    await cluster().sendSigned(transaction);
    await finalize(cluster());
    await untilClaim(scene.api, bs58.encode(transaction.signatures[0]!), 'COMPLETED');
    expect(await ledgerProblems(db)).to.deep.equal([]);
  });
});

/** An RPC connection that fails from the moment a transaction is signed. */
function withNoAnswers(connection: Context['connection'], onAsked: () => void): Context['connection'] {
  return new Proxy(connection, {
    get(target, name) {
      if (name === 'getEpochInfo') {
        onAsked();
        return () => Promise.reject(new Error('no answer'));
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
