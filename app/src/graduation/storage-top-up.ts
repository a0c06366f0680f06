// After a raise of the cluster's rent, a graduation can wait for lamports: the reserve of the community's wrapped SOL rises
// with the rent, and the token program refuses to wrap a share that does not cover the rise.
import { ACCOUNT_SIZE, unpackAccount } from '@solana/spl-token';
import type { Connection, PublicKey } from '@solana/web3.js';
import {
  BASIS_POINTS,
  CurveStatus,
  decodeTokenOwnerData,
  tokenAddresses,
  type Deployment,
} from '@curvekit/sdk';
import { askNode, rentMinimum } from '../chain/connection.js';

/** Lamports that anybody must send before the curve can graduate. */
export interface TopUp {
  readonly storage: PublicKey;
  readonly lamports: bigint;
}

/**
 * Undefined when nothing is missing, or the curve is not sold out.
 *
 * @throws errors of the RPC node
 */
export async function storageTopUp(
  connection: Connection,
  deployment: Deployment,
  mint: PublicKey,
): Promise<TopUp | undefined> {
  const { curve, communityWsolStorage, communityTokenStorage } = tokenAddresses(mint, deployment);
  const storage = communityWsolStorage.address;
  const [curveAccount, wsolAccount, tokenAccount] = await askNode(
    connection.getMultipleAccountsInfo([curve.address, storage, communityTokenStorage.address]),
  );
  if (!curveAccount || !wsolAccount || !tokenAccount) return undefined;
  const state = decodeTokenOwnerData(curveAccount.data);
  if (state.initialized !== CurveStatus.Finalized) return undefined;
  const [curveRent, storageRent] = await askNode(
    Promise.all([rentMinimum(connection, curveAccount.data.length), rentMinimum(connection, ACCOUNT_SIZE)]),
  );
  const migrated = BigInt(curveAccount.lamports - curveRent);
  const share = (migrated * BigInt(state.afterMigrationFee)) / BigInt(BASIS_POINTS);
  if (share <= 0n) return undefined;
  const needed = unpackAccount(storage, wsolAccount).amount + BigInt(storageRent);
  const lamports = needed - BigInt(wsolAccount.lamports) - share;
  return lamports > 0n ? { storage, lamports } : undefined;
}
