// What a launchpad whose curves graduate by themselves needs beside the curve program.
import {
  AFTER_MIGRATION_FEES,
  AMM,
  formatSol,
  formatTokens,
  graduatesByItself,
  GRADUATION_VIRTUAL_TOKEN,
  TOKEN_SUPPLY,
  type Deployment,
} from '@curvekit/sdk';
import type { LaunchProperties } from '@curvekit/sdk/testing';
import { SystemProgram, type Connection, type TransactionInstruction } from '@solana/web3.js';
import { CommandError } from '../scripts/command-line.js';
import { findProgram, type Finding } from './findings.js';

const BASIS_POINTS = 10_000n;
const LARGEST_SHARE_BPS = BigInt(Math.max(...AFTER_MIGRATION_FEES));
/** What opening a pool costs at most: the AMM's fee at the program's bound, and the rents of the pool's accounts. */
const MOST_COSTS = 345_000_000n;
/** Fewer lamports in a pool would not hold the closing price to a billionth. */
const LEAST_POOL_SOL = 1_000_000_000n;

/** @throws CommandError for properties with which curves could not graduate, or not at their closing price */
export function requireGraduation(properties: LaunchProperties): void {
  const problem = problemOfProperties(properties);
  if (problem === undefined) return;
  throw new CommandError(`with these properties no curve could graduate as it should: ${problem}`);
}

/** Why curves with these properties could not graduate, or not at their closing price; undefined when they can. */
export function problemOfProperties({
  initialVirtualSol: sol,
  initialVirtualToken: token,
}: LaunchProperties): string | undefined {
  const closing = GRADUATION_VIRTUAL_TOKEN;
  // The curve's product is constant, and rounds in favour of the curve.
  const raised = (sol * token) / closing - sol;
  const afterShare = (raised * (BASIS_POINTS - LARGEST_SHARE_BPS)) / BASIS_POINTS;
  if (afterShare - MOST_COSTS < LEAST_POOL_SOL) {
    return `a curve would raise ${formatSol(raised > 0n ? raised : 0n)} SOL: too little for a pool, which costs up to ${formatSol(MOST_COSTS)} SOL and needs ${formatSol(LEAST_POOL_SOL)} more; raise the virtual reserves`;
  }
  const left = TOKEN_SUPPLY - (token - closing);
  // Tokens that all the SOL buys at the closing price: raised · closing / (raised + sol).
  const needed = (raised * closing) / (raised + sol);
  if (needed > left) {
    return `a curve would have ${formatTokens(left)} tokens left for its pool, and needs ${formatTokens(needed)}: the pool would open above the closing price; lower the virtual token reserve`;
  }
  return undefined;
}

/** The graduation program and the AMM; nothing where a key migrates. */
export async function findGraduation(connection: Connection, deployment: Deployment): Promise<Finding[]> {
  if (!graduatesByItself(deployment)) return [];
  const { programId, treasury } = deployment.graduation;
  const [program, upgrade] = await findProgram(connection, programId, undefined, ['artifacts/graduation.so']);
  const amm = await connection.getAccountInfo(AMM.programId);
  const found = { what: 'AMM', found: AMM.programId.toBase58() };
  return [
    { ...program!, what: 'graduation program' },
    { ...upgrade!, what: 'its upgrade authority' },
    { what: 'its treasury', found: treasury.toBase58() },
    amm?.executable === true
      ? found
      : { ...found, problem: 'is not there: no curve could graduate; use a cluster that has it' },
  ];
}

/** Brings the fee receiver to its rent exemption: no key can, later, and small trades fail until it is. */
export async function prefund(
  connection: Connection,
  deployment: Deployment,
): Promise<TransactionInstruction[]> {
  const { admin, feeReceiver } = deployment;
  if (!graduatesByItself(deployment)) return [];
  const [held, exempt] = await Promise.all([
    connection.getBalance(feeReceiver),
    connection.getMinimumBalanceForRentExemption(0),
  ]);
  if (held >= exempt) return [];
  return [SystemProgram.transfer({ fromPubkey: admin, toPubkey: feeReceiver, lamports: exempt - held })];
}
