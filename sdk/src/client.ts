// Reading the program's accounts through an RPC node.
import type { AccountInfo, Commitment, Connection, PublicKey } from '@solana/web3.js';
import { decodePropertiesAccount, decodeTokenOwnerAccount } from './accounts.js';
import { associatedTokenAddress, curveAddress } from './addresses.js';
import { highestVirtualToken } from './curve-limits.js';
import { DEFAULT_DEPLOYMENT, type Deployment } from './deployment.js';
import type { Properties, TokenOwnerData } from './generated/accounts.js';
import { graduatesByItself, poolAddress } from './graduation/addresses.js';
import type { CurveState } from './quotes.js';
import { CurveStatus } from './status.js';

/** The most accounts an RPC node returns at once. */
const ACCOUNTS_PER_REQUEST = 100;

/** How to read accounts. */
export interface FetchOptions {
  /** The connection's own when left out. */
  readonly commitment?: Commitment | undefined;
  /** The build to read; the default deployment when left out. */
  readonly deployment?: Deployment | undefined;
}

/**
 * State of a token's curve, or null when the token was not created here.
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
 * States of many tokens' curves, in the order of the mints, null for each that was not created here. One request per
 * hundred.
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
 * The launchpad's properties, or null before the admin has set them.
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
 * What a quote needs, read at one slot: the curve and the live fee. Null when the token or the properties are missing.
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
  // For the error of a quote, which says where the token trades.
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
