// Simulates a launch. The program compares the DEX owner and the fee receiver in it with its own.
import { Keypair, type PublicKey } from '@solana/web3.js';
import { createDeployment, createToken, MINT_ACCOUNT_SIZE } from '@curvekit/sdk';
import { rentMinimum } from '../../chain/rent.js';
import type { ClusterParts } from './cluster-checks.js';
import { simulate, type Outcome } from './simulation.js';

/** Enough for the rent of a token's accounts, Metaplex's fee and the smallest buy. */
const LAUNCH_LAMPORTS = 55_000_000;
const FIRST_BUY_LAMPORTS = 1_000_000n;

export interface Authorities {
  readonly dexOwner: PublicKey;
  readonly feeReceiver: PublicKey;
}

/** @param withBuy whether a first buy follows, which names the fee receiver */
export async function simulateLaunch(
  cluster: ClusterParts,
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
        ...{
          afterMigrationFee: 0,
          afterMigrationBurnBp: 0,
          afterMigrationHoldersBp: 0,
          afterMigrationLpBp: 0,
        },
        ...(withBuy ? { firstBuy: { solToSpend: FIRST_BUY_LAMPORTS, minTokenToReceive: 1n } } : {}),
      }),
  });
}

/** Whether the program has this fee receiver. It checks the DEX owner first, and its error names the right one. */
export async function simulateFeeReceiver(cluster: ClusterParts, feeReceiver: PublicKey): Promise<Outcome> {
  const { dexOwner } = cluster.deployment;
  const found = await simulateLaunch(cluster, { dexOwner, feeReceiver }, true);
  if (found.kind !== 'other key' || found.account !== 'dex_owner') return found;
  if (found.expected === undefined)
    return { kind: 'unknown', reason: 'the program wants another DEX owner, and does not say which' };
  return simulateLaunch(cluster, { dexOwner: found.expected, feeReceiver }, true);
}
