// The effects of a transaction, from the balances before and after it.
import type { PublicKey, VersionedTransactionResponse } from '@solana/web3.js';

/** How many lamports an account gained; negative for a loss, transaction fees included. */
export function lamportsGained(transaction: VersionedTransactionResponse, account: PublicKey): bigint {
  const index = accountKeys(transaction).findIndex((key) => key.equals(account));
  const { preBalances = [], postBalances = [] } = transaction.meta ?? {};
  return BigInt(postBalances[index] ?? 0) - BigInt(preBalances[index] ?? 0);
}

/** How many token units of a mint an owner gained, in all its token accounts; negative for a loss. */
export function tokensGained(
  transaction: VersionedTransactionResponse,
  owner: PublicKey,
  mint: PublicKey,
): bigint {
  const { preTokenBalances, postTokenBalances } = transaction.meta ?? {};
  const held = (balances: typeof preTokenBalances) =>
    (balances ?? [])
      .filter((balance) => balance.owner === owner.toBase58() && balance.mint === mint.toBase58())
      .reduce((sum, { uiTokenAmount }) => sum + BigInt(uiTokenAmount.amount), 0n);
  return held(postTokenBalances) - held(preTokenBalances);
}

/** A transaction's size on the wire, signatures included. */
export function bytesOf({ transaction }: VersionedTransactionResponse): number {
  const { message, signatures } = transaction;
  // One byte for the number of signatures, then 64 bytes per signature.
  return 1 + 64 * signatures.length + message.serialize().length;
}

function accountKeys({ transaction, meta }: VersionedTransactionResponse): PublicKey[] {
  const { writable = [], readonly = [] } = meta?.loadedAddresses ?? {};
  return [...transaction.message.staticAccountKeys, ...writable, ...readonly];
}
