// Compares an authority that the service uses with the one that the program was built with.
import bs58 from 'bs58';
import { PublicKey, type Connection } from '@solana/web3.js';
import {
  adminSetProperties,
  fetchProperties,
  communityTokenStorageAddress,
  type Deployment,
  BUY_TOKEN_ACCOUNTS,
  instructionName,
  KEY_HELD_DEPLOYMENT,
  SELL_TOKEN_ACCOUNTS,
  createDeployment,
  sweepFees,
  fetchTransaction,
  type ConfirmedTransaction,
  type JsonInstruction,
} from '@curvekit/sdk';
import { unpackAccount } from '@solana/spl-token';
import type { Signer } from '../../keys/signer.js';
import { failure, warning, type Finding, ok } from './finding.js';
import type { CommandCluster } from '../session.js';
import {
  FEE_LAMPORTS,
  simulate,
  type Outcome,
  simulateLaunch,
  simulateFeeReceiver,
  simulateSweep,
} from './simulation.js';
import type { Database } from '../../db/database.js';
import { newestMint } from './database-checks.js';
import { checkPayer } from './treasury-checks.js';

/** An address that the service uses, and the variable that sets it. */
interface Authority {
  readonly own: PublicKey;
  /** Such as `ADMIN_ADDRESS is 2Jtn…`. */
  readonly stated: string;
  /** Such as `set ADMIN_ADDRESS to`, before the right address. */
  readonly fix: string;
}

/** The sources of an authority. Without a key and an address the service uses the SDK's. */
interface Sources {
  readonly key?: Pick<Signer, 'publicKey'> | undefined;
  readonly address: PublicKey | undefined;
  readonly used: PublicKey;
}

/** @param name as in NAME_ADDRESS and NAME_KEYPAIR */
function authorityOf(name: string, { key, address, used }: Sources): Authority {
  if (key !== undefined) {
    const own = key.publicKey;
    const variable = `${name}_KEYPAIR`;
    return { own, stated: `${variable} is ${own.toBase58()}`, fix: `set ${variable} to the key of` };
  }
  return addressOf(`${name}_ADDRESS`, address, used);
}

/** An address that one variable sets. */
function addressOf(variable: string, address: PublicKey | undefined, used: PublicKey): Authority {
  const stated =
    address === undefined
      ? `${variable} is not set, so the service uses ${used.toBase58()}`
      : `${variable} is ${used.toBase58()}`;
  return { own: used, stated, fix: `set ${variable} to` };
}

/**
 * @param right the program's address, if it is known
 * @param consequence what fails with the wrong address
 */
function wrongAuthority(
  subject: string,
  { stated, fix }: Authority,
  right: PublicKey | undefined,
  consequence: string,
): Finding {
  return failure(
    subject,
    `${stated}, but the program was built with ${right?.toBase58() ?? 'another address'}: ${consequence}`,
    `${fix} ${right?.toBase58() ?? 'the address that the program was built with'}, or PROGRAM_ID to the program that was built with yours`,
    'AuthorityWrong',
  );
}

function notCompared(subject: string, { own }: Authority, reason: string): Finding {
  return notAsked(subject, `${own.toBase58()} could not be compared with the program's: ${reason}`);
}

export function notAsked(subject: string, detail: string): Finding {
  return warning(
    subject,
    detail,
    'correct that, or fund one of the keys, and run `curvekit doctor` again',
    'AuthorityNotCompared',
  );
}

export async function checkAdmin(cluster: CommandCluster): Promise<Finding> {
  const { config, deployment } = cluster;
  const authority = authorityOf('ADMIN', {
    key: config.admin,
    address: config.authorities.admin,
    used: deployment.admin,
  });
  const found = await simulateAdmin(cluster);
  if (found.kind === 'right')
    return ok('admin', `${authority.own.toBase58()}, as the program was built with`);
  if (found.kind === 'unknown') return notCompared('admin', authority, found.reason);
  const consequence =
    config.admin === undefined
      ? 'the service publishes a wrong admin'
      : 'this key can neither change the properties nor sweep fees';
  return wrongAuthority('admin', authority, found.expected, consequence);
}

/** The program's admin; undefined when the simulation does not tell it. */
async function adminInProgram(cluster: CommandCluster): Promise<PublicKey | undefined> {
  const found = await simulateAdmin(cluster);
  if (found.kind === 'right') return cluster.deployment.admin;
  return found.kind === 'other key' ? found.expected : undefined;
}

/** Sets the properties to what they are. */
async function simulateAdmin(cluster: CommandCluster): Promise<Outcome> {
  const { connection, deployment } = cluster;
  const properties = await fetchProperties(connection, { deployment });
  if (properties === null) return { kind: 'unknown', reason: 'the properties have not been set' };
  return simulate(cluster, {
    what: 'simulating a change of the properties',
    deployment,
    lamports: FEE_LAMPORTS,
    compared: ['admin_account'],
    instructions: () => adminSetProperties({ ...properties, deployment }),
  });
}

