// Reads the program's accounts through an RPC node.
import type { AccountInfo, Commitment, Connection, PublicKey } from '@solana/web3.js';
import { decodePropertiesAccount, decodeTokenOwnerAccount } from './accounts.js';
import { associatedTokenAddress, curveAddress } from './addresses.js';
import { highestVirtualToken } from './curve-limits.js';
import { DEFAULT_DEPLOYMENT, type Deployment } from './deployment.js';
import type { Properties, TokenOwnerData } from './generated/accounts.js';
import { graduatesByItself, poolAddress } from './graduation/addresses.js';
import type { CurveState } from './quotes.js';
import { CurveStatus } from './status.js';

/** The most accounts that an RPC node returns per request. */
const ACCOUNTS_PER_REQUEST = 100;

/** Options for reading accounts. */
export interface FetchOptions {
  /** Default: the connection's commitment. */
  readonly commitment?: Commitment | undefined;
  /** Default: the default deployment. */
  readonly deployment?: Deployment | undefined;
}

/**
 * Reads the state of a token's curve. Null when this deployment has no curve for the mint.
 *
 * @throws UnexpectedAccountError when the account is not a curve of this deployment
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
 */
export async function fetchManyTokenOwnerData(
  connection: Connection,
  mints: readonly PublicKey[],
  { commitment, deployment = DEFAULT_DEPLOYMENT }: FetchOptions = {},
): Promise<(TokenOwnerData | null)[]> {
  const addresses = mints.map((mint) => curveAddress(mint, deployment).address);
  const accounts = await fetchAccounts(connection, addresses, commitment);
  return addresses.map((address, index) =>
    decodeTokenOwnerAccount(address, accounts[index] ?? null, deployment),
  );
}

/**
 * Reads the launchpad's properties. Null before the admin has set them.
 *
 * @throws UnexpectedAccountError when the account is not this deployment's properties
 */
export async function fetchProperties(
  connection: Connection,
  { commitment, deployment = DEFAULT_DEPLOYMENT }: FetchOptions = {},
): Promise<Properties | null> {
  const account = await connection.getAccountInfo(deployment.properties.address, commitment);
  return decodePropertiesAccount(account, deployment);
}

/**
 * Reads what a quote needs at one slot: the curve and the current fee. Null when the curve or the properties do not
 * exist.
 *
 * @throws UnexpectedAccountError when one of the two accounts is not this deployment's
 */
export async function fetchCurveState(
  connection: Connection,
  mint: PublicKey,
  { commitment, deployment = DEFAULT_DEPLOYMENT }: FetchOptions = {},
): Promise<(TokenOwnerData & CurveState) | null> {
  const { address } = curveAddress(mint, deployment);
  const vault = associatedTokenAddress(address, mint).address;
  const [curveAccount = null, propertiesAccount = null, vaultAccount = null] = await fetchAccounts(
    connection,
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

async function fetchAccounts(
  connection: Connection,
  addresses: readonly PublicKey[],
  commitment: Commitment | undefined,
): Promise<(AccountInfo<Uint8Array> | null)[]> {
  const chunks: PublicKey[][] = [];
  for (let start = 0; start < addresses.length; start += ACCOUNTS_PER_REQUEST) {
    chunks.push(addresses.slice(start, start + ACCOUNTS_PER_REQUEST));
  }
  const accounts = await Promise.all(
    chunks.map((chunk) => connection.getMultipleAccountsInfo(chunk, commitment)),
  );
  return accounts.flat();
}
