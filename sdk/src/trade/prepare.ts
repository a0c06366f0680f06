// Turns instructions into a transaction ready to sign, with two requests: the simulation also returns the blockhash.
import type { Connection } from '@solana/web3.js';
import { PublicKey } from '../chain.js';
import { isProgramError, type TransactionError } from '../errors.js';
import { simulationError } from '../transaction-errors.js';
import {
  compileTransaction,
  MAX_COMPUTE_UNITS,
  suggestComputeUnitPrice,
  type PreparedTransaction,
  type TransactionParts,
} from '../transactions.js';
import { answered } from './answered.js';
import type { SendingRoute } from './options.js';
import { explained } from './wrong-deployment.js';

/** Lamports per signature. */
const SIGNATURE_FEE = 5_000n;
const MICRO_LAMPORTS = 1_000_000n;
/** Added to the simulated compute units, because the state can change until the transaction lands. */
const MARGIN_PERCENT = 20;
const COMMITMENT = 'confirmed';

interface Simulated {
  readonly error: TransactionError | null;
  readonly units: number;
  readonly signatures: number;
  readonly slot: number;
  readonly latest: { readonly blockhash: string; readonly lastValidBlockHeight: number } | undefined;
}

/**
 * Makes a transaction ready to sign.
 *
 * @param checkFunds refuses a wallet that cannot pay these lamports of network fees in addition to the rest. Its error
 *   is clearer than the simulation's, which may have failed for the same reason
 * @throws TransactionError when the simulation fails: a WrongDeploymentError for another build's deployment
 */
export async function prepare(
  connection: Connection,
  parts: Pick<TransactionParts, 'payer' | 'instructions'>,
  options: SendingRoute,
  checkFunds: (fees: bigint, hasFailed: boolean) => void,
): Promise<PreparedTransaction> {
  const { signal, highestComputeUnitPrice: highest } = options;
  const [simulated, computeUnitPrice] = await answered(
    Promise.all([
      simulate(connection, parts, options),
      options.computeUnitPrice ?? suggestComputeUnitPrice(connection, parts.instructions, 50, { highest }),
    ]),
    signal,
  );
  const { error, units, signatures, slot } = simulated;
  const limit = Math.min(Math.ceil((units * (100 + MARGIN_PERCENT)) / 100), MAX_COMPUTE_UNITS);
  const priority = (computeUnitPrice * BigInt(limit) + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
  checkFunds(BigInt(signatures) * SIGNATURE_FEE + priority, error !== null);
  if (error !== null) {
    throw await explained(error, options.deployment, parts.instructions, async (instructions) => {
      const other = await answered(simulate(connection, { ...parts, instructions }, options), signal);
      return !isProgramError(other.error, 'WrongFeeReceiver');
    });
  }
  const { blockhash, lastValidBlockHeight } =
    simulated.latest ?? (await answered(connection.getLatestBlockhash(COMMITMENT), signal));
  const transaction = compileTransaction({ ...parts, computeUnitPrice, computeUnitLimit: limit }, blockhash);
  return { transaction, blockhashSlot: slot, lastValidBlockHeight, computeUnitLimit: limit };
}

async function simulate(
  connection: Connection,
  parts: Pick<TransactionParts, 'payer' | 'instructions'>,
  { deployment }: SendingRoute,
): Promise<Simulated> {
  const unlimited = { ...parts, computeUnitLimit: MAX_COMPUTE_UNITS, computeUnitPrice: 0n };
  const transaction = compileTransaction(unlimited, PublicKey.default.toBase58());
  const config = { sigVerify: false, replaceRecentBlockhash: true, commitment: COMMITMENT } as const;
  const { context, value } = await connection.simulateTransaction(transaction, config);
  // web3.js returns it without declaring it.
  const { replacementBlockhash } = value as { replacementBlockhash?: Simulated['latest'] | null };
  return {
    error: simulationError(value, { instructions: transaction, deployment }),
    units: value.unitsConsumed ?? MAX_COMPUTE_UNITS,
    signatures: transaction.message.header.numRequiredSignatures,
    slot: context.slot,
    latest: replacementBlockhash ?? undefined,
  };
}
