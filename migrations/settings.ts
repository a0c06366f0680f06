// What the operator wants, from the command line or the environment.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  createDeployment,
  DEFAULT_DEPLOYMENT,
  InvalidArgumentError,
  MAX_PLATFORM_FEE_BPS,
  parseSol,
  parseTokens,
  type Deployment,
} from '@curvekit/sdk';
import type { LaunchProperties } from '@curvekit/testing';
import { Keypair, PublicKey } from '@solana/web3.js';
import { UsageError, wholeNumber } from '../scripts/command-line.js';

export const HELP = `npx tsx migrations/deploy.ts [OPTIONS]
anchor migrate

After a deployment: sets the properties of the launchpad, verifies what is on chain, and prints it. Safe to run twice: what
is as wanted is left alone. Exit code 1 when something is not as it must be.

  --url URL                     RPC node; ANCHOR_PROVIDER_URL, or http://127.0.0.1:8899
  --keypair FILE                the admin's; ANCHOR_WALLET, or programs/keys/localnet/admin.json
  --admin-address KEY           the admin is a multisig at this address: sends nothing, and prints what the multisig must sign
  --program-id KEY              PROGRAM_ID, or the development one
  --fee-receiver KEY            as compiled into the program; CURVE_FEE_RECEIVER. The development one by default; needed with
                                another program id, unless --graduation-program is given
  --graduation-program KEY      where curves graduate by themselves: the program whose PDA is the fee receiver;
                                GRADUATION_PROGRAM_ID
  --graduation-treasury KEY     as compiled into that program; GRADUATION_TREASURY, or the development one of the development
                                program
  --dex-owner KEY               as compiled into the curve's program; CURVE_DEX_OWNER. The development one by default; needed
                                with another program id
  --program-so FILE             what must be deployed, byte for byte
  --initial-virtual-sol SOL     of new curves; CURVE_INITIAL_VIRTUAL_SOL, or 30
  --initial-virtual-token N     tokens, of new curves; CURVE_INITIAL_VIRTUAL_TOKEN, or 1073000000
  --platform-fee-bps BPS        of every trade, 0 to ${MAX_PLATFORM_FEE_BPS}; CURVE_PLATFORM_FEE_BPS, or 100
  --check                       sends nothing; properties that are not as wanted are a failure
  --json                        one JSON document
  --help                        print this

Properties that are on chain already keep the value they have, unless an option or a variable says another.`;

/** What to do, and on which build of the program. */
export interface Settings {
  readonly deployment: Deployment;
  /** Properties left out stay as they are on chain, or have their default. */
  readonly properties: Partial<LaunchProperties>;
  /** Path of the binary that must be deployed; undefined for any. */
  readonly programSo: string | undefined;
  /** Sends nothing. */
  readonly checkOnly: boolean;
}

/** The address of a multisig, which must sign what is printed, or a key. */
export type Admin = Keypair | PublicKey;

export function addressOf(admin: Admin): PublicKey {
  return admin instanceof PublicKey ? admin : admin.publicKey;
}

