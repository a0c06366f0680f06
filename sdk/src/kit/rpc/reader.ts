// Presents Kit's client as the Connection with which the core reads accounts.
import type { Address } from '@solana/kit';
import type { PublicKey } from '../../chain/keys.js';
import type { AccountInfo, Connection } from '../../chain/types.js';
import { decodeBase64 } from '../../encoding/base64.js';
import { InvalidArgumentError } from '../../errors/index.js';
import type { AccountsRpc } from '../accounts/fetch.js';
import { keyOf } from '../convert.js';
import { requestsOf } from './requests.js';

interface Config {
  readonly commitment?: string;
  readonly minContextSlot?: number;
}

interface Accounts {
  readonly context: { readonly slot: bigint };
  readonly value: readonly (KitAccount | null)[];
}

interface KitAccount {
  readonly owner: Address;
  readonly data: readonly [string, string];
  readonly lamports: bigint;
}

/** The two requests of web3.js's Connection that the core reads accounts with. */
export function readerOf(rpc: AccountsRpc): Connection {
  requireRpc(rpc);
  const { askRaw } = requestsOf(rpc);
  const getMultipleAccountsInfoAndContext = async (keys: readonly PublicKey[], config: Config) => {
    const addresses = keys.map((key) => key.toBase58() as Address);
    const asked = { ...withBigSlot(config), encoding: 'base64' };
    const { context, value } = (await askRaw('getMultipleAccounts', addresses, asked)) as Accounts;
    const accounts = value.map(
      (account) =>
        account && accountInfo(account.owner, decodeBase64(account.data[0]), Number(account.lamports)),
    );
    return { context: { slot: Number(context.slot) }, value: accounts };
  };
  const getAccountInfoAndContext = async (key: PublicKey, config: Config) => {
    const { context, value } = await getMultipleAccountsInfoAndContext([key], config);
    return { context, value: value[0] ?? null };
  };
  // `client`: the slot of the last landed transaction is remembered by the caller's client.
  const reader = { client: rpc, getMultipleAccountsInfoAndContext, getAccountInfoAndContext };
  return reader as unknown as Connection;
}

/** Kit expects a slot as a bigint. */
export function withBigSlot({ minContextSlot, ...config }: Config): object {
  return minContextSlot === undefined ? config : { ...config, minContextSlot: BigInt(minContextSlot) };
}

/** @throws InvalidArgumentError unless the value can be an RPC client */
export function requireRpc(rpc: object): void {
  const given: unknown = rpc;
  if ((typeof given !== 'object' && typeof given !== 'function') || given === null)
    throw new InvalidArgumentError(
      'rpc',
      'must be an RPC client of @solana/kit, as createSolanaRpc returns it',
    );
}

/** The fields of an account that the core uses. */
export function accountInfo(owner: Address, data: Uint8Array, lamports: number): AccountInfo<Uint8Array> {
  return { owner: keyOf(owner), data, lamports } as AccountInfo<Uint8Array>;
}
