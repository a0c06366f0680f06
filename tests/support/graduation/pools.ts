// Pools that any wallet creates at the AMM, without the graduation program.
import { createSyncNativeInstruction } from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  type AccountMeta,
} from '@solana/web3.js';
import {
  AMM,
  associatedTokenAddress,
  ATA_PROGRAM_ADDRESS,
  createTokenAccountIfMissing,
  NATIVE_MINT_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '@curvekit/sdk';
import type { LocalCluster, SentTransaction } from '@curvekit/testing';
import { anchorTag } from './anchor-tag.js';

const AMOUNT = 10_000_000n;

function mintsInOrder(mint: PublicKey): [PublicKey, PublicKey] {
  const isFirst = Buffer.compare(mint.toBuffer(), NATIVE_MINT_ADDRESS.toBuffer()) < 0;
  return isFirst ? [mint, NATIVE_MINT_ADDRESS] : [NATIVE_MINT_ADDRESS, mint];
}

/** The address at which any wallet can create a pool of a token and wrapped SOL. */
export function canonicalPool(mint: PublicKey): PublicKey {
  const { config } = AMM.addresses(mint, mint);
  const seeds = [Buffer.from('pool'), config.toBuffer(), ...mintsInOrder(mint).map((key) => key.toBuffer())];
  return PublicKey.findProgramAddressSync(seeds, AMM.programId)[0];
}

/** Creates a pool with tokens and SOL of the cluster's own wallet. */
export async function openPool(
  cluster: LocalCluster,
  pool: PublicKey,
  mint: PublicKey,
): Promise<SentTransaction> {
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