export interface CommandLine extends Settings {
  readonly url: string;
  readonly admin: Admin;
  readonly json: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const OPTIONS = {
  url: { type: 'string' },
  keypair: { type: 'string' },
  'admin-address': { type: 'string' },
  'program-id': { type: 'string' },
  'fee-receiver': { type: 'string' },
  'graduation-program': { type: 'string' },
  'graduation-treasury': { type: 'string' },
  'dex-owner': { type: 'string' },
  'program-so': { type: 'string' },
  'initial-virtual-sol': { type: 'string' },
  'initial-virtual-token': { type: 'string' },
  'platform-fee-bps': { type: 'string' },
  check: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const VARIABLES = {
  url: 'ANCHOR_PROVIDER_URL',
  keypair: 'ANCHOR_WALLET',
  'program-id': 'PROGRAM_ID',
  'fee-receiver': 'CURVE_FEE_RECEIVER',
  'graduation-program': 'GRADUATION_PROGRAM_ID',
  'graduation-treasury': 'GRADUATION_TREASURY',
  'dex-owner': 'CURVE_DEX_OWNER',
  'initial-virtual-sol': 'CURVE_INITIAL_VIRTUAL_SOL',
  'initial-virtual-token': 'CURVE_INITIAL_VIRTUAL_TOKEN',
  'platform-fee-bps': 'CURVE_PLATFORM_FEE_BPS',
} as const;

/** A value and what it was given as, for the message when it makes no sense. */
interface Given {
  readonly from: string;
  readonly text: string;
}

/** @returns undefined when only help is wanted. @throws UsageError that names the option or the variable */
export function parseCommandLine(args: readonly string[], environment: Environment): CommandLine | undefined {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  if (values.help === true) return undefined;
  const given = (name: keyof typeof VARIABLES): Given | undefined => {
    const option = values[name];
    if (option !== undefined) return { from: `--${name}`, text: option };
    const [from, text = ''] = [VARIABLES[name], environment[VARIABLES[name]]];
    return text === '' ? undefined : { from, text };
  };
  const multisig = values['admin-address'];
  if (multisig !== undefined && values.keypair !== undefined)
    throw new UsageError('--admin-address and --keypair are two admins; give one of them');
  const admin =
    multisig === undefined
      ? readKeypair(given('keypair') ?? { from: '--keypair', text: 'programs/keys/localnet/admin.json' })
      : keyOf({ from: '--admin-address', text: multisig });
  return {
    url: urlOf(given('url') ?? { from: '--url', text: 'http://127.0.0.1:8899' }),
    admin,
    json: values.json === true,
    checkOnly: values.check === true,
    programSo: values['program-so'],
    deployment: deploymentOf(addressOf(admin), given),
    properties: propertiesOf(given),
  };
}

/** The fee receiver is the PDA of the graduation program where one is named, unless a key is named as well. */
function deploymentOf(
  admin: PublicKey,
  given: (name: keyof typeof VARIABLES) => Given | undefined,
): Deployment {
  const { programId: developmentId, graduation: development } = DEFAULT_DEPLOYMENT;
  const named = keyOf(given('graduation-program'));
  const treasury = keyOf(given('graduation-treasury'));
  requireNamed(named, development.programId, { 'graduation-treasury': treasury });
  const { graduation } = createDeployment({
    graduation: { ...(named && { programId: named }), ...(treasury && { treasury }) },
  });
  const programId = keyOf(given('program-id'));
  const feeReceiver = keyOf(given('fee-receiver')) ?? (named && graduation.feeReceiver.address);
  const dexOwner = keyOf(given('dex-owner'));
  requireNamed(programId, developmentId, { 'fee-receiver': feeReceiver, 'dex-owner': dexOwner });
  return createDeployment({
    admin,
    programId: programId ?? developmentId,
    feeReceiver: feeReceiver ?? DEFAULT_DEPLOYMENT.feeReceiver,
    dexOwner: dexOwner ?? DEFAULT_DEPLOYMENT.dexOwner,
    graduation,
  });
}

/** Another program than the development one has no development key compiled in. */
function requireNamed(
  programId: PublicKey | undefined,
  developmentId: PublicKey,
  authorities: Partial<Record<keyof typeof VARIABLES, PublicKey | undefined>>,
): void {
  if (programId === undefined || programId.equals(developmentId)) return;
  const missing = Object.entries(authorities).flatMap(([name, key]) => (key === undefined ? [name] : []));
  if (missing.length === 0) return;
  const wanted = missing.map((name) => `--${name} (${VARIABLES[name as keyof typeof VARIABLES]})`);
  throw new UsageError(
    `${programId.toBase58()} is not the development program; give ${wanted.join(' and ')} as compiled into it`,
  );
}

function propertiesOf(given: (name: keyof typeof VARIABLES) => Given | undefined): Partial<LaunchProperties> {
  const sol = given('initial-virtual-sol');
  const tokens = given('initial-virtual-token');
  const fee = given('platform-fee-bps');
  return {
    ...(sol && { initialVirtualSol: amountOf(sol, parseSol) }),
    ...(tokens && { initialVirtualToken: amountOf(tokens, parseTokens) }),
    ...(fee && { platformFeeBps: wholeNumber(fee.from, fee.text, 0, MAX_PLATFORM_FEE_BPS) }),
  };
}

function amountOf({ from, text }: Given, parse: (text: string) => bigint): bigint {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new UsageError(`${from} is '${text}'; ${error.message}`);
  }
}

function urlOf({ from, text }: Given): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new UsageError(`${from} is '${text}'; it must be an http(s) URL`);
}

function keyOf(given: Given): PublicKey;
function keyOf(given: Given | undefined): PublicKey | undefined;
function keyOf(given: Given | undefined): PublicKey | undefined {
  if (given === undefined) return undefined;
  try {
    return new PublicKey(given.text);
  } catch {
    throw new UsageError(`${given.from} is '${given.text}'; it must be a public key in base58`);
  }
}

function readKeypair({ from, text }: Given): Keypair {
  try {
    return Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(text, 'utf8')) as number[]));
  } catch (error) {
    throw new UsageError(`${from} is '${text}', which holds no keypair: ${(error as Error).message}`);
  }
}
