// Turns instructions into a transaction ready to sign, with two requests: the simulation also returns the blockhash.
import type { Connection, PublicKey, TransactionInstruction, VersionedTransaction } from '../chain/types.js';
import { SYSTEM_PROGRAM } from '../checks/programs.js';
import { isProgramError, type TransactionError } from '../errors/index.js';
import type { Reader } from '../rpc/reading.js';
import { RpcError } from '../rpc/rpc-error.js';
import { compile } from '../transactions/compile.js';
import { limitOf, MAX_COMPUTE_UNITS, unitsIn } from '../transactions/compute-units.js';
import { simulationError } from '../transactions/errors.js';
import {
  type PreparedTransaction,
  suggestComputeUnitPrice,
  type TransactionParts,
} from '../transactions/prepare.js';
import { LAMPORTS_PER_SIGNATURE } from '../transactions/signature-fee.js';
import { type Allowance, guarded, requireAllowed, type SimulatedAccounts } from './guard.js';
import type { PreparingRules, SendingRoute } from './options.js';
import { DEFAULT_DEPLOYMENT, type Deployment, KEY_HELD_DEPLOYMENT } from '../accounts/deployment.js';
import { WrongDeploymentError } from './errors.js';

const MICRO_LAMPORTS = 1_000_000n;
/** Added to the simulated compute units, because the state can change until the transaction lands. */
const MARGIN_PERCENT = 20;
const COMMITMENT = 'confirmed';
/** The estimate of the priority fee must not delay the trade for longer. */
const LONGEST_ESTIMATE_MS = 5_000;

const UNLIMITED = { computeUnitLimit: MAX_COMPUTE_UNITS, computeUnitPrice: 0n };
/** The node replaces it in a simulation. */
const NO_BLOCKHASH = SYSTEM_PROGRAM;

interface Simulated {
  readonly error: TransactionError | null;
  /** Undefined when the node does not report them. */
  readonly units: number | undefined;
  readonly signatures: number;
  readonly slot: number;
  readonly latest: { readonly blockhash: string; readonly lastValidBlockHeight: number } | undefined;
  readonly accounts: SimulatedAccounts;
}

/** The options that {@link prepare} reads. */
export type PrepareOptions = PreparingRules & Pick<SendingRoute, 'deployment' | 'composition'>;

/** What is checked before the wallet signs. */
export interface Checks {
  /**
   * Refuses a wallet that cannot pay these lamports of network fees in addition to the rest. Its error is clearer than
   * the simulation's, which may have failed for the same reason.
   */
  readonly funds: (fees: bigint, hasFailed: boolean) => void;
  /** The most that the simulated transaction may take from the wallet. */
  readonly allowance: Allowance;
}

/**
 * Makes a transaction ready to sign.
 *
 * @throws TransactionError when the simulation fails: a WrongDeploymentError for another build's deployment
 * @throws ExcessiveLossError when the simulated transaction takes more from the wallet than the order allows
 */
