// Accounts of `graduate` that match each other, but not the mint. tests/fuzz replaces each account and each bump alone.
// threat: emptied-caller, storage-bump
import { type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  AMM,
  COMMUNITY_TOKEN_SEED,
  COMMUNITY_WSOL_SEED,
  curveAddress,
  GRADUATE_ACCOUNTS,
  TOKEN_OWNER_SEED,
} from '@curvekit/sdk';
import { expectRefused } from '#tests/cluster/refusals.js';
import { describeOnAmms } from '#tests/graduation/amms.js';
import {
  graduation,
  holdings,
  launchSoldOut,
  sendGraduation,
  type GraduatingToken,
} from '#tests/graduation/graduating.js';
import { withAccount, withData } from '#tests/program/altered.js';
import { nonCanonicalAddress } from '#tests/program/non-canonical.js';

/** Length of the discriminator. The bumps follow it in the order below. */
const TAG_BYTES = 8;
const WRONG_ACCOUNT = '6000 WrongAccount';

describeOnAmms('graduate with something substituted', (cluster) => {
  let token: GraduatingToken;
  let other: GraduatingToken;

  before(async () => {
    token = await launchSoldOut(cluster(), { afterMigrationFee: 500 });
    other = await launchSoldOut(cluster());
  });

  const parts = ({
    mint,
  }: GraduatingToken): [budget: TransactionInstruction, call: TransactionInstruction] => {
    const [budget, call] = graduation(cluster(), { mint }, cluster().payer.publicKey);
    return [budget!, call!];
  };

  const withAddress = (
    call: TransactionInstruction,
    name: keyof typeof GRADUATE_ACCOUNTS,
    bumpPosition: number,
    { address, bump }: { address: PublicKey; bump: number },
  ): TransactionInstruction => {
    const data = Buffer.from(call.data);
    data[TAG_BYTES + bumpPosition] = bump;
    return withData(withAccount(call, GRADUATE_ACCOUNTS[name], { pubkey: address }), data);
  };

  it('refuses a non-canonical bump together with its address', async () => {
    const [budget, call] = parts(token);
    const mint = token.mint.toBytes();
    const { graduation: program } = cluster().deployment;
    const wsol = nonCanonicalAddress([COMMUNITY_WSOL_SEED, mint]);
    const own = nonCanonicalAddress([COMMUNITY_TOKEN_SEED, mint]);
    const curve = nonCanonicalAddress([TOKEN_OWNER_SEED, mint]);
    const pool = nonCanonicalAddress([Buffer.from('pool'), mint], program.programId);
    for (const [wrong, refusal] of [
      [withAddress(call, 'communityWsolStorage', 1, wsol), WRONG_ACCOUNT],
      [withAddress(call, 'communityTokenStorage', 2, own), WRONG_ACCOUNT],
      [withAddress(call, 'tokenOwnerPda', 0, curve), '3012 AccountNotInitialized'],
    ] as const)
      await expectRefused(cluster(), [budget, wrong], [], refusal);

    // A pool, with all its accounts, at an address that is not derived from the mint with the canonical bump.
    const addresses = AMM.openingAccounts(
      AMM.addresses(pool.address, token.mint),
      program.poolCreator.address,
    );
    let elsewhere = withAddress(call, 'pool', 5, pool);
    for (const [name, pubkey] of Object.entries(addresses) as [keyof typeof addresses, PublicKey][])
      elsewhere = withAccount(elsewhere, GRADUATE_ACCOUNTS[name], { pubkey });
    await expectRefused(cluster(), [budget, elsewhere], [], WRONG_ACCOUNT);
  });

  it('refuses another curve together with its vault: both must match the mint', async () => {
    const [budget, call] = parts(token);
    const { address } = curveAddress(other.mint, cluster().deployment);
    let wrong = withAccount(call, GRADUATE_ACCOUNTS.tokenOwnerPda, { pubkey: address });
    wrong = withAccount(wrong, GRADUATE_ACCOUNTS.tokenOwnerTokenAccount, { pubkey: other.vault.address });
    await expectRefused(cluster(), [budget, wrong], [], '6000 BondingCurveDoesNotMatchMint');
  });

  it('succeeds with non-canonical bumps of its two temporary accounts, and without substitutions', async () => {
    const [budget, call] = parts(token);
    const { graduation: program } = cluster().deployment;
    const mint = token.mint.toBytes();
    const tokens = nonCanonicalAddress([Buffer.from('tokens'), mint], program.programId);
    const wrapped = nonCanonicalAddress([Buffer.from('wsol'), mint], program.programId);
    const through = withAddress(withAddress(call, 'tokens', 3, tokens), 'wrappedSol', 4, wrapped);
    const before = await holdings(cluster(), token);
    await cluster().send([budget, through], [cluster().payer]);
    const after = await holdings(cluster(), token);
    expect([after.vaultTokens, after.feeReceiver]).to.deep.equal([0n, before.feeReceiver]);
    expect(await cluster().connection.getAccountInfo(tokens.address)).to.equal(null);
    expect(await cluster().connection.getAccountInfo(wrapped.address)).to.equal(null);
    await sendGraduation(cluster(), other);
  });
});