/** The DEX owner owns the community storages of the tokens. */
export async function checkDexOwner(cluster: CommandCluster, database: Database): Promise<Finding> {
  const { config, connection, deployment } = cluster;
  const authority = authorityOf('DEX_OWNER', {
    key: config.dexOwner,
    address: config.authorities.dexOwner,
    used: deployment.dexOwner,
  });
  const { own } = authority;
  const found =
    (await ownerOfStorage(connection, deployment, database)) ?? (await ownerInProgram(cluster, own));
  if (typeof found === 'string') return notCompared('DEX owner', authority, found);
  if (found.equals(own)) return ok('DEX owner', `${own.toBase58()}, as the program was built with`);
  const consequence = 'launches from the page fail, and nothing can be settled';
  return wrongAuthority('DEX owner', authority, found, consequence);
}

/** Owner of a community storage of the newest token; undefined when there is no token. */
async function ownerOfStorage(
  connection: Connection,
  deployment: Deployment,
  database: Database,
): Promise<PublicKey | undefined> {
  const mint = await newestMint(database);
  if (mint === undefined) return undefined;
  const { address } = communityTokenStorageAddress(mint, deployment);
  const account = await connection.getAccountInfo(address);
  return account === null ? undefined : unpackAccount(address, account).owner;
}

/** The DEX owner that the program names in a simulated launch, or why it names none. */
async function ownerInProgram(cluster: CommandCluster, own: PublicKey): Promise<PublicKey | string> {
  const { feeReceiver } = cluster.deployment;
  const found = await simulateLaunch(cluster, { dexOwner: own, feeReceiver }, false);
  if (found.kind === 'right') return own;
  if (found.kind === 'unknown') return found.reason;
  return found.expected ?? `a simulated launch refuses the account ${found.account}`;
}

const MIGRATION = 'migration';

/** Every service publishes the address. Only `curvekit migrate` and a server that collects fees need the key. */
export async function checkFeeReceiver(cluster: CommandCluster): Promise<Finding[]> {
  const { config, connection, deployment } = cluster;
  const { feeReceiver: key, authorities } = config;
  const authority = authorityOf('FEE_RECEIVER', {
    key,
    address: authorities.feeReceiver,
    used: deployment.feeReceiver,
  });
  const { own } = authority;
  const subject = key === undefined ? 'fee receiver' : MIGRATION;
  const right = await feeReceiverOf(cluster, own);
  const finding =
    right !== undefined && 'reason' in right
      ? notCompared(subject, authority, right.reason)
      : right?.equals(own) === true
        ? ok(subject, `${own.toBase58()}, as the program was built with`)
        : wrongAuthority(
            subject,
            authority,
            right,
            key === undefined
              ? 'trades of the page and of Solana Actions fail with WrongFeeReceiver'
              : 'nothing can be migrated',
          );
  if (key !== undefined)
    return [finding.state === 'ok' ? await checkPayer(MIGRATION, connection, own) : finding];
  const keyless = 'not from here: `curvekit migrate` signs with FEE_RECEIVER_KEYPAIR where that is set';
  return [finding, ok(MIGRATION, keyless)];
}

/** The program's fee receiver; undefined when it is another one than `own`, and nothing names it. */
async function feeReceiverOf(
  cluster: CommandCluster,
  own: PublicKey,
): Promise<PublicKey | { readonly reason: string } | undefined> {
  const found = await simulateFeeReceiver(cluster, own);
  if (found.kind === 'right') return own;
  const traded = await feeReceiverOfTrades(cluster);
  if (found.kind === 'unknown') return traded ?? found;
  // A trade from before an upgrade names the earlier fee receiver.
  if (traded?.equals(own) === false) return traded;
  // The program's error does not name its fee receiver.
  for (const other of likelyReceivers(cluster.deployment)) {
    if ((await simulateFeeReceiver(cluster, other)).kind === 'right') return other;
  }
  return undefined;
}

function feeReceiverOfTrades({ connection, deployment }: CommandCluster): Promise<PublicKey | undefined> {
  return accountInPast(connection, {
    address: deployment.properties.address,
    programId: deployment.programId,
    position: (data) => {
      const name = instructionName(data);
      if (name === 'buyToken') return BUY_TOKEN_ACCOUNTS.feeAccount;
      return name === 'sellToken' ? SELL_TOKEN_ACCOUNTS.feeAccount : undefined;
    },
  });
}

function likelyReceivers({ graduation }: Deployment): PublicKey[] {
  return [graduation.feeReceiver.address, KEY_HELD_DEPLOYMENT.feeReceiver];
}

