// Reads the program's accounts through an RPC node.
import { associatedTokenAddress, curveAddress } from '../accounts/addresses.js';
import { decodePropertiesAccount, decodeTokenOwnerAccount } from '../accounts/decode.js';
import { DEFAULT_DEPLOYMENT, type Deployment } from '../accounts/deployment.js';
import type { AccountInfo, Commitment, Connection, PublicKey } from '../chain/types.js';
import { notA } from '../errors/base.js';
import { requireKnown, type OptionNames } from '../checks/options.js';
import { highestVirtualToken } from '../curve/limits.js';
import { CurveStatus } from '../curve/status.js';
import type { Properties, TokenOwnerData } from '../generated/accounts.js';
import { graduatesByItself, poolAddress } from '../graduation/addresses.js';
import { RPC_OPTIONS, type RpcOptions } from '../rpc/ask.js';
import { reading, type Reader } from '../rpc/reading.js';
import type { CurveState } from './quotes.js';

/** The most accounts that an RPC node returns per request. */
const ACCOUNTS_PER_REQUEST = 100;

/** Options for reading accounts. */
export interface FetchOptions extends RpcOptions {
  /** Default: the connection's commitment. */
  readonly commitment?: Commitment | undefined;
  /** Default: the default deployment. */
  readonly deployment?: Deployment | undefined;
}

export const FETCH_OPTIONS = [
  RPC_OPTIONS,
  { commitment: true, deployment: true } satisfies OptionNames<Omit<FetchOptions, keyof RpcOptions>>,
] as const;

/**
 * Reads the state of a token's curve. Null when this deployment has no curve for the mint.
 *
 * @throws UnexpectedAccountError when the account is not a curve of this deployment
 * @throws RpcError; the signal's reason
 */
export async function fetchTokenOwnerData(
  connection: Connection,
  mint: PublicKey,
  options: FetchOptions = {},
): Promise<TokenOwnerData | null> {
  const [data] = await fetchManyTokenOwnerData(connection, [mint], options);
  return data ?? null;
}

/**
 * Reads the curves of many tokens, in the order of the mints. Null for each mint without a curve of this deployment.
 * Sends one request per hundred mints.
 *
 * @throws UnexpectedAccountError when one of the accounts is not a curve of this deployment
 * @throws RpcError; the signal's reason
 */
export async function fetchManyTokenOwnerData(
  connection: Connection,
  mints: readonly PublicKey[],
  how: FetchOptions = {},
): Promise<(TokenOwnerData | null)[]> {
  const { commitment, deployment, ...options } = checked(how);
  const node = reading(connection, options);
  const given: unknown = mints;
  if (!Array.isArray(given)) throw notA('mints', 'a list of mints', mints);
  const addresses = mints.map((mint) => curveAddress(mint, deployment).address);
  const accounts = await fetchAccounts(node, addresses, commitment);
  return addresses.map((address, index) =>
    decodeTokenOwnerAccount(address, accounts[index] ?? null, deployment),
  );
}

/**
 * Reads the launchpad's properties. Null before the admin has set them.
 *
 * @throws UnexpectedAccountError when the account is not this deployment's properties
 * @throws RpcError; the signal's reason
 */
export async function fetchProperties(
  connection: Connection,
  how: FetchOptions = {},
): Promise<Properties | null> {
  const { commitment, deployment, ...options } = checked(how);
  const account = await reading(connection, options).getAccountInfo(
    deployment.properties.address,
    commitment,
  );
  return decodePropertiesAccount(account, deployment);
}

/**
 * Reads what a quote needs at one slot: the curve and the current fee. Null when the curve or the properties do not
 * exist.
 *
 * @throws UnexpectedAccountError when one of the two accounts is not this deployment's
 * @throws RpcError; the signal's reason
 */
export async function fetchCurveState(
  connection: Connection,
  mint: PublicKey,
  how: FetchOptions = {},
): Promise<(TokenOwnerData & CurveState) | null> {
  const { commitment, deployment, ...options } = checked(how);
  const node = reading(connection, options);
  const { address } = curveAddress(mint, deployment);
  const vault = associatedTokenAddress(address, mint).address;
  const [curveAccount = null, propertiesAccount = null, vaultAccount = null] = await fetchAccounts(
    node,
    [address, deployment.properties.address, vault],
    commitment,
  );
  const data = decodeTokenOwnerAccount(address, curveAccount, deployment);
  const properties = decodePropertiesAccount(propertiesAccount, deployment);
  if (data === null || properties === null) return null;
  const { platformFeeBps } = properties;
  const highest = highestVirtualToken(data.virtualToken, vaultAccount);
  const curve = { ...data, highestVirtualToken: highest };
  // A quote's error needs the pool address to say where the token trades.
  if (curve.initialized === CurveStatus.Trading || !graduatesByItself(deployment))
    return { ...curve, platformFeeBps };
  return { ...curve, platformFeeBps, poolAddress: poolAddress(mint, deployment).address };
}

/** @throws InvalidArgumentError for an unknown option */
function checked(options: FetchOptions): FetchOptions & { readonly deployment: Deployment } {
  requireKnown('options', options, ...FETCH_OPTIONS);
  return { ...options, deployment: options.deployment ?? DEFAULT_DEPLOYMENT };
}

async function fetchAccounts(
  node: Reader,
  addresses: readonly PublicKey[],
  commitment: Commitment | undefined,
): Promise<(AccountInfo<Uint8Array> | null)[]> {
  const chunks: PublicKey[][] = [];
  for (let start = 0; start < addresses.length; start += ACCOUNTS_PER_REQUEST) {
    chunks.push(addresses.slice(start, start + ACCOUNTS_PER_REQUEST));
  }
  const accounts = await Promise.all(chunks.map((chunk) => node.getMultipleAccountsInfo(chunk, commitment)));
  return accounts.flat();
}
