// Addresses that a launchpad on a real cluster must not use: development keys, whose secrets are in the repository, and
// addresses that nobody can sign for.
import { isIP } from 'node:net';
import { ComputeBudgetProgram, PublicKey, type Connection } from '@solana/web3.js';
import {
  AMM,
  ATA_PROGRAM_ADDRESS,
  DEFAULT_DEPLOYMENT,
  graduatesByItself,
  KEY_HELD_DEPLOYMENT,
  NATIVE_MINT_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  type Deployment,
} from '@curvekit/sdk';
import { UPGRADEABLE_LOADER as LOADER_ADDRESS } from '../../chain/node-ledger.js';

export const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
/** Genesis hashes of mainnet-beta, devnet and testnet. */
const PUBLIC_GENESES = [
  MAINNET_GENESIS,
  'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  '4uhcVJyU9pJkvQyS88uRDiswHScSGY3CViRaFRQGnHyK',
];

const DEVELOPMENT: readonly PublicKey[] = [DEFAULT_DEPLOYMENT, KEY_HELD_DEPLOYMENT].flatMap(
  ({ programId, admin, feeReceiver, dexOwner, graduation }) => [
    ...[programId, admin, feeReceiver, dexOwner],
    ...[graduation.programId, graduation.treasury],
  ],
);
/** As `NOBODY` in the programs' interface crate, which `tests/program/deploy.test.ts` compares. */
const NOBODY: readonly PublicKey[] = [
  ...[SYSTEM_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS, ATA_PROGRAM_ADDRESS, TOKEN_METADATA_PROGRAM_ADDRESS],
  ...[NATIVE_MINT_ADDRESS, RENT_SYSVAR_ADDRESS, ComputeBudgetProgram.programId, AMM.programId],
  new PublicKey('1nc1nerator11111111111111111111111111111111'),
  new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
  new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111'),
  // The AMM's fee tier 0.
  new PublicKey('D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2'),
];

/** An address of a deployment that cannot be right on a real cluster. */
export interface Unusable {
  /** Such as `admin`. */
  readonly role: string;
  readonly address: PublicKey;
  readonly why: string;
}

/** The addresses of a deployment that a real cluster must not have. Those of the graduation program count if it is used. */
export function unusableAddresses(deployment: Deployment): Unusable[] {
  const { programId, admin, feeReceiver, dexOwner, graduation } = deployment;
  const own = graduatesByItself(deployment) ? [programId, graduation.programId] : [programId];
  const authorities = { admin, 'fee receiver': feeReceiver, 'DEX owner': dexOwner };
  const roles: Record<string, PublicKey> = {
    program: programId,
    ...authorities,
    ...(graduatesByItself(deployment)
      ? { 'graduation program': graduation.programId, treasury: graduation.treasury }
      : {}),
  };
  return Object.entries(roles).flatMap(([role, address]) => {
    const isOneOf = (list: readonly PublicKey[]) => list.some((other) => other.equals(address));
    if (isOneOf(DEVELOPMENT))
      return [{ role, address, why: 'a development key, whose secret everybody has' }];
    const isProgram = !role.endsWith('program') && isOneOf(own);
    return isOneOf(NOBODY) || isProgram
      ? [{ role, address, why: 'an address that nobody can sign for' }]
      : [];
  });
}

/** Whether the cluster is on this machine or in its private network, and none of the public ones. */
export async function isLocalCluster(connection: Connection): Promise<boolean> {
  const { hostname } = new URL(connection.rpcEndpoint);
  return isPrivateHost(hostname) && !PUBLIC_GENESES.includes(await connection.getGenesisHash());
}

function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0) return !host.includes('.') || /\.(localhost|local|internal)$/.test(host);
  return /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1$|f[cd])/i.test(host);
}

export const UPGRADEABLE_LOADER = new PublicKey(LOADER_ADDRESS);
/** Size of a program's account: a tag, and the address of its data account. */
const PROGRAM_BYTES = 36;
/** Layout of the data account: a tag, the slot of the deployment, and an optional key. */
const AUTHORITY_OFFSET = 12;
const HEADER_BYTES = 45;

/** The upgrade authority; null when the program is final, undefined when the program does not exist. */
export async function upgradeAuthority(
  connection: Connection,
  programId: PublicKey,
): Promise<PublicKey | null | undefined> {
  const program = await connection.getAccountInfo(programId);
  if (program?.executable !== true) return undefined;
  if (!program.owner.equals(UPGRADEABLE_LOADER) || program.data.length < PROGRAM_BYTES) return null;
  const data = await connection.getAccountInfo(new PublicKey(program.data.subarray(4, PROGRAM_BYTES)), {
    dataSlice: { offset: 0, length: HEADER_BYTES },
  });
  const header = data?.data;
  if (header === undefined || header.length < HEADER_BYTES || header[AUTHORITY_OFFSET] !== 1) return null;
  return new PublicKey(header.subarray(AUTHORITY_OFFSET + 1));
}