export async function prepare(
  { connection, node }: { readonly connection: Connection; readonly node: Reader },
  { payer, instructions: own }: Pick<TransactionParts, 'payer' | 'instructions'>,
  options: PrepareOptions,
  { funds, allowance: ofOrder }: Checks,
): Promise<PreparedTransaction> {
  const { composition } = options;
  const [nonce, lookupTables] = await Promise.all([
    composition?.nonce && composition.readNonce(node, composition.nonce, payer),
    composition?.tablesOf(node, payer, own, composition),
  ]);
  const partsOf = (instructions: readonly TransactionInstruction[]) => ({
    ...{ payer, lookupTables },
    instructions: composition?.composed(payer, instructions, composition) ?? instructions,
  });
  const parts = partsOf(own);
  const allowance = {
    ...ofOrder,
    sol: ofOrder.sol + (composition?.tip?.lamports ?? 0n) + (composition?.extraLamports ?? 0n),
  };
  const advance = composition?.nonce && composition.advanceNonce(composition.nonce, payer);
  const simulating = (all: TransactionParts) => {
    const blockhash = nonce?.value ?? NO_BLOCKHASH;
    return simulate(
      node,
      compile({ ...all, ...UNLIMITED }, blockhash, advance),
      options.deployment,
      allowance,
    );
  };
  const [simulated, computeUnitPrice] = await Promise.all([
    simulating(parts),
    options.computeUnitPrice ?? estimatedPrice(connection, parts.instructions, options),
  ]);
  const { error, units, signatures, slot } = simulated;
  const limit = distinctLimit(limitOf(units, MARGIN_PERCENT));
  // A failed simulation may have stopped before any compute unit.
  const paid = error !== null && units === undefined ? 0 : limit;
  const priority = (computeUnitPrice * BigInt(paid) + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
  const signatureFees = BigInt(signatures) * LAMPORTS_PER_SIGNATURE;
  funds(signatureFees + priority, error !== null);
  if (error !== null) {
    throw await explained(error, options.deployment, own, async (instructions) => {
      const other = await simulating(partsOf(instructions));
      return !isProgramError(other.error, 'WrongFeeReceiver');
    });
  }
  // The simulated transaction has no priority fee.
  requireAllowed(allowance, simulated.accounts, signatureFees);
  const { blockhash, ...lifetime } =
    nonce !== undefined && composition !== undefined
      ? composition.lifetimeOfNonce(nonce)
      : {
          ...(simulated.latest ?? (await node.getLatestBlockhashAndContext(COMMITMENT)).value),
          blockhashSlot: slot,
        };
  const transaction = compile({ ...parts, computeUnitPrice, computeUnitLimit: limit }, blockhash, advance);
  return { transaction, ...lifetime, computeUnitLimit: limit };
}

/** The priority fee of recent transactions. 0 when the node does not answer: the fee is optional. */
async function estimatedPrice(
  connection: Connection,
  instructions: TransactionParts['instructions'],
  { signal, highestComputeUnitPrice: highest }: PrepareOptions,
): Promise<bigint> {
  try {
    const limits = { timeoutMs: LONGEST_ESTIMATE_MS, retries: 0, signal };
    return await suggestComputeUnitPrice(connection, instructions, 50, { highest, ...limits });
  } catch (error) {
    if (error instanceof RpcError) return 0n;
    throw error;
  }
}

async function simulate(
  node: Reader,
  transaction: VersionedTransaction,
  deployment: Deployment | undefined,
  allowance: Allowance,
): Promise<Simulated> {
  const { context, value } = await node.simulateTransaction(transaction, {
    sigVerify: false,
    // With a nonce, the node refuses what the cluster would.
    replaceRecentBlockhash: transaction.message.recentBlockhash === NO_BLOCKHASH,
    commitment: COMMITMENT,
    accounts: { encoding: 'base64', addresses: guarded(allowance) },
  });
  // web3.js returns it without declaring it.
  const { replacementBlockhash } = value as { replacementBlockhash?: Simulated['latest'] | null };
  return {
    error: simulationError(value, { instructions: transaction, deployment }),
    units: unitsIn(value),
    signatures: transaction.message.header.numRequiredSignatures,
    slot: context.slot,
    latest: replacementBlockhash ?? undefined,
    accounts: value,
  };
}

// Equal trades of one wallet, signed with the same blockhash, would be one and the same transaction: the cluster makes it
// once, and each caller would take it for its own. A compute-unit limit that differs makes them two.

/** The most compute units that are added. At the highest suggested price, that many lamports. */
const MOST_ADDED = 1_024;
/** Processes of one wallet start at different numbers. */
let next = Math.floor(Math.random() * MOST_ADDED);

/** A limit of at least `units` that is another one for each of 1,024 calls in a row. At most the cluster's maximum. */
function distinctLimit(units: number): number {
  next = (next + 1) % MOST_ADDED;
  return Math.min(units, MAX_COMPUTE_UNITS - MOST_ADDED) + next;
}

/** Whether the program refuses these instructions with another error than 6004, or accepts them. */
type Accepts = (instructions: TransactionInstruction[]) => Promise<boolean>;

/**
 * The error to throw for the simulation's. The program does not tell its fee receiver, so the likely ones are simulated:
 * the graduation program's PDA and the development key.
 */
async function explained(
  error: TransactionError,
  deployment: Deployment = DEFAULT_DEPLOYMENT,
  instructions: readonly TransactionInstruction[],
  accepts: Accepts,
): Promise<TransactionError> {
  if (!isProgramError(error, 'WrongFeeReceiver')) return error;
  const likely = [deployment.graduation.feeReceiver.address, KEY_HELD_DEPLOYMENT.feeReceiver];
  for (const feeReceiver of likely.filter((address) => !address.equals(deployment.feeReceiver))) {
    const changed = withFeeReceiver(instructions, deployment, feeReceiver);
    const isRight = await accepts(changed).catch(() => false);
    if (isRight) return new WrongDeploymentError(deployment, feeReceiver, error);
  }
  return new WrongDeploymentError(deployment, undefined, error);
}

function withFeeReceiver(
  instructions: readonly TransactionInstruction[],
  deployment: Deployment,
  feeReceiver: PublicKey,
): TransactionInstruction[] {
  return instructions.map((instruction) =>
    instruction.programId.equals(deployment.programId)
      ? {
          ...instruction,
          keys: instruction.keys.map((meta) =>
            meta.pubkey.equals(deployment.feeReceiver) ? { ...meta, pubkey: feeReceiver } : meta,
          ),
        }
      : instruction,
  );
}
