import type { Command } from 'commander';
import {
  MAX_PLATFORM_FEE_BPS,
  adminSetProperties,
  createDeployment,
  fetchProperties,
  graduationProblem,
  TransactionError,
  type Properties,
} from '@curvekit/sdk';
import type { PublicKey } from '@solana/web3.js';
import { CommandError, work, type Registration, type Invocation, type Result } from '../command.js';
import { signedByAdmin, type AdminOptions, proposal } from '../admin.js';
import { solAmount, tokenAmount, wholeNumber } from '../values.js';
import { hasGraduationProgram } from '../../graduation/submit.js';
import { signerOf } from '../../keys/signer-of.js';
import { connectCluster, sendInstructions, type CommandCluster } from '../session.js';
import { facts, percent, renderTable, right, sol, tokens } from '../format.js';
import { wrongAccountOf } from '../doctor/simulation.js';

export function register(group: Command, registration: Registration): void {
  const show = group.command('show').description('the current settings');
  work(show, registration, runPropertiesShow);

  const set = group
    .command('set')
    .description(
      'change the settings; omitted ones stay. Reserves apply to new tokens only, the fee to every curve at once',
    );
  signedByAdmin(set)
    .option('--virtual-sol <sol>', 'virtual SOL reserve of new curves', solAmount)
    .option('--virtual-token <tokens>', 'virtual token reserve of new curves', tokenAmount)
    .option(
      '--fee-bps <bps>',
      `platform fee in basis points, at most ${MAX_PLATFORM_FEE_BPS}`,
      wholeNumber(0, MAX_PLATFORM_FEE_BPS),
    );
  work(set, registration, runPropertiesSet);
}

type LaunchProperties = Pick<Properties, 'initialVirtualSol' | 'initialVirtualToken' | 'platformFeeBps'>;

interface SetOptions extends AdminOptions {
  readonly virtualSol?: bigint;
  readonly virtualToken?: bigint;
  readonly feeBps?: number;
}

async function runPropertiesShow({ terminal }: Invocation<object>): Promise<Result> {
  const { connection, deployment } = await connectCluster(terminal);
  const properties = await fetchProperties(connection, { deployment });
  const account = deployment.properties.address.toBase58();
  return {
    document: { account, properties: properties === null ? null : settingsOf(properties) },
    text:
      properties === null
        ? 'The properties have not been set: nobody can create a token. `curvekit properties set` sets them.'
        : facts([['account', account], ...describe(properties)]),
  };
}

async function runPropertiesSet({ options, terminal }: Invocation<SetOptions>): Promise<Result> {
  const signer = options.admin === undefined ? undefined : signerOf(options.admin);
  const cluster = await connectCluster(terminal);
  const { programId, feeReceiver, dexOwner } = cluster.deployment;
  const admin = signer?.publicKey ?? cluster.deployment.admin;
  const deployment = createDeployment({ programId, feeReceiver, dexOwner, admin });
  const before = await fetchProperties(cluster.connection, { deployment });
  const wanted = merge(before, options);
  await requireGraduation(cluster, wanted);
  const instructions = [adminSetProperties({ ...wanted, deployment })].flat();
  const on = { ...cluster, deployment };
  const explained = (error: unknown) => {
    throw explainedAdmin(error, admin);
  };
  const change = { before: before === null ? null : settingsOf(before), after: wanted };
  if (signer === undefined) {
    const described = { document: change, lines: [] };
    const { document, text } = await proposal(on, admin, instructions, described).catch(explained);
    return { document, text: `${changes(before, wanted)}\n\n${text}` };
  }
  const signature = await sendInstructions(on, signer, instructions).catch(explained);
  return {
    document: { ...change, signature },
    text: `${changes(before, wanted)}\n\nDone: ${signature}`,
  };
}

/** The error, or an explanation when the program has another admin. */
function explainedAdmin(error: unknown, given: PublicKey): unknown {
  const wrong = error instanceof TransactionError ? wrongAccountOf(error) : undefined;
  if (wrong?.account !== 'admin_account') return error;
  const right = wrong.expected?.toBase58() ?? 'another address';
  return new CommandError(
    `${given.toBase58()} is not the program's admin, which is ${right}; give --admin the admin's key. If a multisig is the admin, set ADMIN_ADDRESS to it and use --propose`,
    { cause: error },
  );
}

/** When curves graduate by themselves, the new settings must allow graduation too. */
async function requireGraduation(
  { connection, deployment }: CommandCluster,
  wanted: LaunchProperties,
): Promise<void> {
  const problem = graduationProblem(wanted);
  if (problem === undefined || !(await hasGraduationProgram(connection, deployment))) return;
  throw new CommandError(`with these properties no curve could graduate as it should: ${problem}`);
}

function merge(
  before: LaunchProperties | null,
  { virtualSol, virtualToken, feeBps }: SetOptions,
): LaunchProperties {
  const initialVirtualSol = virtualSol ?? before?.initialVirtualSol;
  const initialVirtualToken = virtualToken ?? before?.initialVirtualToken;
  const platformFeeBps = feeBps ?? before?.platformFeeBps;
  if (virtualSol === undefined && virtualToken === undefined && feeBps === undefined) {
    throw new CommandError('nothing to change: give --virtual-sol, --virtual-token or --fee-bps');
  }
  if (initialVirtualSol === undefined || initialVirtualToken === undefined || platformFeeBps === undefined) {
    throw new CommandError(
      'the properties have never been set: give all of --virtual-sol, --virtual-token and --fee-bps',
    );
  }
  return { initialVirtualSol, initialVirtualToken, platformFeeBps };
}

function settingsOf({
  initialVirtualSol,
  initialVirtualToken,
  platformFeeBps,
}: Properties): LaunchProperties {
  return { initialVirtualSol, initialVirtualToken, platformFeeBps };
}

function describe(properties: LaunchProperties): [label: string, value: string][] {
  return [
    ['virtual SOL', `${sol(properties.initialVirtualSol)} SOL`],
    ['virtual token', `${tokens(properties.initialVirtualToken)} tokens`],
    ['platform fee', `${percent(properties.platformFeeBps)} %`],
  ];
}

function changes(before: LaunchProperties | null, after: LaunchProperties): string {
  const old = before === null ? [] : describe(before);
  return renderTable(
    ['property', right('before'), right('after')],
    describe(after).map(([label, value], index) => [label, old[index]?.[1] ?? '—', value]),
  );
}