export async function checkGraduationTreasury(cluster: CommandCluster): Promise<Finding> {
  const { config, deployment } = cluster;
  const { treasury } = deployment.graduation;
  const authority = addressOf('GRADUATION_TREASURY', config.graduation.treasury, treasury);
  const admin = await adminInProgram(cluster);
  if (admin === undefined) return notCompared('fees', authority, "the program's admin is not known");
  const found = await simulateSweep(cluster, admin, treasury);
  if (found.kind === 'unknown') return notCompared('fees', authority, found.reason);
  if (found.kind === 'right') return sweptTo(cluster);
  if (found.account === 'admin_account') {
    return failure(
      'fees',
      `the graduation program was built with another admin than ${admin.toBase58()}, the admin of the curve program: that key cannot sweep fees`,
      'deploy a graduation program with the same CURVE_ADMIN, or set GRADUATION_PROGRAM_ID to one',
      'AuthorityWrong',
    );
  }
  const right = await treasuryInProgram(cluster, admin);
  return failure(
    'fees',
    `${authority.stated}, but the graduation program was built with ${right?.toBase58() ?? 'another address'}: no fees can be swept`,
    `${authority.fix} ${right?.toBase58() ?? 'the CURVE_TREASURY that the graduation program was built with'}`,
    'AuthorityWrong',
  );
}

function sweptTo({ config, deployment }: CommandCluster): Finding {
  const swept = deployment.graduation.treasury.toBase58();
  const own = config.treasury?.publicKey.toBase58();
  if (own !== undefined && own !== swept) {
    return warning(
      'fees',
      `they are swept to ${swept}, not to the treasury ${own}, which owes referral rewards`,
      `set TREASURY_KEYPAIR to the key of ${swept}, with which the graduation program was built`,
      'FeesSweptElsewhere',
    );
  }
  return ok(
    'fees',
    config.admin === undefined
      ? `\`curvekit fees sweep\` moves them to ${swept}`
      : `swept to ${swept} as referral rewards need them`,
  );
}

/** The program's error does not name its treasury. An earlier sweep does, or it is the one that pays rewards. */
async function treasuryInProgram(cluster: CommandCluster, admin: PublicKey): Promise<PublicKey | undefined> {
  const { config, connection, deployment } = cluster;
  const { programId, treasury } = deployment.graduation;
  const [sweep] = sweepFees({ deployment });
  const past = await accountInPast(connection, {
    address: programId,
    programId,
    position: (data) =>
      sweep?.data.equals(data) === true
        ? sweep.keys.findIndex(({ pubkey }) => pubkey.equals(treasury))
        : undefined,
  });
  // A sweep from before an upgrade names the earlier treasury.
  if (past?.equals(treasury) === false) return past;
  const likely = [config.treasury?.publicKey, createDeployment({}).graduation.treasury];
  for (const other of likely.flatMap((key) => key ?? [])) {
    if ((await simulateSweep(cluster, admin, other)).kind === 'right') return other;
  }
  return undefined;
}

const MOST_TRANSACTIONS = 50;

interface PastInstruction {
  /** An address that the transactions contain. */
  readonly address: PublicKey;
  readonly programId: PublicKey;
  /** Position of the account in an instruction with this data; undefined for another instruction. */
  readonly position: (data: Uint8Array) => number | undefined;
}

/** The account in the newest such instruction; undefined when the newest transactions contain none. */
async function accountInPast(
  connection: Connection,
  wanted: PastInstruction,
): Promise<PublicKey | undefined> {
  try {
    const options = { limit: MOST_TRANSACTIONS };
    const listed = await connection.getSignaturesForAddress(wanted.address, options, 'confirmed');
    for (const { signature, err } of listed) {
      if (err !== null) continue;
      const transaction = await fetchTransaction(connection, signature, 'confirmed').catch(() => null);
      const account = transaction === null ? undefined : accountIn(transaction, wanted);
      if (account !== undefined) return account;
    }
  } catch {
    // A node may refuse the list. The finding then names no address.
  }
  return undefined;
}

function accountIn(
  { transaction: { message }, meta }: ConfirmedTransaction,
  { programId, position }: PastInstruction,
): PublicKey | undefined {
  if (!('instructions' in message)) return undefined;
  const loaded = meta?.loadedAddresses;
  const keys = [...message.accountKeys, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])].map(String);
  const inner = (meta?.innerInstructions ?? []).flatMap(({ instructions }) => instructions);
  for (const instruction of [...message.instructions, ...inner] as readonly JsonInstruction[]) {
    if (keys[instruction.programIdIndex] !== programId.toBase58()) continue;
    const at = position(bs58.decode(instruction.data));
    const key = at === undefined ? undefined : keys[instruction.accounts[at] ?? -1];
    if (key !== undefined) return new PublicKey(key);
  }
  return undefined;
}
