// Makes the launchpad's properties what the operator wants.
import { isDeepStrictEqual } from 'node:util';
import {
  adminSetProperties,
  fetchProperties,
  formatSol,
  formatTokens,
  InvalidArgumentError,
  prepareTransaction,
  sendAndConfirm,
  simulateComputeUnits,
  TransactionError,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES, type LaunchProperties } from '@curvekit/testing';
import { PublicKey, type Connection, type TransactionInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import { CommandError, UsageError } from '../scripts/command-line.js';
import { explain, type Finding } from './findings.js';
import { addressOf, type Admin, type Settings } from './settings.js';

export interface PropertiesPlan {
  readonly properties: LaunchProperties;
  /** What is on chain; null when nothing is. */
  readonly current: LaunchProperties | null;
  /** Instructions that make them as wanted; none when they are. */
  readonly change: TransactionInstruction[];
}

export interface PropertiesOutcome {
  readonly finding: Finding;
  /** Of the transaction that set them; undefined when none was sent. */
  readonly signature?: string;
  /** What a multisig must sign: an unsigned transaction in base58. */
  readonly proposal?: string;
}

/**
 * Compares the properties with what is wanted, and asks the program by simulation whether the admin may set them.
 *
 * @throws UsageError for properties out of range
 * @throws CommandError when the program refuses the admin
 */
export async function planProperties(
  connection: Connection,
  admin: Admin,
  { deployment, properties: wanted }: Pick<Settings, 'deployment' | 'properties'>,
): Promise<PropertiesPlan> {
  const current = pick(await fetchProperties(connection, { deployment }));
  const properties = { ...DEFAULT_PROPERTIES, ...current, ...wanted };
  const instructions = instructionsFor(properties, deployment);
  // The program itself says whether this is its admin, even when there is nothing to set.
  await simulateComputeUnits(connection, { payer: addressOf(admin), instructions }, { deployment }).catch(
    (error: unknown) => {
      if (!(error instanceof TransactionError)) throw error;
      throw new CommandError(`${addressOf(admin).toBase58()} cannot set the properties: ${explain(error)}`);
    },
  );
  return { properties, current, change: isDeepStrictEqual(current, properties) ? [] : instructions };
}

export interface SetOptions extends Pick<Settings, 'deployment' | 'checkOnly'> {
  /** What goes into the same transaction, before them. */
  readonly before: readonly TransactionInstruction[];
}

/** Sets what differs from what is wanted; sends nothing when nothing does and nothing else is to be sent. */
export async function setProperties(
  connection: Connection,
  admin: Admin,
  { properties, current, change }: PropertiesPlan,
  { deployment, checkOnly, before }: SetOptions,
): Promise<PropertiesOutcome> {
  const what = 'properties';
  const found = describe(properties);
  const instructions = [...before, ...change];
  if (instructions.length === 0 || (checkOnly && change.length === 0))
    return { finding: { what, found: `${found}\nunchanged` } };
  if (checkOnly) {
    const problem = `nothing was sent to make them ${found}`;
    return { finding: { what, found: current === null ? 'none' : describe(current), problem } };
  }
  const prepared = await prepareTransaction(
    connection,
    { payer: addressOf(admin), instructions },
    { deployment },
  );
  if (admin instanceof PublicKey) {
    const proposal = bs58.encode(prepared.transaction.serialize());
    const problem = `the multisig ${admin.toBase58()} must make it ${found}: propose this transaction there, and run this again when it has landed\n${proposal}`;
    return { finding: { what, found: current === null ? 'none' : describe(current), problem }, proposal };
  }
  prepared.transaction.sign([admin]);
  const { signature } = await sendAndConfirm(connection, prepared, { deployment });
  const outcome = change.length === 0 ? 'unchanged' : `set now: ${signature}`;
  return { finding: { what, found: `${found}\n${outcome}` }, signature };
}

function instructionsFor(
  properties: LaunchProperties,
  deployment: Settings['deployment'],
): TransactionInstruction[] {
  try {
    return [adminSetProperties({ ...properties, deployment })].flat();
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new UsageError(error.message);
  }
}

function pick(current: LaunchProperties | null): LaunchProperties | null {
  if (current === null) return null;
  const { initialVirtualSol, initialVirtualToken, platformFeeBps } = current;
  return { initialVirtualSol, initialVirtualToken, platformFeeBps };
}

function describe({ initialVirtualSol, initialVirtualToken, platformFeeBps }: LaunchProperties): string {
  return `${formatSol(initialVirtualSol)} SOL and ${formatTokens(initialVirtualToken)} tokens virtual, fee ${platformFeeBps} bps`;
}
