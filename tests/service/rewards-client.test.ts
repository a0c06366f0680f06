import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import {
  ApiError,
  ChangedTransactionError,
  ClaimEndedError,
  isRefusal,
  keypairWallet,
  OtherMessageSignedError,
  RewardsClient,
  type ClaimingWallet,
  type ClaimProgress,
  type SignedClaim,
} from '@curvekit/sdk/rewards';
import { InvalidArgumentError } from '@curvekit/sdk';
import { eq } from 'drizzle-orm';
import { pendingRewards, records } from '#app/db/schema/index.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import {
  expireBlockhashes,
  ledgerProblems,
  startRewardsScene,
  untilClaim,
  type RewardsScene,
} from '#tests/service/rewards.js';
import { signatureBy } from '#app/signatures/ed25519.js';
import { envelopeOf, ledgerEnvelope } from '#tests/service/envelopes.js';
import { eventually, finalize } from '#tests/service/service.js';
import { openTokenAccount } from '#tests/program/tokens.js';
import { SOL, U64_MAX } from '#tests/constants.js';
import { rewardedWallet } from '#tests/service/browser-wallet.js';

describe(`RewardsClient (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const cluster = useCluster();
  let scene: RewardsScene;
  let client: RewardsClient;

  before('start the service', async () => {
    scene = await startRewardsScene(cluster());
    client = new RewardsClient({ baseUrl: `${scene.service.url}/`, fetch: scene.api.answers.fetch });
  });
  after(() => scene?.stop());

  const rewarded = (asset: 'SOL' | 'TOKEN', amount: bigint) => rewardedWallet(scene, asset, amount);

  const ofSol = () => ({ tokenAddress: scene.token.mint, claimType: 'SOL' }) as const;
  const toBurn = () => ({ tokenAddress: scene.token.mint, claimType: 'TOKEN', burnToken: true }) as const;

  it('reads rewards of any size, with either signature scheme', async () => {
    const wallet = await rewarded('TOKEN', U64_MAX);
    for (const scheme of ['bound', 'timestamp'] as const) {
      const { url, answers } = scene.api;
      const [entry] = await new RewardsClient({ baseUrl: url, fetch: answers.fetch, scheme }).rewards(wallet);
      expect(entry?.unclaimedRewards).to.deep.equal({
        sol: 0n,
        solUi: '0',
        token: U64_MAX,
        tokenUi: '18446744073709.551615',
      });
      expect(entry?.tokenInfo.address).to.equal(scene.mint);
    }
    for (const address of [scene.token.mint, scene.mint]) {
      const { allTimeRewards } = await client.rewardsOf(wallet, address);
      expect(allTimeRewards.token).to.equal(U64_MAX);
    }
    const refusal = await rejection(client.rewardsOf(wallet, 'abc'), InvalidArgumentError);
    expect(refusal.message).to.equal('tokenAddress is "abc"; give a PublicKey, or its 32 bytes in base58');
  });

  it('signs with the time of the service when the clock of the device is wrong', async () => {
    const { url, answers } = scene.api;
    const wallet = keypairWallet(Keypair.generate());
    for (const wrongMs of [31_000, 120_000, -360_000, 3_600_000, -80_000_000]) {
      let signed = 0;
      const signer = {
        ...wallet,
        signMessage: (message: Uint8Array) => {
          signed += 1;
          return wallet.signMessage(message);
        },
      };
      const now = () => Date.now() + wrongMs;
      const ofDevice = new RewardsClient({ baseUrl: url, fetch: answers.fetch, now });
      expect(await ofDevice.rewards(signer), `${wrongMs} ms`).to.deep.equal([]);
      expect(signed, 'signatures of the first request').to.equal(2);
      expect(await ofDevice.rewards(signer)).to.deep.equal([]);
      expect(signed, 'signatures of both').to.equal(3);
    }
    // A service that names a far future gets no signature for it.
    const far = new RewardsClient({
      baseUrl: url,
      fetch: answers.fetch,
      now: () => Date.now() - 2 * 86_400_000,
    });
    const refusal = await rejection(far.rewards(wallet), ApiError);
    expect(refusal.code).to.equal('INVALID_SIGNATURE');
    expect(refusal.message).to.match(/X-Timestamp is 172\d+ s behind the service's clock/);
    // A refusal for another reason is not tried again.
    let asked = 0;
    const stranger = { ...wallet, signMessage: () => ((asked += 1), Promise.resolve(new Uint8Array(64))) };
    await rejection(client.rewards(stranger), ApiError);
    expect(asked).to.equal(1);
  });

  it('takes the envelopes that hardware wallets sign', async () => {
    const key = Keypair.generate();
    const { publicKey } = key;
    const wallet = (envelope: (text: string) => Uint8Array) => ({
      publicKey,
      signMessage: (message: Uint8Array) => {
        const signedMessage = envelope(Buffer.from(message).toString());
        return Promise.resolve({ signature: signatureBy(key, signedMessage), signedMessage });
      },
    });
    const domain = Buffer.alloc(32, 9);
    const good = [
      (text: string) => Buffer.from(text),
      (text: string) => ledgerEnvelope({ text, format: 1 }),
      (text: string) => envelopeOf({ text, format: 1, signers: [publicKey], domain }),
    ];
    for (const envelope of good) expect(await client.rewards(wallet(envelope))).to.deep.equal([]);
    const bad = [
      (text: string) => Buffer.from(`${text} `),
      (text: string) => Buffer.from(`x${text}`),
      (text: string) => ledgerEnvelope({ text: `${text} `, format: 1 }),
      (text: string) => ledgerEnvelope({ text, version: 1 }),
      () => new Uint8Array(),
    ];
    for (const envelope of bad) await rejection(client.rewards(wallet(envelope)), OtherMessageSignedError);
  });

  it('claims from the request to the end, and reports each stage', async () => {
    const wallet = await rewarded('SOL', SOL);
    const stages: string[] = [];
    const onProgress = (progress: ClaimProgress) => {
      stages.push(progress.stage === 'status' ? progress.status : progress.stage);
      if (progress.stage === 'submitted') void finalize(cluster());
    };
    const { connection } = cluster();
    const { signature, amount } = await client.claim(wallet, ofSol(), { connection, onProgress, pollMs: 20 });
    expect(amount).to.equal(SOL - 10_000n);
    expect(stages.filter((stage) => stage !== 'IN_PROGRESS')).to.deep.equal([
      'initiated',
      'signed',
      'submitted',
      'COMPLETED',
    ]);
    expect(await lamportsOf(connection, wallet.publicKey)).to.equal(SOL - 10_000n);
    expect((await client.status(signature)).status).to.equal('COMPLETED');
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
  });

  it('claims the final rewards while the rest is pending', async () => {
    const wallet = await rewarded('SOL', SOL);
    const owner = wallet.publicKey.toBase58();
    const { queries } = scene.database;
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
      .values({ recordId: record!.id, wallet: owner, mint: scene.mint, asset: 'SOL', amount: 7n });
    const { unclaimedRewards } = await client.rewardsOf(wallet, scene.token.mint);
    expect(unclaimedRewards.sol).to.equal(SOL + 7n);
    const claim = await client.initiate(wallet, { ...ofSol(), unclaimed: unclaimedRewards.sol });
    expect(claim.amount).to.equal(SOL - 10_000n);

    const early = Keypair.generate();
    await queries.insert(pendingRewards).values({
      recordId: record!.id,
      wallet: early.publicKey.toBase58(),
      mint: scene.mint,
      asset: 'SOL',
      amount: 9n,
    });
    const { message } = await rejection(client.initiate(early, ofSol()), ApiError);
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
    const { signature, amount } = await client.claim(wallet, toBurn(), {
      connection,
      onProgress,
      pollMs: 20,
    });
    expect(amount).to.equal(5n);
    expect((await client.status(signature)).status).to.equal('COMPLETED');
  });

  it("a claim to burn leaves the wallet's account alone if the wallet opened it after the claim was built", async () => {
    const wallet = await rewarded('TOKEN', 5n);
    const { connection } = cluster();
    const claim = await client.initiate(wallet, toBurn());
    const account = await openTokenAccount(cluster(), wallet.publicKey, scene.token.mint);
    const rent = await lamportsOf(connection, account);
    const treasuryHad = await lamportsOf(connection, scene.treasury.publicKey);
    const signed = await wallet.signTransaction(claim.transaction);
    await connection.sendRawTransaction(signed.serialize(), { skipPreflight: true });
    await finalize(cluster());
    await untilClaim(scene.api, claim.signature, 'FAILED');
    expect(await lamportsOf(connection, account)).to.equal(rent);
    expect(await lamportsOf(connection, scene.treasury.publicKey)).to.equal(treasuryHad - 10_000n);

    // Nothing is lost: the next claim uses the wallet's account.
    const onProgress = ({ stage }: ClaimProgress) => {
      if (stage === 'submitted') void finalize(cluster());
    };
    const { signature } = await client.claim(wallet, toBurn(), { connection, onProgress, pollMs: 20 });
    expect((await client.status(signature)).status).to.equal('COMPLETED');
    expect(await lamportsOf(connection, account)).to.equal(rent);
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
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
    const request = { tokenAddress: scene.token.mint, claimType: 'SOL' } as const;
    const options = { connection: away, onProgress, signal: stopping.signal, pollMs: 20 };
    await rejection(client.claim(wallet, request, options), Error);
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(0n);
    await client.follow(kept!, {
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
        transaction.message.compiledInstructions.at(-1)!.data[4]! ^= 1;
        return wallet.signTransaction(transaction);
      },
    };
    const request = { tokenAddress: scene.token.mint, claimType: 'SOL' } as const;
    const claim = client.claim(lying, request, { connection, pollMs: 20 });
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
      client.claim(wallet, ofSol(), { connection, onProgress, pollMs: 20 }),
      ClaimEndedError,
    );
    expect(ended.status).to.equal('EXPIRED');
    const again = await client.initiate(wallet, ofSol());
    expect((await client.status(again.signature)).status).to.equal('IN_PROGRESS');
  });

  it('throws errors with the code, the fields and the request id', async () => {
    const wallet = keypairWallet(Keypair.generate());
    const nothing = await rejection(client.initiate(wallet, ofSol()), ApiError);
    expect(isRefusal(nothing, 'CLAIM_ERROR')).to.equal(true);
    expect(nothing.status).to.equal(400);
    expect(nothing.requestId).to.match(/^[\w-]+$/);
    const bad = await rejection(client.status('short'), ApiError);
    expect([bad.code, bad.fields.map(({ field }) => field)]).to.deep.equal([
      'VALIDATION_ERROR',
      ['signature'],
    ]);
    const imposter = { ...wallet, publicKey: Keypair.generate().publicKey };
    expect(isRefusal(await rejection(client.rewards(imposter), ApiError), 'INVALID_SIGNATURE')).to.equal(
      true,
    );
  });
});
