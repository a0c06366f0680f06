// What is true of a deployment, asked of the cluster itself. Nothing here sends a transaction.
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createToken,
  formatSol,
  simulateComputeUnits,
  TransactionError,
  type Deployment,
  fetchRentExemption,
  MINT_ACCOUNT_SIZE,
} from '@curvekit/sdk';
import { Keypair, type Connection, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { CommandError } from '../scripts/command-line.js';
import { isSameBinary, readDeployedProgram, type DeployedProgram } from '../scripts/deployed-program.js';
import { isLocalCluster, unusableAddresses } from '#app/operator/doctor/addresses.js';
import { wrongAccountOf } from '#app/operator/doctor/simulation.js';
import { grouped } from '#app/operator/table.js';

export interface Finding {
  readonly what: string;
  readonly found: string;
  /** What is wrong with it, and what to do; undefined when it is right. */
  readonly problem?: string;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CURVE_BUILDS = ['programs/artifacts/bonding_curve.so', 'programs/artifacts/bonding_curve_key_held.so'];

/** Errors of an account that is not the one that was compiled into the program. */
const OTHER_KEY = ['ConstraintAddress', 'WrongFeeReceiver'];

/** Enough for the rents of a token's accounts, Metaplex's fee and the smallest of buys. */
const LAUNCH_LAMPORTS = 50_000_000;
const FIRST_BUY_LAMPORTS = 1_000_000n;

/**
 * The binary at the program's address, and who may replace it.
 *
 * @param programSo path of the file that it must be, if any
 * @param committed builds of this repository that it may be
 * @throws NoProgramError when there is no program
 */
export async function findProgram(
  connection: Connection,
  programId: PublicKey,
  programSo: string | undefined,
  committed = CURVE_BUILDS,
): Promise<Finding[]> {
  const program = await readDeployedProgram(connection, programId);
  return [binaryFinding(programId, program, programSo, committed), upgradeFinding(program)];
}

/**
 * The authorities that the program is said to have been built with.
 *
 * @param isPrefunded whether the fee receiver will be brought to its rent exemption
 */
export async function findAuthorities(
  connection: Connection,
  { admin, feeReceiver, dexOwner }: Deployment,
  isPrefunded: boolean,
): Promise<Finding[]> {
  return [
    { what: 'admin', found: admin.toBase58() },
    await findFeeReceiver(connection, feeReceiver, isPrefunded),
    { what: 'DEX owner', found: dexOwner.toBase58() },
  ];
}

/** Runtimes refuse a transaction that leaves an account with some lamports, but fewer than exempt it from rent. */
async function findFeeReceiver(
  connection: Connection,
  feeReceiver: PublicKey,
  isPrefunded: boolean,
): Promise<Finding> {
  const [lamports, exempt] = await Promise.all([
    connection.getBalance(feeReceiver),
    connection.getMinimumBalanceForRentExemption(0),
  ]);
  const finding = { what: 'fee receiver', found: feeReceiver.toBase58() };
  if (lamports >= exempt) return finding;
  if (isPrefunded)
    return { ...finding, found: `${finding.found}\nis sent ${formatSol(BigInt(exempt - lamports))} SOL` };
  const [held, least] = [lamports, exempt].map((amount) => formatSol(BigInt(amount)));
  const problem = `holds ${held} SOL: trades whose fee does not bring it to ${least} SOL fail; send it that once`;
  return { ...finding, problem };
}

/** @throws CommandError on any cluster but a local one, when the deployment has a development key or an address of nobody */
export async function requireOwnKeys(connection: Connection, deployment: Deployment): Promise<void> {
  const unusable = unusableAddresses(deployment);
  if (unusable.length === 0 || (await isLocalCluster(connection))) return;
  const named = unusable.map(({ role, address, why }) => `the ${role} ${address.toBase58()} is ${why}`);
  throw new CommandError(
    `${named.join('; ')}, and this is no local cluster. ` +
      'Build with keys of your own and the feature mainnet: docs/run.md',
  );
}

/**
 * Whether a token can be launched and bought: by simulation, which needs no signature and changes nothing. The program
 * compares the fee receiver and the DEX owner with those that it was built with.
 *
 * @param before what is to happen first, such as setting the properties; not sent either
 */
export async function findLaunch(
  connection: Connection,
  deployment: Deployment,
  before: readonly TransactionInstruction[],
): Promise<Finding> {
  const what = 'launch and buy';
  const payer = deployment.admin;
  const lamports = await connection.getBalance(payer);
  if (lamports < LAUNCH_LAMPORTS) {
    const needed = formatSol(BigInt(LAUNCH_LAMPORTS));
    const found = `the admin holds ${formatSol(BigInt(lamports))} SOL`;
    return { what, found, problem: `cannot be simulated: that needs ${needed} SOL on ${payer.toBase58()}` };
  }
  const launch = createToken({
    ...{ payer, mint: Keypair.generate().publicKey, deployment },
    mintRentLamports: await fetchRentExemption(connection, MINT_ACCOUNT_SIZE),
    ...{ name: 'Simulated launch', symbol: 'SIM', uri: 'https://curvekit.example/simulated.json' },
    firstBuy: { solToSpend: FIRST_BUY_LAMPORTS, minTokenToReceive: 1n },
  });
  try {
    const instructions = [...before, ...launch];
    const units = await simulateComputeUnits(connection, { payer, instructions }, { deployment });
    return { what, found: `simulated, ${grouped(units)} compute units` };
  } catch (error) {
    if (!(error instanceof TransactionError)) throw error;
    return { what, found: 'refused in simulation', problem: explain(error) };
  }
}

/** A refusal, with the account that Anchor's log names. */
export function explain(error: TransactionError): string {
  const wrong = wrongAccountOf(error);
  if (wrong === undefined) return error.message;
  const isOtherKey = OTHER_KEY.includes(error.reason);
  return `${error.message}, account ${wrong.account}${isOtherKey ? ': the program was built with another key' : ''}`;
}

function binaryFinding(
  programId: PublicKey,
  { binary }: DeployedProgram,
  programSo: string | undefined,
  committed: readonly string[],
): Finding {
  const found = `${programId.toBase58()}, ${grouped(binary.length)} bytes\nSHA-256 ${hash('sha256', binary)}`;
  if (programSo !== undefined) {
    if (!existsSync(programSo)) throw new CommandError(`--program-so is '${programSo}', which is not there`);
    const isSame = isSameBinary(binary, readFileSync(programSo));
    if (isSame) return { what: 'program', found: `${found}\nis ${programSo}` };
    return {
      what: 'program',
      found,
      problem: `is not ${programSo}: deploy that, or name the file that was deployed`,
    };
  }
  const same = committed.find((path) => isSameBinary(binary, readFileSync(join(ROOT, path))));
  const which = same === undefined ? `is another build than ${committed.join(', ')}` : `is ${same}`;
  return { what: 'program', found: `${found}\n${which}` };
}

function upgradeFinding({ upgradeAuthority }: DeployedProgram): Finding {
  const found = upgradeAuthority === null ? 'nobody: the program is final' : upgradeAuthority.toBase58();
  return { what: 'upgrade authority', found };
}
