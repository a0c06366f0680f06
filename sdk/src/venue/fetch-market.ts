import { associatedTokenAddress, curveAddress } from '../accounts/addresses.js';
import { decodePropertiesAccount, decodeTokenOwnerAccount } from '../accounts/decode.js';
import { DEFAULT_DEPLOYMENT, type Deployment } from '../accounts/deployment.js';
import type { PoolAddresses } from '../amm/amm.js';
import * as AMM from '../amm/in-use.js';
import type { AccountInfo, Connection, PublicKey } from '../chain/types.js';
import { requireKnown } from '../checks/options.js';
import { highestVirtualToken } from '../curve/limits.js';
import { CurveStatus } from '../curve/status.js';
import { graduatesByItself, poolAddress } from '../graduation/addresses.js';
import { reading } from '../rpc/reading.js';
import { FETCH_OPTIONS, type FetchOptions } from './fetch-curve.js';
import type { Market } from './market.js';

/**
 * Reads where a token trades, with everything that quotes and trades need, at one slot in one request. Null when the
 * curve or the properties do not exist.
 *
 * @throws UnexpectedAccountError when an account has an unexpected owner, kind or length
 * @throws RpcError; the signal's reason
 */
export async function fetchMarket(
  connection: Connection,
  mint: PublicKey,
  how: FetchOptions = {},
): Promise<Market | null> {
  requireKnown('options', how, ...FETCH_OPTIONS);
  const { commitment, deployment = DEFAULT_DEPLOYMENT, ...options } = how;
  const where = marketAccounts(mint, deployment);
  const accounts = await reading(connection, options).getMultipleAccountsInfo(where.accounts, commitment);
  return decodeMarket(where, accounts);
}

/** The accounts that show where a token trades. */
export interface MarketAccounts {
  readonly mint: PublicKey;
  readonly deployment: Deployment;
  readonly curve: PublicKey;
  /** Undefined when curves do not graduate by themselves. */
  readonly pool: PoolAddresses | undefined;
  /** The accounts that {@link decodeMarket} reads, in the same order. */
  readonly accounts: PublicKey[];
}

export function marketAccounts(mint: PublicKey, deployment: Deployment): MarketAccounts {
  // First, because it refuses what is not a deployment.
  const pool = graduatesByItself(deployment)
    ? AMM.addresses(poolAddress(mint, deployment).address, mint)
    : undefined;
  const curve = curveAddress(mint, deployment).address;
  const vault = associatedTokenAddress(curve, mint).address;
  const ofPool = pool === undefined ? [] : AMM.accounts(pool);
  const accounts = [curve, deployment.properties.address, vault, ...ofPool];
  return { mint, deployment, curve, pool, accounts };
}

/** @throws UnexpectedAccountError when an account has an unexpected owner, kind or length */
export function decodeMarket(
  { mint, deployment, curve: curveKey, pool: addresses }: MarketAccounts,
  accounts: readonly (AccountInfo<Uint8Array> | null)[],
): Market | null {
  const [curveAccount = null, propertiesAccount = null, vaultAccount = null, ...poolAccounts] = accounts;
  const data = decodeTokenOwnerAccount(curveKey, curveAccount, deployment);
  const properties = decodePropertiesAccount(propertiesAccount, deployment);
  if (data === null || properties === null) return null;

  const poolKey = addresses?.pool;
  const { platformFeeBps } = properties;
  const highest = highestVirtualToken(data.virtualToken, vaultAccount);
  const curve = { ...data, highestVirtualToken: highest, platformFeeBps, poolAddress: poolKey };
  if (data.initialized === CurveStatus.Finalized)
    return { venue: 'graduating', mint, curve, poolAddress: poolKey };
  if (data.initialized !== CurveStatus.Migrated) return { venue: 'curve', mint, curve };
  const pool = addresses === undefined ? null : AMM.decode(addresses, poolAccounts);
  // A curve that graduates by itself is migrated and gets its pool in the same transaction.
  if (addresses === undefined || pool === null) return { venue: 'unknown', mint, curve };
  return { venue: 'pool', mint, curve, pool, addresses };
}
