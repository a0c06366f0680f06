import { associatedTokenAddress } from '@curvekit/sdk';
import { AccountLayout } from '@solana/spl-token';
import type { Connection, PublicKey } from '@solana/web3.js';

/** Base units in an owner's associated token account; 0 when there is none. */
export async function tokenBalance(
  connection: Connection,
  owner: PublicKey,
  mint: PublicKey,
): Promise<bigint> {
  const account = await connection.getAccountInfo(associatedTokenAddress(owner, mint).address);
  return account === null ? 0n : AccountLayout.decode(account.data).amount;
}
