// RewardsClient: claims from the request to the end, and claims that are resumed, changed or expired.
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import { keypairWallet } from '@curvekit/sdk';
import {
  ApiError,
  ChangedTransactionError,
  ClaimEndedError,
  type ClaimingWallet,
  type ClaimProgress,
  type SignedClaim,
} from '@curvekit/sdk/rewards';
import { eq } from 'drizzle-orm';
import { pendingRewards, records } from '#app/db/schema/index.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { expireBlockhashes, ledgerProblems, untilClaim } from '#tests/service/rewards.js';
import { eventually, finalize } from '#tests/service/service.js';
import { openTokenAccount } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';
import { useRewardsClient } from '#tests/service/rewards-client.js';

describe(`RewardsClient (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const { cluster, scene, client, rewarded, ofSol, toBurn } = useRewardsClient();

  it('claims from the request to the end, and reports each stage', async () => {
    const wallet = await rewarded('SOL', SOL);
    const stages: string[] = [];
    const onProgress = (progress: ClaimProgress) => {
      stages.push(progress.stage === 'status' ? progress.status : progress.stage);
      if (progress.stage === 'submitted') void finalize(cluster());
    };
    const { connection } = cluster();
    const { signature, amount } = await client().claim(wallet, ofSol(), {
      connection,
      onProgress,
      pollMs: 20,
    });
    expect(amount).to.equal(SOL - 10_000n);
    expect(stages.filter((stage) => stage !== 'IN_PROGRESS')).to.deep.equal([
      'initiated',
      'signed',
      'submitted',
      'COMPLETED',
    ]);
    expect(await lamportsOf(connection, wallet.publicKey)).to.equal(SOL - 10_000n);
    expect((await client().status(signature)).status).to.equal('COMPLETED');
    expect(await ledgerProblems(scene().database)).to.deep.equal([]);
  });

  it('claims the final rewards while the rest is pending', async () => {
    const wallet = await rewarded('SOL', SOL);
    const owner = wallet.publicKey.toBase58();
    const { queries } = scene().database;
    // The record is already finalized. Otherwise its finality would remove the pending reward.
    await finalize(cluster());
    const final = queries
      .select({ id: records.id })
      .from(records)
      .where(eq(records.finalized, true))
      .limit(1);
    await eventually(async () => (await final).length > 0, 'a final record');
    const [record] = await final;
    await queries
      .insert(pendingRewards)
      .values({ recordId: record!.id, wallet: owner, mint: scene().mint, asset: 'SOL', amount: 7n });
    const { unclaimedRewards } = await client().rewardsOf(wallet, scene().token.mint);
    expect(unclaimedRewards.sol).to.equal(SOL + 7n);
    const claim = await client().initiate(wallet, { ...ofSol(), unclaimed: unclaimedRewards.sol });
    expect(claim.amount).to.equal(SOL - 10_000n);

    const early = Keypair.generate();
    await queries.insert(pendingRewards).values({
      recordId: record!.id,
      wallet: early.publicKey.toBase58(),
      mint: scene().mint,
      asset: 'SOL',
      amount: 9n,
    });
    const { message } = await rejection(client().initiate(keypairWallet(early), ofSol()), ApiError);
    expect(message).to.equal(
      'The SOL amount to claim is zero: 9 lamports are credited, but their trades are not finalized yet; try again in 15 seconds',
    );
  });

  it('claims tokens to burn them', async () => {
    const wallet = await rewarded('TOKEN', 5n);
    const { connection } = cluster();
    const onProgress = ({ stage }: ClaimProgress) => {
      if (stage === 'submitted') void finalize(cluster());
    };
    const { signature, amount } = await client().claim(wallet, toBurn(), {
      connection,
      onProgress,
      pollMs: 20,
    });
    expect(amount).to.equal(5n);
    expect((await client().status(signature)).status).to.equal('COMPLETED');
  });

  it("a claim to burn leaves the wallet's account alone if the wallet opened it after the claim was built", async () => {
    const wallet = await rewarded('TOKEN', 5n);
    const { connection } = cluster();
    const claim = await client().initiate(wallet, toBurn());
    const account = await openTokenAccount(cluster(), wallet.publicKey, scene().token.mint);
    const rent = await lamportsOf(connection, account);
    const treasuryHad = await lamportsOf(connection, scene().treasury.publicKey);
    const signed = await wallet.signTransaction(claim.transaction);
    await connection.sendRawTransaction(signed, { skipPreflight: true });
    await finalize(cluster());
    await untilClaim(scene().api, claim.signature, 'FAILED');
    expect(await lamportsOf(connection, account)).to.equal(rent);
    expect(await lamportsOf(connection, scene().treasury.publicKey)).to.equal(treasuryHad - 10_000n);

    // Nothing is lost: the next claim uses the wallet's account.
    const onProgress = ({ stage }: ClaimProgress) => {
      if (stage === 'submitted') void finalize(cluster());
    };
    const failing = (progress: ClaimProgress) => {
      onProgress(progress);
      throw new Error('a page that fails to show it does not end the claim');
    };
    const options = { connection, onProgress: failing, pollMs: 20 };
    const { signature } = await client().claim(wallet, toBurn(), options);
    expect((await client().status(signature)).status).to.equal('COMPLETED');
    expect(await lamportsOf(connection, account)).to.equal(rent);
    expect(await ledgerProblems(scene().database)).to.deep.equal([]);
  });

  it('resumes a claim that was signed before the program ended', async () => {
    const wallet = await rewarded('SOL', SOL);
    const stopping = new AbortController();
    let kept: SignedClaim | undefined;
    const onProgress = (progress: ClaimProgress) => {
      if (progress.stage !== 'signed') return;
      kept = { signature: progress.signature, transaction: progress.transaction };
      stopping.abort(new Error('the program ends'));
    };
    const away = { sendRawTransaction: () => Promise.reject(new Error('503')) };
    const request = { tokenAddress: scene().token.mint, claimType: 'SOL' } as const;
    const options = { connection: away, onProgress, signal: stopping.signal, pollMs: 20 };
    await rejection(client().claim(wallet, request, options), Error);
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(0n);
    await client().follow(kept!, {
      connection: cluster().connection,
      pollMs: 20,
      onProgress: ({ stage }) => void (stage === 'submitted' && finalize(cluster())),
    });
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL - 10_000n);
  });

  it('refuses to submit a transaction that the wallet has changed', async () => {
    const wallet = await rewarded('SOL', SOL);
    let submissions = 0;
    const connection = { sendRawTransaction: () => Promise.resolve(String((submissions += 1))) };
    const lying: ClaimingWallet = {
      ...wallet,
      signTransaction: (transaction) => {
        // The last bytes are the amount, and the number of lookup tables.
        transaction[transaction.length - 2]! ^= 1;
        return wallet.signTransaction(transaction);
      },
    };
    const request = { tokenAddress: scene().token.mint, claimType: 'SOL' } as const;
    const claim = client().claim(lying, request, { connection, pollMs: 20 });
    expect((await rejection(claim, ChangedTransactionError)).message).to.include('it was not sent');
    expect(submissions).to.equal(0);
  });

  it('throws ClaimEndedError for a claim that expired', async () => {
    const wallet = await rewarded('SOL', SOL);
    // An RPC node that accepts the transaction and drops it.
    const connection = { sendRawTransaction: () => Promise.resolve('') };
    const onProgress = ({ stage }: ClaimProgress) => {
      if (stage === 'submitted') void expireBlockhashes(cluster());
    };
    const ended = await rejection(
      client().claim(wallet, ofSol(), { connection, onProgress, pollMs: 20 }),
      ClaimEndedError,
    );
    expect(ended.status).to.equal('EXPIRED');
    const again = await client().initiate(wallet, ofSol());
    expect((await client().status(again.signature)).status).to.equal('IN_PROGRESS');
  });
});
