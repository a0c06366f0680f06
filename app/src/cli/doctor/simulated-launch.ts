// Simulates a launch without a signature. The program compares the authorities in it with its own.
import { Keypair, PublicKey } from '@solana/web3.js';
import { createDeployment, createToken, simulateComputeUnits, TransactionError } from '@curvekit/sdk';
import type { ClusterParts } from './cluster-checks.js';

/** Enough for the rent of a token's accounts, Metaplex's fee and the smallest buy. */
const LAUNCH_LAMPORTS = 55_000_000;
const FIRST_BUY_LAMPORTS = 1_000_000n;
/** Anchor's log of a wrong account: its name, its address, the expected address. */
const FAULTY_ACCOUNT = /AnchorError caused by account: (\w+)\./;
const EXPECTED_KEY = /Right:\s+(?:Program log: )?([1-9A-HJ-NP-Za-km-z]{32,44})/;

/** `right`; the wrong account, with the expected key if the program names it; or why the simulation gave no answer. */
export type LaunchOutcome =
  | { readonly kind: 'right' }
  | { readonly kind: 'other key'; readonly account: string; readonly expected: PublicKey | undefined }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface Authorities {
  readonly dexOwner: PublicKey;
  readonly feeReceiver: PublicKey;
}

/** @param withBuy whether a first buy follows, which names the fee receiver */
export async function simulateLaunch(
  { config, connection, deployment: { programId, admin } }: ClusterParts,
  authorities: Authorities,
  withBuy: boolean,
): Promise<LaunchOutcome> {
  const deployment = createDeployment({ programId, admin, ...authorities });
  const keys = [config.feeReceiver, config.dexOwner, config.treasury].flatMap((key) => key?.publicKey ?? []);
  const payers = [...keys, authorities.feeReceiver, authorities.dexOwner];
  const accounts = await connection.getMultipleAccountsInfo(payers);
  const payer = payers.find((_, index) => (accounts[index]?.lamports ?? 0) >= LAUNCH_LAMPORTS);
  if (payer === undefined) {
    const reason = `no key has the ${LAUNCH_LAMPORTS} lamports that simulating a launch takes`;
    return { kind: 'unknown', reason };
  }
  const instructions = createToken({
    ...{ payer, mint: Keypair.generate().publicKey, deployment },
    ...{ name: 'Simulated launch', symbol: 'SIM', uri: 'https://curvekit.example/simulated.json' },
    ...{ afterMigrationFee: 0, afterMigrationBurnBp: 0, afterMigrationHoldersBp: 0, afterMigrationLpBp: 0 },
    ...(withBuy ? { firstBuy: { solToSpend: FIRST_BUY_LAMPORTS, minTokenToReceive: 1n } } : {}),
  });
  try {
    await simulateComputeUnits(connection, { payer, instructions }, { deployment });
    return { kind: 'right' };
  } catch (error) {
    if (!(error instanceof TransactionError)) throw error;
    const log = error.logs?.join('\n') ?? '';
    const account = FAULTY_ACCOUNT.exec(log)?.[1];
    if (account === undefined)
      return { kind: 'unknown', reason: `a simulated launch says: ${error.message}` };
    const expected = EXPECTED_KEY.exec(log)?.[1];
    return {
      kind: 'other key',
      account,
      expected: expected === undefined ? undefined : new PublicKey(expected),
    };
  }
}
