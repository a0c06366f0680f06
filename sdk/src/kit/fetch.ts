// Reads accounts through an RPC node, with Kit.
import type { Address, Commitment, GetMultipleAccountsApi, MaybeEncodedAccount, Rpc } from '@solana/kit';
import type { AccountInfo, Connection } from '@solana/web3.js';
import * as accounts from '../accounts.js';
import * as client from '../client.js';
import type { Properties, TokenOwnerData } from '../generated/accounts.js';
import { fetchMarket as fetchCoreMarket } from '../market/fetch.js';
import { keyOf, translated, translatedError, withAddresses } from './convert.js';
import { coreDeployment, type Deployment } from './deployment.js';
import { deriving } from './derive.js';
import type { Market } from './market.js';
import { accountInfo, readerOf } from './reader.js';

/** An RPC client that can read accounts; `createSolanaRpc(url)` is one. */
export type AccountsRpc = Rpc<GetMultipleAccountsApi>;

/** How to read accounts. */
export interface FetchOptions {
  /** `confirmed` when left out. */
  readonly commitment?: Commitment | undefined;
  /** The build to read; the default deployment when left out. */
  readonly deployment?: Deployment | undefined;
}

/**
 * Where a token trades, with everything that quotes and trades need, read at one slot in one request. Null when the token or
 * the properties are missing.
 *
 * @throws UnexpectedAccountError when an account is not what its address promises
 */
export async function fetchMarket(
  rpc: AccountsRpc,
  mint: Address,
  options: FetchOptions = {},
): Promise<Market | null> {
  const market = await read((connection, how) => fetchCoreMarket(connection, keyOf(mint), how), rpc, options);
  return withAddresses(market) as Market | null;
}

/**
 * State of a token's curve, or null when the token was not created here.
 *
 * @throws UnexpectedAccountError when the account is not a curve of this deployment
 */
export function fetchTokenOwnerData(
  rpc: AccountsRpc,
  mint: Address,
  options: FetchOptions = {},
): Promise<TokenOwnerData | null> {
  return read((connection, how) => client.fetchTokenOwnerData(connection, keyOf(mint), how), rpc, options);
}

/**
 * The launchpad's properties, or null before the admin has set them.
 *
 * @throws UnexpectedAccountError when the account is not this deployment's properties
 */
export function fetchProperties(rpc: AccountsRpc, options: FetchOptions = {}): Promise<Properties | null> {
  return read(client.fetchProperties, rpc, options);
}

/**
 * A curve's state from its account as `fetchEncodedAccount` returns it; null for an account that is not there yet.
 *
 * @throws UnexpectedAccountError for an account of another owner, kind or length
 */
export function decodeTokenOwnerAccount(
  account: MaybeEncodedAccount,
  deployment?: Deployment,
): TokenOwnerData | null {
  const address = keyOf(account.address);
  return translated(() =>
    accounts.decodeTokenOwnerAccount(address, encoded(account), coreDeployment(deployment)),
  );
}

/**
 * The launchpad's properties from their account as `fetchEncodedAccount` returns it; null before the admin has set them.
 *
 * @throws UnexpectedAccountError for an account of another owner, kind or length
 */
export function decodePropertiesAccount(
  account: MaybeEncodedAccount,
  deployment?: Deployment,
): Properties | null {
  return translated(() => accounts.decodePropertiesAccount(encoded(account), coreDeployment(deployment)));
}

function encoded(account: MaybeEncodedAccount): AccountInfo<Uint8Array> | null {
  if (!account.exists) return null;
  return accountInfo(account.programAddress, Uint8Array.from(account.data), Number(account.lamports));
}

/** Calls what the core reads with, which derives addresses first and then asks. */
async function read<T>(
  ask: (connection: Connection, how: client.FetchOptions) => Promise<T>,
  rpc: AccountsRpc,
  { commitment = 'confirmed', deployment }: FetchOptions,
): Promise<T> {
  try {
    const how = { commitment, deployment: coreDeployment(deployment) };
    return await deriving(() => ask(readerOf(rpc), how));
  } catch (error) {
    throw translatedError(error);
  }
}
