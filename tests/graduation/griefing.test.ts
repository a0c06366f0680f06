// Before a graduation, other wallets can send lamports and tokens to every address, and open pools. The graduation must succeed
// all the same, with the same transfers. tests/fuzz also closes storages, and changes the AMM's fee. threat: inner-calls, earlier-pool
import { createSyncNativeInstruction, createTransferInstruction } from '@solana/spl-token';
import {
  SystemProgram,
  PublicKey,
  ComputeBudgetProgram,
  TransactionInstruction,
  type AccountMeta,
} from '@solana/web3.js';
import { expect } from 'chai';
import {
  AMM,
  associatedTokenAddress,
  createTokenAccountIfMissing,
  GRADUATE_ACCOUNTS,
  NATIVE_MINT_ADDRESS,
  ATA_PROGRAM_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '@curvekit/sdk';
import { lamportsOf, snapshot } from '#tests/cluster/accounts.js';
import { describeOnAmms } from '#tests/graduation/amms.js';
import {
  graduateRecord,
  graduation,
  holdings,
  launchSoldOut,
  launchTrading,
  MORE_THAN_A_CURVE,
  priceError,
  sendGraduation,
  type GraduatingToken,
} from '#tests/graduation/graduating.js';
import { buyTokens } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';
import type { LocalCluster, SentTransaction } from '@curvekit/testing';
import { anchorTag } from '#tests/graduation/anchor-tag.js';

// Pools that any wallet creates at the AMM, without the graduation program.

const AMOUNT = 10_000_000n;

function mintsInOrder(mint: PublicKey): [PublicKey, PublicKey] {
  const isFirst = Buffer.compare(mint.toBuffer(), NATIVE_MINT_ADDRESS.toBuffer()) < 0;
  return isFirst ? [mint, NATIVE_MINT_ADDRESS] : [NATIVE_MINT_ADDRESS, mint];
}

/** The address at which any wallet can create a pool of a token and wrapped SOL. */
function canonicalPool(mint: PublicKey): PublicKey {
  const { config } = AMM.addresses(mint, mint);
  const seeds = [Buffer.from('pool'), config.toBuffer(), ...mintsInOrder(mint).map((key) => key.toBuffer())];
  return PublicKey.findProgramAddressSync(seeds, AMM.programId)[0];
}

/** Creates a pool with tokens and SOL of the cluster's own wallet. */
async function openPool(cluster: LocalCluster, pool: PublicKey, mint: PublicKey): Promise<SentTransaction> {
  const { payer } = cluster;
  const creator = payer.publicKey;
  const wrapped = associatedTokenAddress(creator, NATIVE_MINT_ADDRESS).address;
  await cluster.send(
    [
      createTokenAccountIfMissing(creator, creator, NATIVE_MINT_ADDRESS),
      SystemProgram.transfer({ fromPubkey: creator, toPubkey: wrapped, lamports: AMOUNT }),
      createSyncNativeInstruction(wrapped),
    ],
    [payer],
  );
  const accounts = AMM.openingAccounts(AMM.addresses(pool, mint), creator);
  const mints = mintsInOrder(mint);
  const data = Buffer.alloc(32);
  anchorTag('initialize').copy(data);
  data.writeBigUInt64LE(AMOUNT, 8);
  data.writeBigUInt64LE(AMOUNT, 16);
  const meta = (pubkey: PublicKey, isWritable = false, isSigner = false): AccountMeta => ({
    pubkey,
    isWritable,
    isSigner,
  });
  const keys = [
    meta(creator, true, true),
    meta(accounts.ammConfig),
    meta(accounts.ammAuthority),
    meta(pool, true),
    ...mints.map((key) => meta(key)),
    meta(accounts.lpMint, true),
    ...mints.map((key) => meta(associatedTokenAddress(creator, key).address, true)),
    meta(accounts.lpTokens, true),
    meta(accounts.poolVault0, true),
    meta(accounts.poolVault1, true),
    meta(accounts.poolFeeReceiver, true),
    meta(accounts.observation, true),
    ...[TOKEN_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS].map((key) => meta(key)),
    meta(ATA_PROGRAM_ADDRESS),
    meta(SystemProgram.programId),
    meta(RENT_SYSVAR_ADDRESS),
  ];
  const initialize = new TransactionInstruction({ programId: AMM.programId, keys, data });
  return cluster.send([ComputeBudgetProgram.setComputeUnitLimit({ units: 400_000 }), initialize], [payer]);
}

describeOnAmms('graduate after interference by other wallets', (cluster) => {
  /** The accounts that a graduation creates. */
  const opened = (token: GraduatingToken): PublicKey[] => {
    const [, call] = graduation(cluster(), token, cluster().payer.publicKey);
    const at = (name: keyof typeof GRADUATE_ACCOUNTS): PublicKey =>
      call!.keys[GRADUATE_ACCOUNTS[name]]!.pubkey;
    return [
      at('poolCreator'),
      at('tokens'),
      at('wrappedSol'),
      at('pool'),
      at('lpMint'),
      at('lpTokens'),
      at('poolVault0'),
      at('poolVault1'),
      at('observation'),
    ];
  };

  it('Given lamports at every address, when the curve graduates, then the fee receiver gets them, nothing else changes, and the transaction is within the runtime’s 64 instructions', async () => {
    const instructionsOf = ({ transaction }: SentTransaction): number =>
      transaction.meta!.innerInstructions!.reduce((sum, { instructions }) => sum + instructions.length, 0);
    const token = await launchSoldOut(cluster(), { afterMigrationFee: 100 });
    const other = await launchSoldOut(cluster(), { afterMigrationFee: 100 });
    const sent = await sendGraduation(cluster(), other);
    const plain = graduateRecord(sent, cluster());
    const addresses = opened(token);
    const gifts = addresses.map((_, index) => 900_000n + BigInt(index));
    for (const [index, address] of addresses.entries()) await cluster().fund(address, gifts[index]!);
    const { connection, deployment } = cluster();
    const { address: feeReceiver } = deployment.graduation.feeReceiver;
    const fees = await lamportsOf(connection, feeReceiver);
    const griefed = await sendGraduation(cluster(), token);
    const record = graduateRecord(griefed, cluster());
    const after = await holdings(cluster(), token);
    const { mint, pool, timestamp } = record;
    expect(record).to.deep.equal({ ...plain, mint, pool, timestamp });
    expect(after.feeReceiver - fees).to.equal(gifts.reduce((sum, gift) => sum + gift));
    expect(after.poolCreator).to.equal(0n);
    expect([after.poolSol, after.poolTokens]).to.deep.equal([record.poolSol, record.poolToken]);
    expect([sent, griefed].map(instructionsOf)).to.deep.equal([38, 55]);
  });

  it('Given tokens and wrapped SOL in other accounts of the PDAs involved, when the curve graduates, then they stay there', async () => {
    const token = await launchSoldOut(cluster());
    const { payer, deployment } = cluster();
    const { feeReceiver, poolCreator } = deployment.graduation;
    const source = associatedTokenAddress(payer.publicKey, token.mint).address;
    const strays: PublicKey[] = [];
    for (const owner of [feeReceiver.address, poolCreator.address, token.pool.pool, token.pool.authority]) {
      const own = associatedTokenAddress(owner, token.mint).address;
      const wrapped = associatedTokenAddress(owner, NATIVE_MINT_ADDRESS).address;
      await cluster().send(
        [
          createTokenAccountIfMissing(payer.publicKey, owner, token.mint),
          createTokenAccountIfMissing(payer.publicKey, owner, NATIVE_MINT_ADDRESS),
          createTransferInstruction(source, own, payer.publicKey, 1_234_567n),
          SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: wrapped, lamports: 7_654_321 }),
          createSyncNativeInstruction(wrapped),
        ],
        [payer],
      );
      strays.push(own, wrapped);
    }
    const before = await snapshot(cluster().connection, strays);
    await sendGraduation(cluster(), token);
    expect(await snapshot(cluster().connection, strays)).to.deep.equal(before);
    expect(Math.abs(await priceError(cluster(), token))).to.be.lessThan(1e-9);
  });

  it('Given a pool of the same mints at the AMM’s canonical address, when the curve graduates, then it opens its own pool', async () => {
    const token = await launchTrading(cluster());
    await buyTokens(cluster(), token, cluster().payer, SOL);
    const squatted = canonicalPool(token.mint);
    await openPool(cluster(), squatted, token.mint);
    await buyTokens(cluster(), token, cluster().payer, MORE_THAN_A_CURVE);
    await sendGraduation(cluster(), token);
    expect(squatted.equals(token.pool.pool)).to.equal(false);
    expect(Math.abs(await priceError(cluster(), token))).to.be.lessThan(1e-9);
  });
});
