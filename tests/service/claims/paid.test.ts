// What claims of SOL and of tokens pay and to which account.
import { expect } from 'chai';
import { Keypair, SystemProgram } from '@solana/web3.js';
import { AuthorityType, createSetAuthorityInstruction } from '@solana/spl-token';
import bs58 from 'bs58';
import { associatedTokenAddress } from '@curvekit/sdk';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { initiate, reward, transactionOf, untilClaim } from '#tests/service/rewards.js';
import { eventually, finalize } from '#tests/service/service.js';
import { buyTokens, openTokenAccount } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';
import { NETWORK_FEE, TOKENS, useClaims, WALLET_RENT } from '#tests/service/claims.js';

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

  /** Claims whose transactions were handed out, by asset, and those among them that open a token account. */
  const handedOut = async () => ({
    SOL: await counted('curvekit_claims_initiated_total', { asset: 'SOL' }),
    TOKEN: await counted('curvekit_claims_initiated_total', { asset: 'TOKEN' }),
    opening: await counted('curvekit_claims_opening_accounts_total'),
  });

  describe('claims of SOL', () => {
    it('pay an empty wallet the amount minus the network fee, and go from IN_PROGRESS to COMPLETED', async () => {
      const wallet = await rewarded('SOL', SOL);
      const counts = await handedOut();
      const answer = await claimSol(wallet);
      expect(await handedOut()).to.deep.equal({ ...counts, SOL: counts.SOL + 1 });
      const transaction = transactionOf(answer);
      expect(transaction.version).to.equal(0);
      expect(transaction.message.staticAccountKeys[0]!.equals(scene().treasury.publicKey)).to.equal(true);
      const signature = bs58.encode(transaction.signatures[0]!);
      await untilClaim(scene().api, signature, 'IN_PROGRESS');
      expect(await unclaimed(wallet)).to.deep.equal({ sol: 0n, token: 0n });

      const before = await lamportsOf(cluster().connection, scene().treasury.publicKey);
      expect(await submit(answer, wallet)).to.equal(signature);
      expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL - NETWORK_FEE);
      expect(await lamportsOf(cluster().connection, scene().treasury.publicKey)).to.equal(before - SOL);
      await untilClaim(scene().api, signature, 'IN_PROGRESS');
      await finalize(cluster());
      await untilClaim(scene().api, signature, 'COMPLETED');

      const again = await claimSol(wallet);
      expect(again.status).to.equal(400);
      expect(again.body).to.deep.equal({
        status: 'error',
        code: 'CLAIM_ERROR',
        message: 'The SOL amount to claim is zero',
      });
    });

    it("must exceed the network fee, plus the wallet's rent if the wallet does not exist", async () => {
      const missing = await rewarded('SOL', NETWORK_FEE + WALLET_RENT);
      const refused = await claimSol(missing);
      expect([refused.status, refused.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
      expect(await unclaimed(missing)).to.deep.equal({ sol: NETWORK_FEE + WALLET_RENT, token: 0n });
      await reward(scene().database, missing.publicKey, scene().mint, 'SOL', 1n);
      await submit(await claimSol(missing), missing);
      expect(await lamportsOf(cluster().connection, missing.publicKey)).to.equal(WALLET_RENT + 1n);

      const existing = await rewarded('SOL', NETWORK_FEE);
      await cluster().fund(existing.publicKey, WALLET_RENT);
      expect((await claimSol(existing)).body['code']).to.equal('CLAIM_ERROR');
      await reward(scene().database, existing.publicKey, scene().mint, 'SOL', 1n);
      await submit(await claimSol(existing), existing);
      expect(await lamportsOf(cluster().connection, existing.publicKey)).to.equal(WALLET_RENT + 1n);
    });

    it('cannot be burned', async () => {
      const wallet = await rewarded('SOL', SOL);
      const answer = await initiate(scene(), wallet, { claimType: 'SOL', burnToken: true });
      expect([answer.status, answer.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
      expect(answer.body['message']).to.match(/^SOL cannot be burned; /);
    });

    it('claims that the treasury cannot pay reserve nothing and are counted in the metrics', async () => {
      const wallet = await rewarded('SOL', 1_000_000n * SOL);
      let answer = await claimSol(wallet);
      // On a busy machine the service may have to wait too long, and asks to try again.
      await eventually(
        async () => answer.status !== 503 || (answer = await claimSol(wallet)).status !== 503,
        () => `a refusal, not ${answer.text}`,
      );
      expect([answer.status, answer.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
      expect(answer.body['message']).to.match(/treasury is short of SOL/);
      expect(await unclaimed(wallet)).to.deep.equal({ sol: 1_000_000n * SOL, token: 0n });
      const metrics = await fetch(`${scene().service.url}/metrics`).then((response) => response.text());
      expect(metrics).to.match(/^curvekit_claims_refused_treasury_total 1$/m);

      // The treasury owes more SOL than it has: token claims must not spend it on fees and rent.
      const other = await rewarded('TOKEN', TOKENS);
      clock.ahead += 10_000;
      const short = await claimTokens(other);
      expect(short.body['message']).to.match(/treasury is short of SOL for the network/);
      await cluster().setAccount(scene().treasury.publicKey, { lamports: 2_000_000n * SOL });
      const paid = await claimSol(wallet);
      await submit(paid, wallet);
      await finalize(cluster());
      await untilClaim(scene().api, bs58.encode(transactionOf(paid).signatures[0]!), 'COMPLETED');
      clock.ahead += 10_000;
    });
  });

  describe('claims of tokens', () => {
    it('create the token account of an empty wallet', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      const counts = await handedOut();
      const signature = await submit(await claimTokens(wallet), wallet);
      expect(await handedOut()).to.deep.equal({
        ...counts,
        ...{ TOKEN: counts.TOKEN + 1, opening: counts.opening + 1 },
      });
      expect(await tokensOf(wallet.publicKey)).to.equal(TOKENS);
      expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(0n);
      await finalize(cluster());
      await untilClaim(scene().api, signature, 'COMPLETED');
    });

    it('go to the token account that the wallet already has', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      await cluster().fund(wallet.publicKey, SOL);
      await buyTokens(cluster(), scene().token, wallet, SOL / 2n);
      const before = await tokensOf(wallet.publicKey);
      await submit(await claimTokens(wallet), wallet);
      expect(await tokensOf(wallet.publicKey)).to.equal(before + TOKENS);
    });

    it('are burned if the wallet asks for it, and no rent of the treasury stays behind', async () => {
      const supply = async () =>
        BigInt((await cluster().connection.getTokenSupply(scene().token.mint)).value.amount);
      const wallet = await rewarded('TOKEN', TOKENS);
      const [supplyBefore, tokensBefore, lamportsBefore] = [
        await supply(),
        await tokensOf(scene().treasury.publicKey),
        await lamportsOf(cluster().connection, scene().treasury.publicKey),
      ];
      const signature = await submit(await claimTokens(wallet, true), wallet);
      expect(await supply()).to.equal(supplyBefore - TOKENS);
      expect(await tokensOf(scene().treasury.publicKey)).to.equal(tokensBefore - TOKENS);
      expect(await lamportsOf(cluster().connection, scene().treasury.publicKey)).to.equal(
        lamportsBefore - NETWORK_FEE,
      );
      const account = associatedTokenAddress(wallet.publicKey, scene().token.mint).address;
      expect(await cluster().connection.getAccountInfo(account)).to.equal(null);
      await finalize(cluster());
      await untilClaim(scene().api, signature, 'COMPLETED');
    });

    it("are burned through the wallet's existing account, which keeps its own tokens", async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      await cluster().fund(wallet.publicKey, SOL);
      await buyTokens(cluster(), scene().token, wallet, SOL / 2n);
      const before = await tokensOf(wallet.publicKey);
      await submit(await claimTokens(wallet, true), wallet);
      expect(await tokensOf(wallet.publicKey)).to.equal(before);
    });

    it("succeed even if a stranger has sent lamports to the token account's address before", async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      await cluster().fund(associatedTokenAddress(wallet.publicKey, scene().token.mint).address, WALLET_RENT);
      await submit(await claimTokens(wallet), wallet);
      expect(await tokensOf(wallet.publicKey)).to.equal(TOKENS);
    });

    it('are refused when the wallet gave its token account to another owner', async () => {
      const wallet = await rewarded('TOKEN', TOKENS);
      const account = await openTokenAccount(cluster(), wallet.publicKey, scene().token.mint);
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

    it('are refused when the treasury has too few tokens', async () => {
      const wallet = await rewarded('TOKEN', 10n ** 15n);
      const answer = await claimTokens(wallet);
      expect(answer.body['code']).to.equal('CLAIM_ERROR');
      expect(answer.body['message']).to.match(/treasury is short of tokens/);
    });
  });

  it('pay once when submitted twice', async () => {
    const wallet = await rewarded('SOL', SOL);
    const transaction = transactionOf(await claimSol(wallet));
    transaction.sign([wallet]);
    await cluster().sendSigned(transaction);
    await submitRaw(transaction).catch(() => undefined);
    await finalize(cluster());
    await untilClaim(scene().api, bs58.encode(transaction.signatures[0]!), 'COMPLETED');
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL - NETWORK_FEE);
  });

  it('claims that fail on chain become FAILED at finalized commitment, and can be claimed again', async () => {
    // The wallet empties its account before the claim lands, so the claim would leave it below rent exemption.
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
    await untilClaim(scene().api, signature, 'IN_PROGRESS');
    await finalize(cluster());
    await untilClaim(scene().api, signature, 'FAILED');
    expect(await unclaimed(wallet)).to.deep.equal({ sol: NETWORK_FEE + 1n, token: 0n });
    await cluster().fund(wallet.publicKey, SOL);
    await submit(await claimSol(wallet), wallet);
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL + 1n);
  });
});
