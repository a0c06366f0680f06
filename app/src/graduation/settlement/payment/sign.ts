// Signs a settlement's transaction. At most one transaction of a settlement can land.
import { ACCOUNT_SIZE } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { communityTokenStorageAddress, communityWsolStorageAddress, TransactionError } from '@curvekit/sdk';
import type { Context } from '../../../context.js';
import { askNode, rentMinimum } from '../../../chain/connection.js';
import { findLanded, reopen, signaturesOf } from '../../../sending/history.js';
import { storeSigned, undecidedOf, type StoredTransaction } from '../../../sending/repository.js';
import { signForAuthority } from '../../../sending/sign.js';
import { localSigner } from '../../../keys/local-signer.js';
import type { Signer } from '../../../keys/signer.js';
import { NO_KEY, SettlementError } from '../errors.js';
import { holdPlan, holdPlanned, type PlannedSettlement } from './hold-planned.js';
import { memoInstruction } from './memo.js';
import { subjectOf, type Settlement } from '../repository.js';
import { settlementInstructions, type Payment } from './transaction.js';

/**
 * Returns the earlier transaction if it may still land, otherwise a new one. Undefined when another process has ended the
 * settlement or changed its plan.
 */
export async function signedFor(
  context: Context,
  settlement: Settlement,
  signal: AbortSignal,
): Promise<StoredTransaction | { readonly problem: string } | undefined> {
  const { database } = context;
  const subject = subjectOf(settlement.id);
  const earlier =
    (await undecidedOf(database.queries, subject)) ?? (await landedAfterAll(context, settlement));
  if (earlier !== undefined) return earlier;
  const transaction = await sign(context, settlement, subject);
  signal.throwIfAborted();
  if ('problem' in transaction) return transaction;
  return database.transaction(async (tx) => {
    // A transaction of an old plan could pay a creator who has been credited since.
    if (!(await holdPlan(tx, settlement))) return undefined;
    return (await storeSigned(tx, transaction)) ? transaction : undecidedOf(tx, subject);
  });
}

/** Finds a transaction that counted as expired but landed. Signing another one would pay twice, or find empty storages. */
async function landedAfterAll(
  { database, connection, logger }: Context,
  { id, mint }: Settlement,
): Promise<StoredTransaction | undefined> {
  const subject = subjectOf(id);
  const signature = await findLanded(connection, await signaturesOf(database.queries, subject, 'expired'));
  if (signature === undefined) return undefined;
  logger.error(
    { mint, settlement: id, signature },
    'a transaction landed after it was marked expired; it is tracked again. Check RPC_URL: the node gave a wrong proof',
  );
  return database.transaction(async (tx) => {
    if (!(await holdPlanned(tx, id))) return undefined;
    await reopen(tx, signature);
    return undecidedOf(tx, subject);
  });
}

/** Signs a transaction if it passes the simulation. Otherwise returns the reason. */
export async function sign(
  { connection, deployment, config }: Context,
  settlement: Settlement,
  subject: string,
): Promise<StoredTransaction | { readonly problem: string }> {
  const dexOwner = config.dexOwner;
  if (dexOwner === undefined) throw new SettlementError(NO_KEY);
  const unwrapping = localSigner(Keypair.generate());
  const payments = settlementInstructions({
    ...paymentOf(settlement),
    dexOwner: dexOwner.publicKey,
    wsolStorage: communityWsolStorageAddress(new PublicKey(settlement.mint), deployment).address,
    tokenStorage: communityTokenStorageAddress(new PublicKey(settlement.mint), deployment).address,
    unwrapping: unwrapping.publicKey,
    tokenAccountRent: await askNode(rentMinimum(connection, ACCOUNT_SIZE)),
  });
  const instructions = [memoInstruction(settlement), ...payments];
  const signers: [Signer, ...Signer[]] = settlement.sol > 0n ? [dexOwner, unwrapping] : [dexOwner];
  try {
    return {
      subject,
      ...(await askNode(signForAuthority(connection, deployment, instructions, signers))),
    };
  } catch (error) {
    if (error instanceof TransactionError) return { problem: error.message };
    throw error;
  }
}

function paymentOf(
  settlement: PlannedSettlement,
): Pick<Payment, 'mint' | 'treasury' | 'lp' | 'creator' | 'opensCreatorAccount' | 'sol' | 'token'> {
  const { treasury, lp, solCreatorCredited, tokenCreatorCredited } = settlement;
  return {
    mint: new PublicKey(settlement.mint),
    treasury: treasury === null ? null : new PublicKey(treasury),
    lp: lp === null ? null : new PublicKey(lp),
    creator: new PublicKey(settlement.creator),
    opensCreatorAccount: settlement.opensCreatorAccount,
    sol: {
      taken: settlement.sol,
      treasury: settlement.solHolders + solCreatorCredited,
      lp: settlement.solLp,
      creator: settlement.solCreator - solCreatorCredited,
    },
    token: {
      burned: settlement.tokenBurned,
      treasury: settlement.tokenHolders + tokenCreatorCredited,
      lp: settlement.tokenLp,
      creator: settlement.tokenCreator - tokenCreatorCredited,
    },
  };
}
