// Decodes account data into typed state.
import type { AccountInfo, PublicKey } from '../chain/types.js';
import { requireKey } from '../checks/keys.js';
import { requireObject } from '../checks/options.js';
import { startsWith } from '../codec/borsh.js';
import { UnexpectedAccountError } from '../errors/index.js';
import {
  decodeProperties,
  decodeTokenOwnerData,
  PROPERTIES_DISCRIMINATOR,
  PROPERTIES_SIZE,
  TOKEN_OWNER_DATA_DISCRIMINATOR,
  TOKEN_OWNER_DATA_SIZE,
  type Properties,
  type TokenOwnerData,
} from '../generated/accounts.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../generated/program.js';
import { DEFAULT_DEPLOYMENT, requireDeployment, type Deployment } from './deployment.js';

interface Layout<T> {
  readonly name: string;
  readonly discriminator: Uint8Array;
  readonly size: number;
  readonly decode: (data: Uint8Array) => T;
}

/**
 * Decodes a curve's state from its account as an RPC node returns it. Null when the account does not exist yet, even if
 * somebody has already sent lamports to its address.
 *
 * @throws UnexpectedAccountError for an account of another owner, kind or length
 */
export function decodeTokenOwnerAccount(
  address: PublicKey,
  account: AccountInfo<Uint8Array> | null,
  deployment: Deployment = DEFAULT_DEPLOYMENT,
): TokenOwnerData | null {
  const { programId } = requireDeployment(deployment);
  const layout = {
    name: 'TokenOwnerData',
    discriminator: TOKEN_OWNER_DATA_DISCRIMINATOR,
    size: TOKEN_OWNER_DATA_SIZE,
    decode: decodeTokenOwnerData,
  };
  return decodeAccount(layout, requireKey('address', address), account, programId);
}

/**
 * Decodes the launchpad's properties from their account as an RPC node returns it. Null before the admin has set them.
 *
 * @throws UnexpectedAccountError for an account of another owner, kind or length
 */
export function decodePropertiesAccount(
  account: AccountInfo<Uint8Array> | null,
  deployment: Deployment = DEFAULT_DEPLOYMENT,
): Properties | null {
  const { programId, properties } = requireDeployment(deployment);
  const layout = {
    name: 'Properties',
    discriminator: PROPERTIES_DISCRIMINATOR,
    size: PROPERTIES_SIZE,
    decode: decodeProperties,
  };
  return decodeAccount(layout, properties.address, account, programId);
}

function decodeAccount<T>(
  { name, discriminator, size, decode }: Layout<T>,
  address: PublicKey,
  account: AccountInfo<Uint8Array> | null,
  programId: PublicKey,
): T | null {
  if (account === null) return null;
  requireObject('account', account);
  const { owner, data } = account;
  requireKey('account.owner', owner);
  if (owner.equals(SYSTEM_PROGRAM_ADDRESS) && data.length === 0) return null;
  if (!owner.equals(programId)) {
    throw new UnexpectedAccountError(
      address,
      `belongs to ${owner.toBase58()}; a ${name} belongs to ${programId.toBase58()}`,
    );
  }
  if (!startsWith(data, discriminator))
    throw new UnexpectedAccountError(address, `is not a ${name}: its discriminator differs`);
  if (data.length !== size) {
    throw new UnexpectedAccountError(address, `is ${data.length} bytes long; a ${name} has ${size}`);
  }
  return decode(data);
}
