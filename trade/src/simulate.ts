// `--simulate`: builds and simulates the transaction as for a real trade, and never signs it.
import type { Connection, PublicKey } from '@solana/web3.js';
import type { Deployment, PreparedTransaction } from '@curvekit/sdk';
import { previewTransaction } from '@curvekit/sdk/trade';
import { changeText, tokenText, type Facts } from './output.js';

/** The balance changes that a transaction would cause in a wallet. */
export interface SimulatedChange {
  readonly simulated: true;
  readonly mint: PublicKey;
  /** Lamports, including fees and rent. */
  readonly walletChange: bigint;
  /** Token base units. */
  readonly tokenChange: bigint;
  readonly computeUnits: number;
}

/**
 * Simulates a transaction that is prepared as for a real trade or launch.
 *
 * @param prepare as `prepareTrade` and `prepareLaunch`
 * @throws its errors
 */
export async function simulatePrepared(
  connection: Connection,
  { owner, mint, deployment }: { owner: PublicKey; mint: PublicKey; deployment: Deployment },
  prepare: Promise<PreparedTransaction>,
): Promise<SimulatedChange> {
  const { transaction } = await prepare;
  const terms = { wallet: owner, mints: [mint], deployment };
  const { error, sol, tokens, computeUnits } = await previewTransaction(connection, transaction, terms);
  if (error !== null) throw error;
  return {
    simulated: true,
    mint,
    walletChange: sol.after - sol.before,
    tokenChange: tokens[0]!.after - tokens[0]!.before,
    computeUnits,
  };
}

export function simulatedFacts(change: SimulatedChange): Facts {
  const { mint, walletChange, tokenChange, computeUnits } = change;
  return [
    ['simulated', 'nothing was signed or sent'],
    ['token', mint.toBase58()],
    ['tokens', changeText(tokenChange, tokenText)],
    ['wallet', `${changeText(walletChange)}, fees and rents included`],
    ['compute units', String(computeUnits)],
  ];
}
