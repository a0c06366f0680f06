// Claims that the service refuses, claims that exclude each other, and claims changed after signing.
// threat: changed-claim, failing-claims, account-rent, priority-fee, unsigned-claims
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
import { createBurnInstruction, createCloseAccountInstruction } from '@solana/spl-token';
import bs58 from 'bs58';
import { eq, like, sql } from 'drizzle-orm';
import { associatedTokenAddress } from '@curvekit/sdk';
import { claims } from '#app/db/schema/index.js';
import { ClaimsRepository } from '#app/claims/repository.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { initiate, reward, transactionOf, untilClaim } from '#tests/service/rewards.js';
import { rejection } from '#tests/mocha/failures.js';
import { finalize } from '#tests/service/service.js';
import { openTokenAccount } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';
import { DAY_MS, NETWORK_FEE, TOKENS, useClaims } from '#tests/service/claims.js';

describe(`claims (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const {
    cluster,
    scene,
    clock,
    rewarded,
    counted,
    claimSol,
    claimTokens,
    submit,
    unclaimed,
    tokensOf,
    submitRaw,
  } = useClaims();

  describe('claims that would drain the treasury', () => {
    /** Closes the wallet's token account and collects its rent at no cost. */
    const closeAccount = async (wallet: Keypair) => {
      const account = associatedTokenAddress(wallet.publicKey, scene().token.mint).address;
      const held = await tokensOf(wallet.publicKey);
      const instructions = [
        createBurnInstruction(account, scene().token.mint, wallet.publicKey, held),
        createCloseAccountInstruction(account, wallet.publicKey, wallet.publicKey),
      ];
      await cluster().send(held === 0n ? instructions.slice(1) : instructions, [cluster().payer, wallet]);
    };
    const treasuryLamports = () => lamportsOf(cluster().connection, scene().treasury.publicKey);

    it('create a token account once, and not again after the wallet has closed it', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      const opening = await submit(await claimTokens(wallet), wallet);
      await finalize(cluster());
      await untilClaim(scene().api, opening, 'COMPLETED');
      await closeAccount(wallet);
      await reward(scene().database, wallet.publicKey, scene().mint, 'TOKEN', TOKENS);
      const refused = await claimTokens(wallet);
      expect([refused.status, refused.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
      expect(refused.body['message']).to.match(/was closed; open it again/);
      expect(await unclaimed(wallet)).to.deep.equal({ sol: 0n, token: TOKENS });

      // An account that the wallet opens itself works too, and a burn leaves no account behind.
      await openTokenAccount(cluster(), wallet.publicKey, scene().token.mint);
      const own = await submit(await claimTokens(wallet), wallet);
      expect(await tokensOf(wallet.publicKey)).to.equal(TOKENS);
      await finalize(cluster());
      await untilClaim(scene().api, own, 'COMPLETED');
      await closeAccount(wallet);
      await reward(scene().database, wallet.publicKey, scene().mint, 'TOKEN', TOKENS);
      const before = await treasuryLamports();
      await submit(await claimTokens(wallet, true), wallet);
      expect(await treasuryLamports()).to.equal(before - NETWORK_FEE);
    });

    it('are refused as in progress, when 20 are made at once for an account that is promised and not opened', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      const answers = await Promise.all(Array.from({ length: 20 }, () => claimTokens(wallet)));
      const said = answers.map(({ status, body }) => `${status} ${String(body['code'] ?? 'paid')}`).sort();
      expect(said).to.deep.equal(['200 paid', ...Array<string>(19).fill('409 CLAIM_IN_PROGRESS')]);
    });

    it('are not paid when the wallet closes its token account after the treasury has signed', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      await openTokenAccount(cluster(), wallet.publicKey, scene().token.mint);
      const transaction = transactionOf(await claimTokens(wallet));
      await closeAccount(wallet);
      const before = await treasuryLamports();
      transaction.sign([wallet]);
      await submitRaw(transaction);
      await finalize(cluster());
      await untilClaim(scene().api, bs58.encode(transaction.signatures[0]!), 'FAILED');
      expect(await treasuryLamports()).to.equal(before - NETWORK_FEE);
      expect(await unclaimed(wallet)).to.deep.equal({ sol: 0n, token: TOKENS });
    });

    it('create no more accounts per day than the operator allows', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      const { claimAccountsPerDay } = scene().service.context.config;
      await scene().database.queries.execute(sql`
        insert into claims (signature, wallet, mint, asset, amount, network_fee, burn, opens_account, transaction,
          blockhash_slot, last_valid_block_height, state)
        select 'other ' || i, 'wallet ' || i, ${scene().mint}, 'TOKEN', 0, 0, false, true, '', 1, 1, 'COMPLETED'
        from generate_series(1, ${claimAccountsPerDay}::integer - (
          select count(*)::integer from claims where opens_account and created_at > ${new Date(Date.now() + clock.ahead - DAY_MS).toISOString()}
        )) i
      `);
      const others = like(claims.signature, 'other %');
      const before = await counted('curvekit_claims_refused_treasury_total');
      const refused = await claimTokens(wallet);
      expect([refused.status, refused.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
      expect(refused.body['message']).to.match(/opens no more token accounts for now/);
      expect(await counted('curvekit_claims_refused_treasury_total')).to.equal(before + 1);
      const own = await rewarded('TOKEN', TOKENS);
      await openTokenAccount(cluster(), own.publicKey, scene().token.mint);
      expect((await claimTokens(own)).status).to.equal(200);

      const yesterday = new Date(Date.now() + clock.ahead - DAY_MS);
      await scene().database.queries.update(claims).set({ createdAt: yesterday }).where(others);
      expect((await claimTokens(wallet)).status).to.equal(200);
      await scene().database.queries.delete(claims).where(others);
    });

    it('are refused for a day after ten claims of the wallet expired unsigned; other wallets are not affected', async () => {
      const wallet = await rewarded('SOL', SOL);
      await scene().database.queries.execute(sql`
        insert into claims (signature, wallet, mint, asset, amount, network_fee, burn, opens_account, transaction,
          blockhash_slot, last_valid_block_height, state, created_at)
        select 'unsigned ' || i, ${wallet.publicKey.toBase58()}, ${scene().mint}, 'SOL', 1, 0, false, false, '', 1, 1, 'EXPIRED',
          ${new Date(Date.now() + clock.ahead).toISOString()}
        from generate_series(1, 10) i
      `);
      const refused = await claimSol(wallet);
      expect([refused.status, refused.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
      expect(refused.body['message']).to.match(
        /10 claims of this wallet expired without .* try again tomorrow/,
      );
      expect((await claimSol(await rewarded('SOL', SOL))).status).to.equal(200);
      const unsigned = like(claims.signature, 'unsigned %');
      const yesterday = new Date(Date.now() + clock.ahead - DAY_MS);
      await scene().database.queries.update(claims).set({ createdAt: yesterday }).where(unsigned);
      expect((await claimSol(wallet)).status).to.equal(200);
      await scene().database.queries.delete(claims).where(unsigned);
    });

    it('are refused for a day after three claims of the wallet failed; other wallets are not affected', async () => {
      const wallet = await rewarded('SOL', SOL);
      const repository = new ClaimsRepository(scene().database);
      const withKey = { 'Idempotency-Key': 'patient' };
      for (let failure = 0; failure < 3; failure += 1) {
        const { signatures } = transactionOf(await claimSol(wallet));
        const end = { now: new Date(), landed: 0 };
        expect(await repository.end(bs58.encode(signatures[0]!), 'FAILED', 'test', end)).to.equal(true);
        // Waits for another blockhash. Claims share one for a moment, and the next claim would be the same transaction.
        await cluster().fund(cluster().payer.publicKey, 1n);
        await sleep(300);
      }
      const refused = await initiate(scene(), wallet, { claimType: 'SOL' }, withKey);
      expect([refused.status, refused.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
      expect(refused.body['message']).to.match(/3 claims of this wallet failed .* try again tomorrow/);
      expect(await unclaimed(wallet)).to.deep.equal({ sol: SOL, token: 0n });
      expect((await claimSol(await rewarded('SOL', SOL))).status).to.equal(200);

      const yesterday = new Date(Date.now() + clock.ahead - DAY_MS);
      await scene()
        .database.queries.update(claims)
        .set({ createdAt: yesterday })
        .where(eq(claims.wallet, wallet.publicKey.toBase58()));
      expect((await initiate(scene(), wallet, { claimType: 'SOL' }, withKey)).status).to.equal(200);
    });
  });

  describe('changed after the treasury signed', () => {
    /** A signed claim with one change, signed by the wallet again, with the treasury's old signature. */
    const tampered = async (change: (message: TransactionMessage, wallet: Keypair) => TransactionMessage) => {
      const wallet = await rewarded('SOL', SOL);
      const original = transactionOf(await claimSol(wallet));
      const message = change(TransactionMessage.decompile(original.message), wallet);
      const forged = new VersionedTransaction(message.compileToV0Message());
      forged.sign([wallet]);
      forged.addSignature(scene().treasury.publicKey, original.signatures[0]!);
      return { forged, wallet, original };
    };
    const transfer = (to: PublicKey, lamports: bigint) =>
      SystemProgram.transfer({ fromPubkey: scene().treasury.publicKey, toPubkey: to, lamports });

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
          // Keeps the wallet as a signer.
          SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: publicKey, lamports: 0 }),
        ];
        return message;
      },
      'an added instruction': (message, { publicKey }) => {
        message.instructions = [...message.instructions, transfer(publicKey, SOL)];
        return message;
      },
      'an added priority fee': (message) => {
        const fee = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000_000 });
        message.instructions = [fee, ...message.instructions];
        return message;
      },
    };
    for (const [name, change] of Object.entries(CHANGES)) {
      it(`(${name}) are rejected by the RPC node`, async () => {
        const { forged, wallet, original } = await tampered(change);
        const before = await lamportsOf(cluster().connection, scene().treasury.publicKey);
        const refused = await submitRaw(forged).then(
          () => undefined,
          (error: unknown) => error as Error,
        );
        expect(refused?.message).to.match(/signature/i);
        expect(await lamportsOf(cluster().connection, scene().treasury.publicKey)).to.equal(before);
        // The original still pays.
        original.sign([wallet]);
        await cluster().sendSigned(original);
        expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL - NETWORK_FEE);
      });
    }

    it('(the destination of tokens) are rejected by the RPC node', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      const original = transactionOf(await claimTokens(wallet));
      const thief = await openTokenAccount(cluster(), Keypair.generate().publicKey, scene().token.mint);
      const own = associatedTokenAddress(wallet.publicKey, scene().token.mint).address;
      const message = TransactionMessage.decompile(original.message);
      const transfer = message.instructions.at(-1)!;
      for (const meta of transfer.keys) if (meta.pubkey.equals(own)) meta.pubkey = thief;
      const forged = new VersionedTransaction(message.compileToV0Message());
      forged.sign([wallet]);
      forged.addSignature(scene().treasury.publicKey, original.signatures[0]!);
      const refused = await rejection(submitRaw(forged), Error);
      expect(refused.message).to.match(/signature/i);
      const { value } = await cluster().connection.getTokenAccountBalance(thief);
      expect(value.amount).to.equal('0');
    });

    it('(no wallet signature) are rejected by the RPC node', async () => {
      const wallet = await rewarded('SOL', SOL);
      const refused = await submitRaw(transactionOf(await claimSol(wallet))).then(
        () => undefined,
        (error: unknown) => error as Error,
      );
      expect(refused?.message).to.match(/signature/i);
    });
  });
});
