// Migrations on a build with a key-held DEX owner, and the balances that one changes: lamports and tokens of the curve and of the fee
// receiver.
import type { PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress, KEY_HELD_DEPLOYMENT, TOKEN_OWNER_DATA_SIZE } from '@curvekit/sdk';
import type { LocalCluster, SentTransaction } from '@curvekit/testing';
import { lamportsOf, rentOf } from '#tests/cluster/accounts.js';
import { rawInstructions } from '#tests/program/raw-instructions.js';
import { launchGraduated, openTokenAccount, tokensOf, type Token } from '#tests/program/tokens.js';

const { rawMigrate } = rawInstructions(KEY_HELD_DEPLOYMENT);

interface Moved {
  readonly curveLamports: bigint;
  readonly feeLamports: bigint;
  readonly vaultTokens: bigint;
  readonly feeTokens: bigint;
}

/** Reads the balances. The fee receiver's token account defaults to the associated one. */
export async function held(
  { connection, feeReceiver }: LocalCluster,
  token: Token,
  feeTokenAccount?: PublicKey,
): Promise<Moved> {
  const account = feeTokenAccount ?? associatedTokenAddress(feeReceiver.publicKey, token.mint).address;
  return {
    curveLamports: await lamportsOf(connection, token.curve.address),
    feeLamports: await lamportsOf(connection, feeReceiver.publicKey),
    vaultTokens: await tokensOf(connection, token.vault.address),
    feeTokens: await tokensOf(connection, account),
  };
}

/** Invariant 8: the fee receiver gets all lamports above the rent, and all tokens. */
export async function expectMoved({ connection }: LocalCluster, before: Moved, after: Moved): Promise<void> {
  const rent = await rentOf(connection, TOKEN_OWNER_DATA_SIZE);
  expect(after).to.deep.equal({
    curveLamports: rent,
    feeLamports: before.feeLamports + before.curveLamports - rent,
    vaultTokens: 0n,
    feeTokens: before.feeTokens + before.vaultTokens,
  });
}

/** A graduated token for which the fee receiver already has a token account. */
export async function launchReady(cluster: LocalCluster): Promise<Token> {
  const token = await launchGraduated(cluster);
  await openTokenAccount(cluster, cluster.feeReceiver.publicKey, token.mint);
  return token;
}

/** Migrates. The cluster's payer pays the transaction fee. */
export function sendMigration(cluster: LocalCluster, { mint }: Token): Promise<SentTransaction> {
  const { payer, feeReceiver } = cluster;
  return cluster.send([rawMigrate(mint)], [payer, feeReceiver]);
}
