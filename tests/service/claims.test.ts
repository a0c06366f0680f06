import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import {
  ComputeBudgetProgram,
  Keypair,
  type PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import {
  AuthorityType,
  createBurnInstruction,
  createCloseAccountInstruction,
  createSetAuthorityInstruction,
} from '@solana/spl-token';
import bs58 from 'bs58';
import { eq, like, sql } from 'drizzle-orm';
import { associatedTokenAddress } from '@curvekit/sdk';
import { Claims } from '#app/claims/claims.js';
import { ClaimRefusedError } from '#app/claims/refusal.js';
import { Reconciler } from '#app/claims/reconciler.js';
import { claims, idempotencyKeys } from '#app/db/schema/index.js';
import { createMetrics } from '#app/metrics.js';
import { ClaimsRepository } from '#app/claims/repository.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { fieldsOf, type ApiAnswer } from '#tests/service/api-client.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import {
  expireBlockhashes,
  initiate,
  ledgerProblems,
  reward,
  signed,
  startRewardsScene,
  transactionOf,
  untilClaim,
  type RewardsScene,
} from '#tests/service/rewards.js';
import { startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { rejection } from '#tests/mocha/failures.js';
import { finalize } from '#tests/service/service.js';
import { buyTokens, openTokenAccount } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

const NETWORK_FEE = 10_000n;
const WALLET_RENT = 890_880n;
const TOKENS = 1_234_567_890n;
const DAY_MS = 24 * 60 * 60_000;

describe(`claims (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const cluster = useCluster();
  let scene: RewardsScene;
  let proxy: RpcProxy;
  /** By which the service's clock is ahead. */
  let ahead = 0;

  before('start the service', async () => {
    proxy = await startRpcProxy(cluster().rpcUrl);
    scene = await startRewardsScene(cluster(), {
      environment: { RPC_URL: proxy.url, WS_URL: cluster().wsUrl },
      overrides: { now: () => Date.now() + ahead },
    });
  });
  after(async () => {
    await scene?.stop();
    await proxy?.stop();
  });
  afterEach('the ledger adds up', async () => {
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
  });

  const rewarded = async (asset: 'SOL' | 'TOKEN', amount: bigint): Promise<Keypair> => {
    const wallet = Keypair.generate();
    await reward(scene.database, wallet.publicKey, scene.mint, asset, amount);
    return wallet;
  };
  const claimSol = (wallet: Keypair) => initiate(scene, wallet, { claimType: 'SOL' });
  const claimTokens = (wallet: Keypair, burnToken?: boolean) =>
    initiate(scene, wallet, { claimType: 'TOKEN', ...(burnToken === undefined ? {} : { burnToken }) });
  const submit = async (answer: ApiAnswer, wallet: Keypair): Promise<string> => {
    const transaction = transactionOf(answer);
    transaction.sign([wallet]);
    const { signature } = await cluster().sendSigned(transaction);
    return signature;
  };
  const unclaimed = async (wallet: Keypair): Promise<{ sol: bigint; token: bigint }> => {
    const path = `/rewards/${wallet.publicKey.toBase58()}/tokens/${scene.mint}`;
    const { body } = await scene.api.get(path, { headers: signed(wallet) });
    const amounts = (body['data'] as { unclaimedRewards: { sol: number; token: number } }).unclaimedRewards;
    return { sol: BigInt(amounts.sol), token: BigInt(amounts.token) };
  };
  const tokensOf = async (owner: PublicKey): Promise<bigint> => {
    const account = associatedTokenAddress(owner, scene.token.mint).address;
    const { value } = await cluster().connection.getTokenAccountBalance(account);
    return BigInt(value.amount);
  };
  const submitRaw = (transaction: VersionedTransaction) =>
    cluster().connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });

  describe('of SOL', () => {
    it('pay an empty wallet the amount less the network fee, and go from IN_PROGRESS to COMPLETED', async () => {
      const wallet = await rewarded('SOL', SOL);
      const answer = await claimSol(wallet);
      const transaction = transactionOf(answer);
      expect(transaction.version).to.equal(0);
      expect(transaction.message.staticAccountKeys[0]!.equals(scene.treasury.publicKey)).to.equal(true);
      const signature = bs58.encode(transaction.signatures[0]!);
      await untilClaim(scene.api, signature, 'IN_PROGRESS');
      expect(await unclaimed(wallet)).to.deep.equal({ sol: 0n, token: 0n });

      const before = await lamportsOf(cluster().connection, scene.treasury.publicKey);
      expect(await submit(answer, wallet)).to.equal(signature);
      expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL - NETWORK_FEE);
      expect(await lamportsOf(cluster().connection, scene.treasury.publicKey)).to.equal(before - SOL);
      await untilClaim(scene.api, signature, 'IN_PROGRESS');
      await finalize(cluster());
      await untilClaim(scene.api, signature, 'COMPLETED');

      const again = await claimSol(wallet);
      expect(again.status).to.equal(400);
      expect(again.body).to.deep.equal({
        status: 'error',
        code: 'CLAIM_ERROR',
        message: 'The SOL amount to claim is zero',
      });
    });

    it('must be above the network fee, and above the rent of a wallet that does not exist', async () => {
      const missing = await rewarded('SOL', NETWORK_FEE + WALLET_RENT);
      const refused = await claimSol(missing);
      expect([refused.status, refused.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
      expect(await unclaimed(missing)).to.deep.equal({ sol: NETWORK_FEE + WALLET_RENT, token: 0n });
      await reward(scene.database, missing.publicKey, scene.mint, 'SOL', 1n);
      await submit(await claimSol(missing), missing);
      expect(await lamportsOf(cluster().connection, missing.publicKey)).to.equal(WALLET_RENT + 1n);

      const existing = await rewarded('SOL', NETWORK_FEE);
      await cluster().fund(existing.publicKey, WALLET_RENT);
      expect((await claimSol(existing)).body['code']).to.equal('CLAIM_ERROR');
      await reward(scene.database, existing.publicKey, scene.mint, 'SOL', 1n);
      await submit(await claimSol(existing), existing);
      expect(await lamportsOf(cluster().connection, existing.publicKey)).to.equal(WALLET_RENT + 1n);
    });

    it('cannot be burned', async () => {
      const wallet = await rewarded('SOL', SOL);
      const answer = await initiate(scene, wallet, { claimType: 'SOL', burnToken: true });
      expect([answer.status, answer.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
    });

    it('that the treasury cannot pay reserve nothing and are counted', async () => {
      const wallet = await rewarded('SOL', 1_000_000n * SOL);
      const answer = await claimSol(wallet);
      expect([answer.status, answer.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
      expect(answer.body['message']).to.match(/treasury is short of SOL/);
      expect(await unclaimed(wallet)).to.deep.equal({ sol: 1_000_000n * SOL, token: 0n });
      const metrics = await fetch(`${scene.service.url}/metrics`).then((response) => response.text());
      expect(metrics).to.match(/^curvekit_claims_refused_treasury_total 1$/m);

      // The treasury owes more SOL than it has: claims of tokens may not spend it on fees and rent.
      const other = await rewarded('TOKEN', TOKENS);
      ahead += 10_000;
      const short = await claimTokens(other);
      expect(short.body['message']).to.match(/treasury is short of SOL for the network/);
      await cluster().setAccount(scene.treasury.publicKey, { lamports: 2_000_000n * SOL });
      const paid = await claimSol(wallet);
      await submit(paid, wallet);
      await finalize(cluster());
      await untilClaim(scene.api, bs58.encode(transactionOf(paid).signatures[0]!), 'COMPLETED');
      ahead += 10_000;
    });
  });

  describe('of tokens', () => {
    it('open the account of an empty wallet', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      const signature = await submit(await claimTokens(wallet), wallet);
      expect(await tokensOf(wallet.publicKey)).to.equal(TOKENS);
      expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(0n);
      await finalize(cluster());
      await untilClaim(scene.api, signature, 'COMPLETED');
    });

    it('are added to an account that is there', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      await cluster().fund(wallet.publicKey, SOL);
      await buyTokens(cluster(), scene.token, wallet, SOL / 2n);
      const before = await tokensOf(wallet.publicKey);
      await submit(await claimTokens(wallet), wallet);
      expect(await tokensOf(wallet.publicKey)).to.equal(before + TOKENS);
    });

    it('are burned where the wallet asks for it, and nothing of the treasury stays behind', async () => {
      const supply = async () =>
        BigInt((await cluster().connection.getTokenSupply(scene.token.mint)).value.amount);
      const wallet = await rewarded('TOKEN', TOKENS);
      const [supplyBefore, tokensBefore, lamportsBefore] = [
        await supply(),
        await tokensOf(scene.treasury.publicKey),
        await lamportsOf(cluster().connection, scene.treasury.publicKey),
      ];
      const signature = await submit(await claimTokens(wallet, true), wallet);
      expect(await supply()).to.equal(supplyBefore - TOKENS);
      expect(await tokensOf(scene.treasury.publicKey)).to.equal(tokensBefore - TOKENS);
      expect(await lamportsOf(cluster().connection, scene.treasury.publicKey)).to.equal(
        lamportsBefore - NETWORK_FEE,
      );
      const account = associatedTokenAddress(wallet.publicKey, scene.token.mint).address;
      expect(await cluster().connection.getAccountInfo(account)).to.equal(null);
      await finalize(cluster());
      await untilClaim(scene.api, signature, 'COMPLETED');
    });

    it('are burned out of an account that is there, which keeps its own', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      await cluster().fund(wallet.publicKey, SOL);
      await buyTokens(cluster(), scene.token, wallet, SOL / 2n);
      const before = await tokensOf(wallet.publicKey);
      await submit(await claimTokens(wallet, true), wallet);
      expect(await tokensOf(wallet.publicKey)).to.equal(before);
    });

    it('do not mind lamports that somebody sent to the address of the account', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      await cluster().fund(associatedTokenAddress(wallet.publicKey, scene.token.mint).address, WALLET_RENT);
      await submit(await claimTokens(wallet), wallet);
      expect(await tokensOf(wallet.publicKey)).to.equal(TOKENS);
    });

    it('are not paid into an account that the wallet gave away', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      const account = await openTokenAccount(cluster(), wallet.publicKey, scene.token.mint);
      const stranger = Keypair.generate().publicKey;
      const giveAway = createSetAuthorityInstruction(
        account,
        wallet.publicKey,
        AuthorityType.AccountOwner,
        stranger,
      );
      await cluster().send([giveAway], [cluster().payer, wallet]);
      const answer = await claimTokens(wallet);
      expect([answer.status, answer.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
      expect(answer.body['message']).to.match(/belongs to somebody else/);
    });

    it('beyond what the treasury has are refused', async () => {
      const wallet = await rewarded('TOKEN', 10n ** 15n);
      const answer = await claimTokens(wallet);
      expect(answer.body['code']).to.equal('CLAIM_ERROR');
      expect(answer.body['message']).to.match(/treasury is short of tokens/);
    });
  });

  describe('that would live on the treasury', () => {
    /** Closes the wallet's token account and takes its rent, at no cost. */
    const closeAccount = async (wallet: Keypair) => {
      const account = associatedTokenAddress(wallet.publicKey, scene.token.mint).address;
      const held = await tokensOf(wallet.publicKey);
      const instructions = [
        createBurnInstruction(account, scene.token.mint, wallet.publicKey, held),
        createCloseAccountInstruction(account, wallet.publicKey, wallet.publicKey),
      ];
      await cluster().send(held === 0n ? instructions.slice(1) : instructions, [cluster().payer, wallet]);
    };
    const treasuryLamports = () => lamportsOf(cluster().connection, scene.treasury.publicKey);

    it('get a token account opened once, and not again when the wallet has taken its rent', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      const opening = await submit(await claimTokens(wallet), wallet);
      await finalize(cluster());
      await untilClaim(scene.api, opening, 'COMPLETED');
      await closeAccount(wallet);
      await reward(scene.database, wallet.publicKey, scene.mint, 'TOKEN', TOKENS);
      const refused = await claimTokens(wallet);
      expect([refused.status, refused.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
      expect(refused.body['message']).to.match(/was closed; open it again/);
      expect(await unclaimed(wallet)).to.deep.equal({ sol: 0n, token: TOKENS });

      // Its own account is as good; and to burn, none is left behind.
      await openTokenAccount(cluster(), wallet.publicKey, scene.token.mint);
      const own = await submit(await claimTokens(wallet), wallet);
      expect(await tokensOf(wallet.publicKey)).to.equal(TOKENS);
      await finalize(cluster());
      await untilClaim(scene.api, own, 'COMPLETED');
      await closeAccount(wallet);
      await reward(scene.database, wallet.publicKey, scene.mint, 'TOKEN', TOKENS);
      const before = await treasuryLamports();
      await submit(await claimTokens(wallet, true), wallet);
      expect(await treasuryLamports()).to.equal(before - NETWORK_FEE);
    });

    it('are not paid when the wallet closes its own account after the treasury has signed', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      await openTokenAccount(cluster(), wallet.publicKey, scene.token.mint);
      const transaction = transactionOf(await claimTokens(wallet));
      await closeAccount(wallet);
      const before = await treasuryLamports();
      transaction.sign([wallet]);
      await submitRaw(transaction);
      await finalize(cluster());
      await untilClaim(scene.api, bs58.encode(transaction.signatures[0]!), 'FAILED');
      expect(await treasuryLamports()).to.equal(before - NETWORK_FEE);
      expect(await unclaimed(wallet)).to.deep.equal({ sol: 0n, token: TOKENS });
    });

    it('open no more accounts in a day than the operator allows', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      const { claimAccountsPerDay } = scene.service.context.config;
      await scene.database.queries.execute(sql`
        insert into claims (signature, wallet, mint, asset, amount, network_fee, burn, opens_account, transaction,
          blockhash_slot, last_valid_block_height, state)
        select 'other ' || i, 'wallet ' || i, ${scene.mint}, 'TOKEN', 0, 0, false, true, '', 1, 1, 'COMPLETED'
        from generate_series(1, ${claimAccountsPerDay}) i
      `);
      const others = like(claims.signature, 'other %');
      const refused = await claimTokens(wallet);
      expect([refused.status, refused.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
      expect(refused.body['message']).to.match(/opens no more token accounts for now/);
      const own = await rewarded('TOKEN', TOKENS);
      await openTokenAccount(cluster(), own.publicKey, scene.token.mint);
      expect((await claimTokens(own)).status).to.equal(200);

      const yesterday = new Date(Date.now() + ahead - DAY_MS);
      await scene.database.queries.update(claims).set({ createdAt: yesterday }).where(others);
      expect((await claimTokens(wallet)).status).to.equal(200);
      await scene.database.queries.delete(claims).where(others);
    });

    it('are refused for a day when three of the wallet have failed, and for nobody else', async () => {
      const wallet = await rewarded('SOL', SOL);
      const repository = new ClaimsRepository(scene.database);
      const withKey = { 'Idempotency-Key': 'patient' };
      for (let failure = 0; failure < 3; failure += 1) {
        const { signatures } = transactionOf(await claimSol(wallet));
        const end = { now: new Date(), landed: 0 };
        expect(await repository.end(bs58.encode(signatures[0]!), 'FAILED', 'test', end)).to.equal(true);
        // Another blockhash, which claims share for a moment, or the next claim would be the same transaction.
        await cluster().fund(cluster().payer.publicKey, 1n);
        await sleep(300);
      }
      const refused = await initiate(scene, wallet, { claimType: 'SOL' }, withKey);
      expect([refused.status, refused.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
      expect(refused.body['message']).to.match(/3 claims of this wallet failed .* try again tomorrow/);
      expect(await unclaimed(wallet)).to.deep.equal({ sol: SOL, token: 0n });
      expect((await claimSol(await rewarded('SOL', SOL))).status).to.equal(200);

      const yesterday = new Date(Date.now() + ahead - DAY_MS);
      await scene.database.queries
        .update(claims)
        .set({ createdAt: yesterday })
        .where(eq(claims.wallet, wallet.publicKey.toBase58()));
      expect((await initiate(scene, wallet, { claimType: 'SOL' }, withKey)).status).to.equal(200);
    });
  });

  it('of the treasury itself are refused', async () => {
    await reward(scene.database, scene.treasury.publicKey, scene.mint, 'SOL', SOL);
    const answer = await claimSol(scene.treasury);
    expect([answer.status, answer.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
    expect(answer.body['message']).to.match(/treasury itself/);
  });

  it('are closed where the service has no treasury: 503, nothing reserved', async () => {
    const wallet = await rewarded('SOL', SOL);
    const { context } = scene.service;
    const closed = new Claims(
      {
        ...context,
        config: { ...context.config, treasury: undefined },
        metrics: createMetrics({ ofProcess: false }),
      },
      new ClaimsRepository(scene.database),
    );
    const order = {
      wallet: wallet.publicKey.toBase58(),
      mint: scene.mint,
      asset: 'SOL',
      burn: false,
    } as const;
    const refused = await rejection(
      closed.initiate({ ...order, idempotencyKey: undefined }),
      ClaimRefusedError,
    );
    expect(refused.refusal).to.equal('unavailable');
    expect(await unclaimed(wallet)).to.deep.equal({ sol: SOL, token: 0n });
  });

  it('of unknown tokens are refused', async () => {
    const wallet = Keypair.generate();
    const tokenAddress = Keypair.generate().publicKey.toBase58();
    const answer = await initiate(scene, wallet, { claimType: 'SOL', tokenAddress });
    expect([answer.status, answer.body['code']]).to.deep.equal([404, 'TOKEN_NOT_FOUND']);
  });

  it('200 at once give one transaction and 199 refusals', async () => {
    const wallet = await rewarded('SOL', SOL);
    const answers = await Promise.all(Array.from({ length: 200 }, () => claimSol(wallet)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([200, ...Array.from({ length: 199 }, () => 409)]);
    const refused = answers.filter(({ status }) => status === 409);
    expect(new Set(refused.map(({ body }) => body['code'] as string))).to.deep.equal(
      new Set(['CLAIM_IN_PROGRESS']),
    );
    expect(await unclaimed(wallet)).to.deep.equal({ sol: 0n, token: 0n });
  });

  it('of one token exclude each other, of any kind; those of other tokens and wallets do not', async () => {
    const wallet = await rewarded('SOL', SOL);
    await reward(scene.database, wallet.publicKey, scene.mint, 'TOKEN', TOKENS);
    const [first, second] = await Promise.all([claimSol(wallet), claimTokens(wallet)]);
    expect([first.status, second.status].sort()).to.deep.equal([200, 409]);
    const other = await rewarded('SOL', SOL);
    expect((await claimSol(other)).status).to.equal(200);
  });

  it('of the same amount of two tokens are two transactions, and both pay', async () => {
    const wallet = await rewarded('SOL', SOL);
    const other = Keypair.generate().publicKey.toBase58();
    await reward(scene.database, wallet.publicKey, other, 'SOL', SOL);
    const answers = await Promise.all([
      claimSol(wallet),
      initiate(scene, wallet, { claimType: 'SOL', tokenAddress: other }),
    ]);
    for (const answer of answers) await submit(answer, wallet);
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(2n * (SOL - NETWORK_FEE));
  });

  it('arriving while one is in progress are claimable after it', async () => {
    const wallet = await rewarded('SOL', SOL);
    const signature = await submit(await claimSol(wallet), wallet);
    await reward(scene.database, wallet.publicKey, scene.mint, 'SOL', 2n * SOL);
    expect((await claimSol(wallet)).status).to.equal(409);
    expect(await unclaimed(wallet)).to.deep.equal({ sol: 2n * SOL, token: 0n });
    await finalize(cluster());
    await untilClaim(scene.api, signature, 'COMPLETED');
    await submit(await claimSol(wallet), wallet);
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(3n * SOL - 2n * NETWORK_FEE);
  });

  describe('that were tampered with', () => {
    /** The signed claim of a wallet with something changed, signed by the wallet, with the treasury's old signature. */
    const tampered = async (change: (message: TransactionMessage, wallet: Keypair) => TransactionMessage) => {
      const wallet = await rewarded('SOL', SOL);
      const original = transactionOf(await claimSol(wallet));
      const message = change(TransactionMessage.decompile(original.message), wallet);
      const forged = new VersionedTransaction(message.compileToV0Message());
      forged.sign([wallet]);
      forged.addSignature(scene.treasury.publicKey, original.signatures[0]!);
      return { forged, wallet, original };
    };
    const transfer = (to: PublicKey, lamports: bigint) =>
      SystemProgram.transfer({ fromPubkey: scene.treasury.publicKey, toPubkey: to, lamports });

    const CHANGES: Record<string, (message: TransactionMessage, wallet: Keypair) => TransactionMessage> = {
      'the amount': (message, { publicKey }) => {
        const [instruction] = message.instructions;
        const { data } = transfer(publicKey, 2n * SOL);
        message.instructions = [Object.assign(instruction!, { data })];
        return message;
      },
      'the destination': (message, { publicKey }) => {
        message.instructions = [
          transfer(Keypair.generate().publicKey, SOL),
          // Keeps the wallet a signer.
          SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: publicKey, lamports: 0 }),
        ];
        return message;
      },
      'another instruction': (message, { publicKey }) => {
        message.instructions = [...message.instructions, transfer(publicKey, SOL)];
        return message;
      },
      'a priority fee at the cost of the treasury': (message) => {
        const fee = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000_000 });
        message.instructions = [fee, ...message.instructions];
        return message;
      },
    };
    for (const [name, change] of Object.entries(CHANGES)) {
      it(`by ${name} do not pass`, async () => {
        const { forged, wallet, original } = await tampered(change);
        const before = await lamportsOf(cluster().connection, scene.treasury.publicKey);
        const refused = await submitRaw(forged).then(
          () => undefined,
          (error: unknown) => error as Error,
        );
        expect(refused?.message).to.match(/signature/i);
        expect(await lamportsOf(cluster().connection, scene.treasury.publicKey)).to.equal(before);
        // The original still pays.
        original.sign([wallet]);
        await cluster().sendSigned(original);
        expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL - NETWORK_FEE);
      });
    }

    it('by the destination of tokens do not pass', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      const original = transactionOf(await claimTokens(wallet));
      const thief = await openTokenAccount(cluster(), Keypair.generate().publicKey, scene.token.mint);
      const own = associatedTokenAddress(wallet.publicKey, scene.token.mint).address;
      const message = TransactionMessage.decompile(original.message);
      const transfer = message.instructions.at(-1)!;
      for (const meta of transfer.keys) if (meta.pubkey.equals(own)) meta.pubkey = thief;
      const forged = new VersionedTransaction(message.compileToV0Message());
      forged.sign([wallet]);
      forged.addSignature(scene.treasury.publicKey, original.signatures[0]!);
      const refused = await rejection(submitRaw(forged), Error);
      expect(refused.message).to.match(/signature/i);
      const { value } = await cluster().connection.getTokenAccountBalance(thief);
      expect(value.amount).to.equal('0');
    });

    it('by leaving out the signature of the wallet do not pass', async () => {
      const wallet = await rewarded('SOL', SOL);
      const refused = await submitRaw(transactionOf(await claimSol(wallet))).then(
        () => undefined,
        (error: unknown) => error as Error,
      );
      expect(refused?.message).to.match(/signature/i);
    });
  });

  it('submitted twice pay once', async () => {
    const wallet = await rewarded('SOL', SOL);
    const transaction = transactionOf(await claimSol(wallet));
    transaction.sign([wallet]);
    await cluster().sendSigned(transaction);
    await submitRaw(transaction).catch(() => undefined);
    await finalize(cluster());
    await untilClaim(scene.api, bs58.encode(transaction.signatures[0]!), 'COMPLETED');
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL - NETWORK_FEE);
  });

  it('that fail on chain are FAILED when that is final, and can be claimed again', async () => {
    // Between the claim and its landing the wallet empties its account, so that what arrives is below rent.
    const wallet = await rewarded('SOL', NETWORK_FEE + 1n);
    await cluster().fund(wallet.publicKey, SOL);
    const transaction = transactionOf(await claimSol(wallet));
    const drain = SystemProgram.transfer({
      fromPubkey: wallet.publicKey,
      toPubkey: cluster().payer.publicKey,
      lamports: SOL,
    });
    await cluster().send([drain], [cluster().payer, wallet]);
    transaction.sign([wallet]);
    const signature = bs58.encode(transaction.signatures[0]!);
    await submitRaw(transaction);
    await untilClaim(scene.api, signature, 'IN_PROGRESS');
    await finalize(cluster());
    await untilClaim(scene.api, signature, 'FAILED');
    expect(await unclaimed(wallet)).to.deep.equal({ sol: NETWORK_FEE + 1n, token: 0n });
    await cluster().fund(wallet.publicKey, SOL);
    await submit(await claimSol(wallet), wallet);
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL + 1n);
  });

  describe('that are not submitted', () => {
    it('are EXPIRED when their blockhash is too old for good, and can be claimed again', async () => {
      const wallet = await rewarded('SOL', SOL);
      const transaction = transactionOf(await claimSol(wallet));
      const signature = bs58.encode(transaction.signatures[0]!);
      await expireBlockhashes(cluster());
      await untilClaim(scene.api, signature, 'EXPIRED');
      expect(await unclaimed(wallet)).to.deep.equal({ sol: SOL, token: 0n });

      // Too late: the old transaction is worthless, the new one pays.
      const again = await claimSol(wallet);
      transaction.sign([wallet]);
      // Whether the node refuses it or takes and drops it is the node's.
      await submitRaw(transaction).catch(() => undefined);
      await submit(again, wallet);
      await finalize(cluster());
      expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL - NETWORK_FEE);
      const { value } = await cluster().connection.getSignatureStatus(signature, {
        searchTransactionHistory: true,
      });
      expect(value).to.equal(null);
    });

    it('stay IN_PROGRESS while a node that is behind, or forgets, or lies says that they are gone', async () => {
      const wallet = await rewarded('SOL', SOL);
      const answer = await claimSol(wallet);
      const signature = await submit(answer, wallet);
      type Status = { context: { slot: number }; value: unknown[] };
      const unseen = (result: unknown) => ({
        ...(result as Status),
        value: (result as Status).value.map(() => null),
      });
      const lies: Record<string, (method: string, result: unknown) => unknown> = {
        'a height far ahead, no transaction seen': (method, result) =>
          method === 'getSignatureStatuses' ? unseen(result) : result,
        'the same, and a node too old to know the blockhash': (method, result) =>
          method === 'getSignatureStatuses'
            ? unseen(result)
            : method === 'isBlockhashValid'
              ? { context: { slot: 1 }, value: false }
              : result,
        'the blockhash expired, but statuses from a node that is behind': (method, result) =>
          method === 'getSignatureStatuses'
            ? { ...unseen(result), context: { slot: 1_000_010 } }
            : method === 'isBlockhashValid'
              ? { context: { slot: 1_000_000 }, value: false }
              : result,
        'a history that begins later': (method, result) =>
          method === 'getSignatureStatuses'
            ? { ...unseen(result), context: { slot: 2_000_000 } }
            : method === 'isBlockhashValid'
              ? { context: { slot: 1_000_000 }, value: false }
              : method === 'getFirstAvailableBlock'
                ? 999_000
                : result,
      };
      const rounds = async (requests: number) => {
        const asked = () => proxy.calls.get('getSignatureStatuses') ?? 0;
        const before = asked();
        while (asked() < before + requests) await new Promise((resolve) => setTimeout(resolve, 20));
      };
      for (const [name, lie] of Object.entries(lies)) {
        proxy.rewrite(({ method }, result) => farAhead(method, result) ?? lie(method, result));
        // Several rounds of the reconciler.
        await rounds(10);
        proxy.rewrite(undefined);
        // Until the round under way is over: half of one lie and half of the next would be a third.
        await rounds(4);
        const { body } = await scene.api.get(`/rewards/${signature}/status`);
        expect((body['data'] as { status: string }).status, name).to.equal('IN_PROGRESS');
      }
      await finalize(cluster());
      await untilClaim(scene.api, signature, 'COMPLETED');
    });
  });

  describe('given up on the word of a node that lied in everything', () => {
    const pay = async (): Promise<{ wallet: Keypair; signature: string }> => {
      const wallet = await rewarded('SOL', SOL);
      const signature = await submit(await claimSol(wallet), wallet);
      proxy.rewrite(({ method }, result) => {
        const height = farAhead(method, result);
        if (height !== undefined) return height;
        if (method === 'isBlockhashValid') return { context: { slot: 1_000_000 }, value: false };
        if (method === 'getSignatureStatuses') return { context: { slot: 2_000_000 }, value: [null] };
        return result;
      });
      await untilClaim(scene.api, signature, 'EXPIRED');
      proxy.rewrite(undefined);
      await finalize(cluster());
      return { wallet, signature };
    };
    const audit = async (): Promise<string> => {
      const metrics = createMetrics({ ofProcess: false });
      const repository = new ClaimsRepository(scene.database);
      await new Reconciler({ ...scene.service.context, metrics }, { repository }).audit();
      return metrics.registry.metrics();
    };
    const found = /^curvekit_claims_paid_after_expiry_total (\d+)$/m;

    it('are found by the audit, and what was given back is taken again', async () => {
      const { wallet, signature } = await pay();
      expect(await unclaimed(wallet)).to.deep.equal({ sol: SOL, token: 0n });
      expect(found.exec(await audit())?.[1]).to.equal('1');
      await untilClaim(scene.api, signature, 'COMPLETED');
      expect(await unclaimed(wallet)).to.deep.equal({ sol: 0n, token: 0n });
      expect(found.exec(await audit())?.[1]).to.equal('0');
    });

    it('are reported when they have been claimed again since, and the books stay exact', async () => {
      const { wallet, signature } = await pay();
      const again = await claimSol(wallet);
      expect(again.status, again.text).to.equal(200);
      expect(found.exec(await audit())?.[1]).to.equal('1');
      await untilClaim(scene.api, signature, 'EXPIRED');
    });
  });

  describe('while the RPC node is down', () => {
    afterEach(() => proxy.setDown(false));

    it('cannot be initiated: 503, nothing reserved; what was submitted is found afterwards', async () => {
      const submitted = await rewarded('SOL', SOL);
      const never = await rewarded('SOL', SOL);
      const [paid, unpaid] = [await claimSol(submitted), transactionOf(await claimSol(never))];
      proxy.setDown(true);
      const signature = await submit(paid, submitted);

      const wallet = await rewarded('SOL', SOL);
      const refused = await claimSol(wallet);
      expect([refused.status, refused.body['code']]).to.deep.equal([503, 'SERVICE_UNAVAILABLE']);
      expect(refused.headers.get('retry-after')).to.match(/^\d+$/);
      expect(await unclaimed(wallet)).to.deep.equal({ sol: SOL, token: 0n });
      const { status, checks } = (await fetch(`${scene.service.url}/ready`).then((r) => r.json())) as {
        status: string;
        checks: Record<string, string>;
      };
      expect([status, checks['rpc']]).to.deep.equal(['not ready', 'does not answer']);

      // Long enough for both to be history.
      await expireBlockhashes(cluster());
      await untilClaim(scene.api, signature, 'IN_PROGRESS');
      proxy.setDown(false);
      await untilClaim(scene.api, signature, 'COMPLETED');
      await untilClaim(scene.api, bs58.encode(unpaid.signatures[0]!), 'EXPIRED');
      expect((await claimSol(wallet)).status).to.equal(200);
    });
  });

  describe('with an Idempotency-Key', () => {
    const claimWith = (wallet: Keypair, key: string, body: Record<string, unknown> = {}) =>
      initiate(scene, wallet, { claimType: 'SOL', ...body }, { 'Idempotency-Key': key });

    it('get the same answer again, also while the claim is in progress', async () => {
      const wallet = await rewarded('SOL', SOL);
      const first = await claimWith(wallet, 'key-1');
      const second = await claimWith(wallet, 'key-1');
      expect(first.status).to.equal(200);
      expect(second.text).to.equal(first.text);
      expect((await claimWith(wallet, 'key-2')).status).to.equal(409);
    });

    it('get one transaction when they come at once', async () => {
      const wallet = await rewarded('SOL', SOL);
      const answers = await Promise.all(Array.from({ length: 20 }, () => claimWith(wallet, 'at-once')));
      expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
      expect(answers[0]!.status).to.equal(200);
    });

    it('are refused with another body', async () => {
      const wallet = await rewarded('SOL', SOL);
      await claimWith(wallet, 'key');
      const other = await claimWith(wallet, 'key', { claimType: 'TOKEN' });
      expect([other.status, other.body['code']]).to.deep.equal([422, 'IDEMPOTENCY_KEY_REUSED']);
    });

    it('keep a refusal that would come again', async () => {
      const wallet = Keypair.generate();
      const first = await claimWith(wallet, 'early');
      expect([first.status, first.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
      await reward(scene.database, wallet.publicKey, scene.mint, 'SOL', SOL);
      expect((await claimWith(wallet, 'early')).text).to.equal(first.text);
      expect((await claimWith(wallet, 'later')).status).to.equal(200);
    });

    it('are answered anew when the key is 24 hours old, and another body is welcome then', async () => {
      const wallet = Keypair.generate();
      const early = await claimWith(wallet, 'old');
      expect(early.body['code']).to.equal('CLAIM_ERROR');
      await reward(scene.database, wallet.publicKey, scene.mint, 'TOKEN', TOKENS);
      const [kept] = await scene.database.queries
        .select()
        .from(idempotencyKeys)
        .where(eq(idempotencyKeys.wallet, wallet.publicKey.toBase58()));
      expect(kept!.expiresAt.getTime() - Date.now() - ahead).to.be.within(DAY_MS - 60_000, DAY_MS);
      const age = (to: number) =>
        scene.database.queries
          .update(idempotencyKeys)
          .set({ expiresAt: new Date(to) })
          .where(eq(idempotencyKeys.wallet, wallet.publicKey.toBase58()));
      await age(Date.now() + ahead + 30_000);
      expect((await claimWith(wallet, 'old')).text).to.equal(early.text);
      expect((await claimWith(wallet, 'old', { claimType: 'TOKEN' })).status).to.equal(422);

      await age(Date.now() + ahead);
      const anew = await claimWith(wallet, 'old', { claimType: 'TOKEN' });
      expect(anew.status).to.equal(200);
      expect((await claimWith(wallet, 'old', { claimType: 'TOKEN' })).text).to.equal(anew.text);
      expect((await claimWith(wallet, 'old')).status).to.equal(422);
    });

    it('must have a usable one', async () => {
      const wallet = await rewarded('SOL', SOL);
      for (const key of ['x'.repeat(256), 'with space']) {
        const answer = await claimWith(wallet, key);
        expect(answer.status).to.equal(400);
        expect(fieldsOf(answer)).to.deep.equal(['idempotency-key']);
      }
    });
  });
});

/** A block height that is past every blockhash; undefined for a method that tells none. */
function farAhead(method: string, result: unknown): unknown {
  if (method === 'getBlockHeight') return 10_000_000;
  return method === 'getEpochInfo' ? { ...(result as object), blockHeight: 10_000_000 } : undefined;
}
