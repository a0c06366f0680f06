// Reads accounts through an RPC node, with Kit.
import type {
  Address,
  Commitment,
  GetMinimumBalanceForRentExemptionApi,
  GetMultipleAccountsApi,
  MaybeEncodedAccount,
  Rpc,
} from '@solana/kit';
import * as accounts from '../../accounts/decode.js';
import type { AccountInfo, Connection } from '../../chain/types.js';
import { requireKnown, requireObject } from '../../checks/options.js';
import type { Properties, TokenOwnerData } from '../../generated/accounts.js';
import type { RpcOptions } from '../../rpc/ask.js';
import * as core from '../../rpc/rent.js';
import * as client from '../../venue/fetch-curve.js';
import { fetchMarket as fetchCoreMarket } from '../../venue/fetch-market.js';
import { keyOf, promised, translated, withAddresses } from '../convert.js';
import { accountInfo, readerOf, requireRpc } from '../rpc/reader.js';
import { requestsOf } from '../rpc/requests.js';
import type { Market } from '../venue.js';
import { coreDeployment, type Deployment } from './deployment.js';

/** An RPC client that can read accounts, for example `createSolanaRpc(url)`. */
export type AccountsRpc = Rpc<GetMultipleAccountsApi>;

/** Options for reading accounts. */
export interface FetchOptions extends RpcOptions {
  /** Default `confirmed`. */
  readonly commitment?: Commitment | undefined;
  /** The build to read. Default: the default deployment. */
  readonly deployment?: Deployment | undefined;
}

/**
 * Reads where a token trades, with everything that quotes and trades need, at one slot in one request. Null when the
 * curve or the properties do not exist.
 *
 * @throws UnexpectedAccountError when an account has an unexpected owner, kind or length
 * @throws RpcError; the signal's reason
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
 * Reads the state of a token's curve. Null when this deployment has no curve for the mint.
 *
 * @throws UnexpectedAccountError when the account is not a curve of this deployment
 * @throws RpcError; the signal's reason
 */
export function fetchTokenOwnerData(
  rpc: AccountsRpc,
  mint: Address,
  options: FetchOptions = {},
): Promise<TokenOwnerData | null> {
  return read((connection, how) => client.fetchTokenOwnerData(connection, keyOf(mint), how), rpc, options);
}

/**
 * Reads the launchpad's properties. Null before the admin has set them.
 *
 * @throws UnexpectedAccountError when the account is not this deployment's properties
 * @throws RpcError; the signal's reason
 */
export function fetchProperties(rpc: AccountsRpc, options: FetchOptions = {}): Promise<Properties | null> {
  return read(client.fetchProperties, rpc, options);
}

/**
 * The lamports that an account with `bytes` bytes of data must hold. The node is asked once; the client remembers its
 * answer for ten minutes.
 *
 * @throws InvalidArgumentError; RpcError; the signal's reason
 */
export function fetchRentExemption(
  rpc: Rpc<GetMinimumBalanceForRentExemptionApi>,
  bytes: number,
  options: RpcOptions = {},
): Promise<bigint> {
  return promised(() => {
    requireRpc(rpc);
    const connection = { client: rpc, _rpcRequest: requestsOf(rpc).rpcRequest };
    return core.fetchRentExemption(connection as unknown as Connection, bytes, options);
  });
}

/**
 * Decodes a curve's state from its account as `fetchEncodedAccount` returns it. Null when the account does not exist
 * yet.
 *
 * @throws UnexpectedAccountError for an account of another owner, kind or length
 */
export function decodeTokenOwnerAccount(
  account: MaybeEncodedAccount,
  deployment?: Deployment,
): TokenOwnerData | null {
  requireObject('account', account);
  const address = keyOf(account.address);
  return translated(() =>
    accounts.decodeTokenOwnerAccount(address, encoded(account), coreDeployment(deployment)),
  );
}

/**
 * Decodes the launchpad's properties from their account as `fetchEncodedAccount` returns it. Null before the admin has
 * set them.
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
  requireObject('account', account);
  if (!account.exists) return null;
  return accountInfo(account.programAddress, Uint8Array.from(account.data), Number(account.lamports));
}

function read<T>(
  ask: (connection: Connection, how: client.FetchOptions) => Promise<T>,
  rpc: AccountsRpc,
  given: FetchOptions,
): Promise<T> {
  return promised(() => {
    requireKnown('options', given, ...client.FETCH_OPTIONS);
    const { commitment = 'confirmed', deployment, ...options } = given;
    const how = { ...options, commitment, deployment: coreDeployment(deployment) };
    return ask(readerOf(rpc), how);
  });
}
