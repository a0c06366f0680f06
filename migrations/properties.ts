// Makes the launchpad's properties what the operator wants.
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
import { DEFAULT_PROPERTIES, type LaunchProperties } from '@curvekit/sdk/testing';
import type { Connection, Keypair } from '@solana/web3.js';
import { CommandError, UsageError } from '../scripts/command-line.js';
import { explain, type Finding } from './findings.js';
import type { Settings } from './settings.js';

/** What became of the properties. */
export interface PropertiesOutcome {
  readonly finding: Finding;
  /** Whether there are any on chain. */
  readonly exist: boolean;
  /** Of the transaction that set them; undefined when none was sent. */
  readonly signature?: string;
}

/**
 * Sets what differs from what is wanted; sends nothing when nothing does.
 *
 * @throws UsageError for properties out of range
 * @throws CommandError when the program refuses the admin
 */
export async function ensureProperties(
  connection: Connection,
  admin: Keypair,
  { deployment, properties: wanted, checkOnly }: Settings,
): Promise<PropertiesOutcome> {
  const current = await fetchProperties(connection, { deployment });
  const properties = { ...DEFAULT_PROPERTIES, ...pick(current), ...wanted };
  const instructions = instructionsFor(properties, deployment);
  // The program itself says whether this is its admin, even when there is nothing to set.
  await simulateComputeUnits(connection, { payer: admin.publicKey, instructions }, { deployment }).catch(
    (error: unknown) => {
      if (!(error instanceof TransactionError)) throw error;
      throw new CommandError(`${admin.publicKey.toBase58()} cannot set the properties: ${explain(error)}`);
    },
  );
  const what = 'properties';
  const found = describe(properties);
  if (current !== null && isSame(current, properties))
    return { finding: { what, found: `${found}\nunchanged` }, exist: true };
  if (checkOnly) {
    const problem = `nothing was sent to make them ${found}`;
    const exist = current !== null;
    return { finding: { what, found: exist ? describe(current) : 'none', problem }, exist };
  }
  const prepared = await prepareTransaction(
    connection,
    { payer: admin.publicKey, instructions },
    { deployment },
  );
  prepared.transaction.sign([admin]);
  const { signature } = await sendAndConfirm(connection, prepared, { deployment });
  return { finding: { what, found: `${found}\nset now: ${signature}` }, exist: true, signature };
}

function instructionsFor(properties: LaunchProperties, deployment: Settings['deployment']) {
  try {
    return adminSetProperties({ ...properties, deployment });
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new UsageError(error.message);
  }
}

function pick(current: LaunchProperties | null): Partial<LaunchProperties> {
  if (current === null) return {};
  const { initialVirtualSol, initialVirtualToken, platformFeeBps } = current;
  return { initialVirtualSol, initialVirtualToken, platformFeeBps };
}

function isSame(a: LaunchProperties, b: LaunchProperties): boolean {
  return (
    a.initialVirtualSol === b.initialVirtualSol &&
    a.initialVirtualToken === b.initialVirtualToken &&
    a.platformFeeBps === b.platformFeeBps
  );
}

function describe({ initialVirtualSol, initialVirtualToken, platformFeeBps }: LaunchProperties): string {
  return `${formatSol(initialVirtualSol)} SOL and ${formatTokens(initialVirtualToken)} tokens virtual, fee ${platformFeeBps} bps`;
}
