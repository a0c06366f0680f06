// Simulates instructions without a signature. The programs compare the accounts in them with the compiled-in ones.
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { simulateComputeUnits, TransactionError, type Deployment } from '@curvekit/sdk';
import { wrongAccountOf, type WrongAccount } from '../wrong-account.js';
import type { ClusterParts } from './cluster-checks.js';
import { reasonOf } from './finding.js';

/** `right`; the account that the program refused; or why the simulation gave no answer. */
export type Outcome =
  | { readonly kind: 'right' }
  | ({ readonly kind: 'other key' } & WrongAccount)
  | { readonly kind: 'unknown'; readonly reason: string };

/** What a simulation needs of a cluster: the keys of the configuration can pay for it. */
export interface SimulationParts extends Pick<ClusterParts, 'connection' | 'deployment'> {
  readonly config: Partial<
    Pick<ClusterParts['config'], 'feeReceiver' | 'dexOwner' | 'treasury' | 'graduationPayer'>
  >;
}

export interface Simulation {
  /** Name in messages, such as `a simulated launch`. */
  readonly what: string;
  readonly deployment: Deployment;
  /** Lamports that the payer must hold. */
  readonly lamports: number;
  readonly instructions: (payer: PublicKey) => readonly TransactionInstruction[];
  /** Names of the accounts that the check is about, as in the program. */
  readonly compared: readonly string[];
  /** Whether the program raises this error only after it has accepted the accounts. */
  readonly isAfterChecks?: (error: TransactionError) => boolean;
}

export async function simulate(cluster: SimulationParts, simulation: Simulation): Promise<Outcome> {
  const { what, deployment, lamports, instructions, compared, isAfterChecks } = simulation;
  const payer = await payerOf(cluster, deployment, lamports);
  if (payer === undefined)
    return { kind: 'unknown', reason: `no key has the ${lamports} lamports that ${what} takes` };
  const parts = { payer, instructions: instructions(payer) };
  try {
    await simulateComputeUnits(cluster.connection, parts, { deployment });
    return { kind: 'right' };
  } catch (error) {
    if (!(error instanceof TransactionError)) return { kind: 'unknown', reason: reasonOf(error) };
    if (isAfterChecks?.(error) === true) return { kind: 'right' };
    const wrong = wrongAccountOf(error);
    if (wrong !== undefined && compared.includes(wrong.account)) return { kind: 'other key', ...wrong };
    return { kind: 'unknown', reason: `${what} says: ${error.message}` };
  }
}

/** A simulation needs no signature, so any wallet with enough lamports can be its payer. */
async function payerOf(
  { config, connection }: SimulationParts,
  { admin, feeReceiver, dexOwner, graduation }: Deployment,
  lamports: number,
): Promise<PublicKey | undefined> {
  const { feeReceiver: feeKey, dexOwner: dexKey, treasury, graduationPayer } = config;
  // A validator pays for its votes, so on real clusters its key always holds SOL.
  const leader = await connection.getSlotLeader().catch(() => undefined);
  const candidates = [
    ...[feeKey, dexKey, treasury, graduationPayer].flatMap((key) => key?.publicKey ?? []),
    ...[feeReceiver, dexOwner, admin, graduation.treasury],
    ...(leader === undefined ? [] : [new PublicKey(leader)]),
  ];
  const accounts = await connection.getMultipleAccountsInfo(candidates);
  return candidates.find((_, index) => {
    const account = accounts[index];
    return account?.owner.equals(SystemProgram.programId) === true && account.lamports >= lamports;
  });
}
