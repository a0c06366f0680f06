// Moves the fees that back referral and volume rewards from the fee receiver to the treasury. Each transaction is stored before it is
// sent and tracked until it is finalized or expired, so that a crash moves nothing twice.
import {
  SystemInstruction,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
  type PublicKey,
} from '@solana/web3.js';
import type { Context } from '../../context.js';
import { statement, type Transaction } from '../../db/database.js';
import { askNode, rentMinimum } from '../../chain/connection.js';
import { follow } from '../../sending/follow.js';
import { decide, storeSigned, undecidedOf } from '../../sending/repository.js';
import { signForAuthority } from '../../sending/sign.js';
import { unfundedRewards } from '../../claims/cover.js';
import { treasuryFund } from '../../claims/functions.js';
import type { Signer } from '../../keys/signer.js';

/** Subject of the stored transactions. One is open at a time. */
const SUBJECT = 'funding:referrals';
/** A smaller amount is not worth a transaction. */
export const LEAST_MOVED = 100_000n;
/** Lamports that stay in the fee receiver for network fees, in addition to its rent. */
const LEFT_FOR_FEES = 1_000_000n;

/** Result of a run, in lamports. */
export interface Funding {
  /** Moved and booked by this call. */
  readonly moved: bigint;
  /** Credited, but not backed by fees in the treasury yet. */
  readonly unfunded: bigint;
  /** Why rewards stay unfunded, and what to do. Undefined when no action is needed. */
  readonly problem?: string;
}

export interface FundingKeys {
  readonly feeReceiver: Signer;
  readonly treasury: PublicKey;
}

/**
 * Finishes the open transfer, or moves fees for unfunded rewards.
 *
 * @throws errors of the RPC node, the database or the cluster; the next call continues
 */
export async function fundReferrals(
  context: Context,
  { feeReceiver, treasury }: FundingKeys,
  signal: AbortSignal,
): Promise<Funding> {
  const { database, connection, deployment } = context;
  let moved = await finishTransfer(context, signal);
  const unfunded = await unfundedRewards(database.queries);
  if (unfunded < LEAST_MOVED) return { moved, unfunded };
  const [lamports, rent] = await askNode(
    Promise.all([connection.getBalance(feeReceiver.publicKey, 'confirmed'), rentMinimum(connection, 0)]),
  );
  const spare = BigInt(lamports) - BigInt(rent) - LEFT_FOR_FEES;
  const amount = unfunded < spare ? unfunded : spare;
  if (amount < LEAST_MOVED) {
    const problem = `the fee receiver ${feeReceiver.publicKey.toBase58()} has ${lamports} lamports; ${unfunded} of rewards are owed: send them to the treasury ${treasury.toBase58()} from the fee receiver`;
    return { moved, unfunded, problem };
  }
  const transfer = SystemProgram.transfer({
    fromPubkey: feeReceiver.publicKey,
    toPubkey: treasury,
    lamports: amount,
  });
  const signed = await askNode(signForAuthority(connection, deployment, [transfer], [feeReceiver]));
  signal.throwIfAborted();
  await database.transaction((tx) => storeSigned(tx, { subject: SUBJECT, ...signed }));
  moved += await finishTransfer(context, signal);
  return { moved, unfunded: await unfundedRewards(database.queries) };
}

/** @returns lamports that a stored transfer moved */
async function finishTransfer(context: Context, signal: AbortSignal): Promise<bigint> {
  const { database } = context;
  const stored = await undecidedOf(database.queries, SUBJECT);
  if (stored === undefined) return 0n;
  const { state, problem, slot } = await follow(context, stored, { signal });
  const amount = transferredBy(stored.transaction);
  return database.transaction(async (tx) => {
    const decided = await decide(tx, stored.signature, state, problem);
    if (!decided || state !== 'finalized' || slot === null) return 0n;
    return (await bookFunding(tx, { signature: stored.signature, amount, slot })) ? amount : 0n;
  });
}

/** Lamports that the transfer in the transaction moves. */
function transferredBy(transaction: string): bigint {
  const { message } = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
  const { instructions } = TransactionMessage.decompile(message);
  const transfer = instructions.find(({ programId }) => programId.equals(SystemProgram.programId));
  if (transfer === undefined) throw new Error('a stored transaction of fees transfers nothing');
  return BigInt(SystemInstruction.decodeTransfer(transfer).lamports);
}

/**
 * Books fees that were moved to the treasury. They back rewards up to what is owed now.
 *
 * @returns false when that transaction is booked already
 */
export async function bookFunding(
  tx: Transaction,
  funding: { readonly signature: string; readonly amount: bigint; readonly slot: number },
): Promise<boolean> {
  const { signature, amount, slot } = funding;
  const [row] = await statement<{ booked: boolean }>(tx)`
    select ${treasuryFund({ signature, amount, slot })} as booked`;
  return row?.booked === true;
}
