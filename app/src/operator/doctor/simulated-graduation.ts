// Simulates a graduation and a sweep. The graduation program compares their accounts with those that it was built with.
import { Keypair, type PublicKey } from '@solana/web3.js';
import {
  createDeployment,
  graduate,
  GraduationError,
  sweepFees,
  SYSTEM_PROGRAM_ADDRESS,
  type TransactionError,
} from '@curvekit/sdk';
import { graduating } from '../../graduation/graduating.js';
import { FEE_LAMPORTS } from './admin-check.js';
import { simulate, type Outcome, type SimulationParts } from './simulation.js';

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
