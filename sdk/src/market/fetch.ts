import type { Connection, PublicKey } from '@solana/web3.js';
import { decodePropertiesAccount, decodeTokenOwnerAccount } from '../accounts.js';
import { curveAddress } from '../addresses.js';
import { AMM } from '../amm/index.js';
import type { FetchOptions } from '../client.js';
import { DEFAULT_DEPLOYMENT } from '../deployment.js';
import { graduatesByItself, poolAddress } from '../graduation/addresses.js';
import { CurveStatus } from '../status.js';
import type { Market } from './market.js';

/**
 * Where a token trades, with everything that quotes and trades need, read at one slot in one request. Null when the token or
 * the properties are missing.
 *
 * @throws UnexpectedAccountError when an account is not what its address promises
 */
export async function fetchMarket(
  connection: Connection,
  mint: PublicKey,
  { commitment, deployment = DEFAULT_DEPLOYMENT }: FetchOptions = {},
): Promise<Market | null> {
  const curveKey = curveAddress(mint, deployment).address;
  const addresses = graduatesByItself(deployment)
    ? AMM.addresses(poolAddress(mint, deployment).address, mint)
    : undefined;
  const ofPool = addresses === undefined ? [] : AMM.accounts(addresses);
  const [curveAccount = null, propertiesAccount = null, ...poolAccounts] =
    await connection.getMultipleAccountsInfo(
      [curveKey, deployment.properties.address, ...ofPool],
      commitment,
    );
  const data = decodeTokenOwnerAccount(curveKey, curveAccount, deployment);
  const properties = decodePropertiesAccount(propertiesAccount, deployment);
  if (data === null || properties === null) return null;

  const poolKey = addresses?.pool;
  const curve = { ...data, platformFeeBps: properties.platformFeeBps, poolAddress: poolKey };
  if (data.initialized === CurveStatus.Finalized)
    return { venue: 'graduating', mint, curve, poolAddress: poolKey };
  if (data.initialized !== CurveStatus.Migrated) return { venue: 'curve', mint, curve };
  const pool = addresses === undefined ? null : AMM.decode(addresses, poolAccounts);
  // A curve that graduates by itself is migrated and gets its pool in one transaction.
  if (addresses === undefined || pool === null) return { venue: 'unknown', mint, curve };
  return { venue: 'pool', mint, curve, pool, addresses };
}
