// Simulates instructions without a signature. The programs compare the accounts in them with the compiled-in ones.
import { PublicKey, SystemProgram, type TransactionInstruction, Keypair } from '@solana/web3.js';
import {
  simulateComputeUnits,
  TransactionError,
  type Deployment,
  createDeployment,
  createToken,
  MINT_ACCOUNT_SIZE,
  graduate,
  GraduationError,
  sweepFees,
  SYSTEM_PROGRAM_ADDRESS,
} from '@curvekit/sdk';
import type { CommandCluster } from '../session.js';
import { reasonOf } from './finding.js';
import { rentMinimum } from '../../chain/connection.js';
import { graduating } from '../../graduation/submit.js';

/** `right`; the account that the program refused; or why the simulation gave no answer. */
export type Outcome =
  | { readonly kind: 'right' }
  | ({ readonly kind: 'other key' } & WrongAccount)
  | { readonly kind: 'unknown'; readonly reason: string };

/** What a simulation needs of a cluster: the keys of the configuration can pay for it. */
export interface SimulationParts extends Pick<CommandCluster, 'connection' | 'deployment'> {
  readonly config: Partial<
    Pick<CommandCluster['config'], 'feeReceiver' | 'dexOwner' | 'treasury' | 'graduationPayer'>
  >;
}

interface Simulation {
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

/** Enough for the rent of a token's accounts, Metaplex's fee and the smallest buy. */
const LAUNCH_LAMPORTS = 55_000_000;
const FIRST_BUY_LAMPORTS = 1_000_000n;

interface Authorities {
  readonly dexOwner: PublicKey;
  readonly feeReceiver: PublicKey;
}

/** @param withBuy whether a first buy follows, which names the fee receiver */
export async function simulateLaunch(
  cluster: CommandCluster,
  authorities: Authorities,
  withBuy: boolean,
): Promise<Outcome> {
  const { programId, admin } = cluster.deployment;
  const deployment = createDeployment({ programId, admin, ...authorities });
  const mintRentLamports = BigInt(await rentMinimum(cluster.connection, MINT_ACCOUNT_SIZE));
  return simulate(cluster, {
    what: 'a simulated launch',
    deployment,
    lamports: LAUNCH_LAMPORTS,
    compared: ['dex_owner', 'fee_account'],
    instructions: (payer) =>
      createToken({
        ...{ payer, mint: Keypair.generate().publicKey, deployment, mintRentLamports },
        ...{ name: 'Simulated launch', symbol: 'SIM', uri: 'https://curvekit.example/simulated.json' },
        ...(withBuy ? { firstBuy: { solToSpend: FIRST_BUY_LAMPORTS, minTokenToReceive: 1n } } : {}),
      }),
  });
}

/** Whether the program has this fee receiver. It checks the DEX owner first, and its error names the right one. */
export async function simulateFeeReceiver(cluster: CommandCluster, feeReceiver: PublicKey): Promise<Outcome> {
  const { dexOwner } = cluster.deployment;
  const found = await simulateLaunch(cluster, { dexOwner, feeReceiver }, true);
  if (found.kind !== 'other key' || found.account !== 'dex_owner') return found;
  if (found.expected === undefined)
    return { kind: 'unknown', reason: 'the program wants another DEX owner, and does not say which' };
  return simulateLaunch(cluster, { dexOwner: found.expected, feeReceiver }, true);
}

/** Enough for the network fee, with the payer's rent exemption. */
export const FEE_LAMPORTS = 2_000_000;
/** Enough for the loan of three token accounts' rents. */
const LOAN_LAMPORTS = 15_000_000;
/** The first call of `graduate`, the loan, comes after every comparison. */
const LENDS = `Program ${SYSTEM_PROGRAM_ADDRESS.toBase58()} invoke [2]`;

/**
 * Whether the graduation program was built for this curve program and this AMM. The mint does not exist, so the
 * graduation always fails: with the right programs only after it has lent.
 */
export function simulateGraduation(cluster: SimulationParts): Promise<Outcome> {
  const deployment = graduating(cluster.deployment);
  return simulate(cluster, {
    what: 'a simulated graduation',
    deployment,
    lamports: LOAN_LAMPORTS,
    compared: ['curve_program', 'amm_program', 'amm_config'],
    instructions: (payer) => graduate({ payer, mint: Keypair.generate().publicKey, deployment }),
    isAfterChecks: ({ name, logs }: TransactionError) =>
      name === 'PoolFeeTooHigh' || logs?.includes(LENDS) === true,
  });
}

/** Whether the graduation program was built with this admin and this treasury. */
export function simulateSweep(
  cluster: SimulationParts,
  admin: PublicKey,
  treasury: PublicKey,
): Promise<Outcome> {
  const { programId } = cluster.deployment.graduation;
  const deployment = createDeployment({
    ...graduating(cluster.deployment),
    admin,
    graduation: { programId, treasury },
  });
  return simulate(cluster, {
    what: 'simulating a sweep of the fees',
    deployment,
    lamports: FEE_LAMPORTS,
    compared: ['admin_account', 'treasury'],
    instructions: () => sweepFees({ deployment }),
    isAfterChecks: hasRightAccounts,
  });
}

/** There may be nothing to sweep, or too little to open the treasury's account. */
function hasRightAccounts(error: TransactionError): boolean {
  const isEmpty = error instanceof GraduationError && error.name === 'NothingToSweep';
  return isEmpty || error.reason === 'InsufficientFundsForRent';
}

/** Anchor's log of a wrong account: its name, then its address and the expected address if Anchor compared them. */
const FAULTY_ACCOUNT = /AnchorError caused by account: (\w+)\./;
const EXPECTED_KEY = /Right:\s+(?:Program log: )?([1-9A-HJ-NP-Za-km-z]{32,44})/;

interface WrongAccount {
  readonly account: string;
  /** Undefined when the log does not name it. */
  readonly expected: PublicKey | undefined;
}

/** Undefined when the transaction failed for another reason. */
export function wrongAccountOf({ logs }: TransactionError): WrongAccount | undefined {
  const log = logs?.join('\n') ?? '';
  const account = FAULTY_ACCOUNT.exec(log)?.[1];
  if (account === undefined) return undefined;
  const expected = EXPECTED_KEY.exec(log)?.[1];
  return { account, expected: expected === undefined ? undefined : new PublicKey(expected) };
}
