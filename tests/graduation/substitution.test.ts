// Replaces each account and each bump of `graduate` with a wrong one. The program must refuse each, and nothing may
// move. threat: graduate-substitutes, emptied-caller, storage-bump
import { Keypair, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  AMM,
  associatedTokenAddress,
  COMMUNITY_TOKEN_SEED,
  COMMUNITY_WSOL_SEED,
  curveAddress,
  GRADUATE_ACCOUNTS,
  TOKEN_OWNER_SEED,
  TransactionError,
} from '@curvekit/sdk';
import { expectRefused, refusalOf } from '#tests/cluster/refusals.js';
import { describeOnAmms } from '#tests/graduation/amms.js';
import {
  graduation,
  holdings,
  launchSoldOut,
  sendGraduation,
  type GraduatingToken,
} from '#tests/graduation/graduating.js';
import { withAccount, withAccountCount, withData } from '#tests/program/altered.js';
import { nonCanonicalAddress } from '#tests/program/non-canonical.js';
import type { LocalCluster } from '@curvekit/testing';
import { accountsOf, snapshot } from '#tests/cluster/accounts.js';
import { rejection } from '#tests/mocha/failures.js';

// Checks that a refused graduation changes nothing.

/**
 * Sends instructions that must be refused. Apart from the payer's network fee, none of their accounts and none of
 * `others` may
 * change.
 *
 * @returns the refusal
 */
async function expectNothingMoved(
  cluster: LocalCluster,
  what: string,
  instructions: readonly TransactionInstruction[],
  others: readonly PublicKey[],
  signers: readonly Keypair[] = [],
): Promise<string> {
  const { connection, payer } = cluster;
  const addresses = [...accountsOf(instructions), ...others].filter(
    (address) => !address.equals(payer.publicKey),
  );
  const before = await snapshot(connection, addresses);
  const error = await rejection(cluster.send(instructions, [payer, ...signers]), TransactionError).catch(
    (failure: unknown) => {
      throw new Error(`${what}: ${(failure as Error).message}`, { cause: failure });
    },
  );
  expect(await snapshot(connection, addresses), what).to.deep.equal(before);
  return refusalOf(error);
}

/** Length of the discriminator. The bumps follow it in the order below. */
const TAG_BYTES = 8;
const BUMPS = ['curve', 'community WSOL', 'community token', 'tokens', 'wrapped SOL', 'pool'] as const;
const NAMES = Object.keys(GRADUATE_ACCOUNTS) as (keyof typeof GRADUATE_ACCOUNTS)[];
const WRONG_ACCOUNT = '6000 WrongAccount';

/** Runs all at once: none changes the state, and on a validator each takes half a second. */
function together<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<unknown> {
  return Promise.all(items.map(run));
}

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

  /** The accounts whose balances must not change. */
  const money = (): PublicKey[] =>
    [token, other].flatMap(({ curve, vault, communityWsolStorage, communityTokenStorage, pool }) => [
      ...[curve, vault, communityWsolStorage, communityTokenStorage].map(({ address }) => address),
      ...[pool.pool, pool.vaults.sol, pool.vaults.token],
      cluster().deployment.graduation.feeReceiver.address,
    ]);

  for (const name of NAMES.filter((key) => key !== 'payerAccount')) {
    it(`refuses any other account as ${name}`, async () => {
      const { payer, programId, deployment } = cluster();
      const [budget, call] = parts(token);
      const [, otherCall] = parts(other);
      const index = GRADUATE_ACCOUNTS[name];
      const right = call.keys[index]!.pubkey;
      const substitutes = [
        Keypair.generate().publicKey,
        otherCall.keys[index]!.pubkey,
        payer.publicKey,
        associatedTokenAddress(payer.publicKey, token.mint).address,
        programId,
        deployment.graduation.feeReceiver.address,
        deployment.graduation.poolCreator.address,
        deployment.graduation.treasury,
      ].filter((substitute) => !substitute.equals(right));
      expect(substitutes.length).to.be.greaterThan(5);
      await together(substitutes, (pubkey) => {
        const wrong = withAccount(call, index, { pubkey });
        return expectNothingMoved(cluster(), `${name} ← ${pubkey.toBase58()}`, [budget, wrong], money());
      });
    });
  }

  it('refuses every account that must be writable and is not', async () => {
    const [budget, call] = parts(token);
    const writable = [...call.keys.keys()].filter((index) => index > 0 && call.keys[index]!.isWritable);
    await together(writable, (index) => {
      const wrong = withAccount(call, index, { isWritable: false });
      return expectNothingMoved(cluster(), NAMES[index]!, [budget, wrong], money());
    });
  });

  it('refuses every wrong bump', async () => {
    const [budget, call] = parts(token);
    const steps = [...BUMPS.keys()].flatMap((position) =>
      [1, 128, 255].map((step) => [position, step] as const),
    );
    await together(steps, ([position, step]) => {
      const data = Buffer.from(call.data);
      const at = TAG_BYTES + position;
      data[at] = (data[at]! + step) % 256;
      return expectNothingMoved(cluster(), BUMPS[position]!, [budget, withData(call, data)], money());
    });
  });

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

  it('refuses too few accounts, a short argument, an unknown instruction, and a payer that did not sign', async () => {
    const [budget, call] = parts(token);
    for (let count = 0; count < call.keys.length; count += 1)
      await expectRefused(
        cluster(),
        [budget, withAccountCount(call, count)],
        [],
        '3005 AccountNotEnoughKeys',
      );
    const short = withData(call, call.data.subarray(0, call.data.length - 1));
    await expectRefused(cluster(), [budget, short], [], '102 InstructionDidNotDeserialize');
    for (const data of [Buffer.alloc(0), Buffer.alloc(7), Buffer.alloc(14, 1)])
      await expectRefused(cluster(), [budget, withData(call, data)], [], '101 InstructionFallbackNotFound');
    const stranger = withAccount(call, 0, { pubkey: Keypair.generate().publicKey, isSigner: false });
    const refusal = await expectNothingMoved(cluster(), 'stranger', [budget, stranger], money());
    expect(refusal).to.contain('PrivilegeEscalation');
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
