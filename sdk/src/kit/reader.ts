// Presents Kit's client as the Connection with which the core reads accounts.
import type { Address, Commitment } from '@solana/kit';
import type { AccountInfo, Connection } from '@solana/web3.js';
import { decodeBase64 } from '../base64.js';
import type { PublicKey } from '../chain.js';
import { keyOf } from './convert.js';
import type { AccountsRpc } from './fetch.js';

/** The two requests of web3.js's Connection that the core reads accounts with. */
export function readerOf(rpc: AccountsRpc): Connection {
  const getMultipleAccountsInfo = async (keys: readonly PublicKey[], commitment: Commitment) => {
    const addresses = keys.map((key) => key.toBase58() as Address);
    const { value } = await rpc.getMultipleAccounts(addresses, { encoding: 'base64', commitment }).send();
    return value.map(
      (account) =>
        account && accountInfo(account.owner, decodeBase64(account.data[0]), Number(account.lamports)),
    );
  };
  const getAccountInfo = async (key: PublicKey, commitment: Commitment) =>
    (await getMultipleAccountsInfo([key], commitment))[0];
  return { getMultipleAccountsInfo, getAccountInfo } as unknown as Connection;
}

/** The fields of an account that the core uses. */
export function accountInfo(owner: Address, data: Uint8Array, lamports: number): AccountInfo<Uint8Array> {
  return { owner: keyOf(owner), data, lamports } as AccountInfo<Uint8Array>;
}
