// The balances that a migration changes: lamports and tokens of the curve and of the fee receiver.
import type { PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress, TOKEN_OWNER_DATA_SIZE } from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { lamportsOf, rentOf } from '#tests/cluster/accounts.js';
import { tokensOf, type Token } from '#tests/program/tokens.js';

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
