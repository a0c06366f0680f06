// Reads the balances of community storages at a finalized slot.
import { unpackAccount } from '@solana/spl-token';
import { PublicKey, type AccountInfo, type Connection } from '@solana/web3.js';
import {
  communityTokenStorageAddress,
  communityWsolStorageAddress,
  UnexpectedAccountError,
  type Deployment,
} from '@curvekit/sdk';

export interface Storages {
  readonly mint: string;
  readonly wsolStorage: PublicKey;
  readonly tokenStorage: PublicKey;
  /** Lamports above rent: wrapped lamports, and lamports sent without wrapping. */
  readonly sol: bigint;
  /** Token units. */
  readonly token: bigint;
  /** Finalized slot of these balances. */
  readonly slot: number;
}

/** Limit of tokens per request: each has two storages. */
export const STORAGES_PER_REQUEST = 50;

/** The storages of a token, or why they cannot be settled. */
export type StoragesOrProblem =
  | { readonly mint: string; readonly storages: Storages }
  | { readonly mint: string; readonly problem: string };

/** Reads the storages of some tokens at once, at most STORAGES_PER_REQUEST. */
export async function readStorages(
  connection: Connection,
  deployment: Deployment,
  mints: readonly string[],
): Promise<StoragesOrProblem[]> {
  const addresses = mints.map((mint) => {
    const key = new PublicKey(mint);
    return {
      mint,
      wsolStorage: communityWsolStorageAddress(key, deployment).address,
      tokenStorage: communityTokenStorageAddress(key, deployment).address,
    };
  });
  const { context, value } = await connection.getMultipleAccountsInfoAndContext(
    addresses.flatMap(({ wsolStorage, tokenStorage }) => [wsolStorage, tokenStorage]),
    { commitment: 'finalized' },
  );
  return addresses.map((address, index) => {
    try {
      const wsol = unpack(address.wsolStorage, value[2 * index] ?? null, deployment);
      const token = unpack(address.tokenStorage, value[2 * index + 1] ?? null, deployment);
      const sol = wsol.lamports - (wsol.rentExemptReserve ?? wsol.lamports);
      const balances = { sol, token: token.amount, slot: context.slot };
      return { mint: address.mint, storages: { ...address, ...balances } };
    } catch (error) {
      return { mint: address.mint, problem: (error as Error).message };
    }
  });
}

function unpack(address: PublicKey, account: AccountInfo<Buffer> | null, { dexOwner }: Deployment) {
  if (account === null) throw new UnexpectedAccountError(address, 'does not exist; it should be a storage');
  const unpacked = unpackAccount(address, account);
  if (!unpacked.owner.equals(dexOwner)) {
    throw new UnexpectedAccountError(
      address,
      `is owned by ${unpacked.owner.toBase58()}, not by the DEX owner ${dexOwner.toBase58()}; check DEX_OWNER_KEYPAIR`,
    );
  }
  return { ...unpacked, lamports: BigInt(account.lamports) };
}
