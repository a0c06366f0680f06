// One settlement, step by step. Every step is in the database before the next begins, so that a process that dies anywhere
// leaves what another one can finish: begun → planned → signed → sent → finalized → done.
import { ACCOUNT_SIZE } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { communityTokenStorageAddress, communityWsolStorageAddress, TransactionError } from '@curvekit/sdk';
import type { Context } from '../../context.js';
import { askNode } from '../ask-node.js';
import { follow } from '../authority/follow.js';
import { findLanded, recordFinalized, reopen, signaturesOf } from '../authority/history.js';
import { decide, storeSigned, undecidedOf, type StoredTransaction } from '../authority/repository.js';
import { signForAuthority } from '../authority/sign.js';
import { NO_KEY, SettlementError } from './errors.js';
import { isEmpty, planSettlement, type Plan, type PlanFacts } from './plan.js';
import { readRecipients } from './recipients.js';
import {
  abandonSettlement,
  beginSettlement,
  completed,
  failSettlement,
  hasPaidCreatorTokens,
  holdPlanned,
  openSettlement,
  planned,
  settlementOf,
  subjectOf,
  type SettledToken,
  type Settlement,
} from './repository.js';
import { takeSnapshot } from './snapshot.js';
import type { Storages } from './storages.js';
import { settlementInstructions, type Payment } from './transaction.js';

/** Steps of a settlement, in order. */
export type SettlementStep = 'begun' | 'planned' | 'signed' | 'sent' | 'finalized' | 'done';

export interface SettleOptions {
  /** Ends it after the step under way; what is open is finished the next time. */
  readonly signal: AbortSignal;
  /** Called when a step is complete. */
  readonly afterStep?: ((step: SettlementStep) => Promise<void> | void) | undefined;
}

/** What came of looking at a token. */
export interface SettlementReport {
  readonly mint: string;
  readonly outcome: 'settled' | 'nothing' | 'waiting' | 'failed';
  /** As it is in the database. */
  readonly settlement?: Settlement | undefined;
  /** Why something waits, or failed, and what to do about it. */
  readonly problems: readonly string[];
}

/** Transactions that may expire before a settlement is left for the next time. */
const ATTEMPTS = 3;

/**
 * Finishes the settlement of a token that is under way, or else settles what its storages hold.
 *
 * @throws SettlementError without the DEX owner's key; NodeError and errors of the node or the database: what is open is
 *   finished the next time
 */
export async function settleToken(
  context: Context,
  token: SettledToken,
  storages: Storages,
  options: SettleOptions,
): Promise<SettlementReport> {
  const { database } = context;
  const open = await openSettlement(database.queries, token.mint);
  if (open?.state === 'planned') return pay(context, open, options);
  // Half a snapshot is of no use: the balances have moved on.
  if (open !== undefined) await database.transaction((tx) => abandonSettlement(tx, open.id));

  const facts = await factsOf(context, token, storages);
  const first = planSettlement({ ...facts, hasHolders: true });
  if (isEmpty(first)) return left(token.mint, first);
  const id = await beginSettlement(database.queries, token.mint, token.creator);
  if (id === undefined)
    throw new SettlementError(`another process is settling ${token.mint}; try again later`);
  let settlement: Settlement | undefined;
  try {
    await options.afterStep?.('begun');
    const snapshot = needsHolders(first)
      ? await takeSnapshot(context, id, token, { minContextSlot: storages.slot, signal: options.signal })
      : undefined;
    const plan = planSettlement({ ...facts, hasHolders: snapshot === undefined || snapshot.holders > 0 });
    if (isEmpty(plan)) {
      await database.transaction((tx) => abandonSettlement(tx, id));
      return left(token.mint, plan);
    }
    await database.transaction((tx) =>
      planned(tx, id, plan, {
        treasury: facts.recipients.treasury?.address.toBase58() ?? null,
        lp: facts.recipients.lp?.address.toBase58() ?? null,
        creator: token.creator,
        snapshotSlot: snapshot?.slot ?? null,
      }),
    );
    settlement = await settlementOf(database.queries, id);
  } catch (error) {
    await database.transaction((tx) => abandonSettlement(tx, id));
    throw error;
  }
  if (settlement?.state !== 'planned')
    throw new SettlementError(
      `another process has taken over the settlement of ${token.mint}; try again later`,
    );
  await options.afterStep?.('planned');
  return pay(context, settlement, options);
}

/** From a plan to its end. */
async function pay(
  context: Context,
  settlement: Settlement,
  { signal, afterStep }: SettleOptions,
): Promise<SettlementReport> {
  const { database, connection, logger } = context;
  const { id, mint } = settlement;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const signed = await signedFor(context, settlement, signal);
    if (signed === undefined) return takenOver(context, settlement);
    if ('problem' in signed) return fail(context, settlement, signed.problem);
    const { signature } = signed;
    logger.info({ mint, settlement: id, signature }, 'the settlement is signed');
    await afterStep?.('signed');
    const { state, problem } = await follow(connection, signed, {
      signal,
      afterSend: () => afterStep?.('sent'),
    });
    if (state === 'finalized') {
      await afterStep?.('finalized');
      const isBooked = await database.transaction((tx) => completed(tx, settlement, signature));
      if (!isBooked) return notBooked(context, settlement, signature);
      await afterStep?.('done');
      return report(context, settlement, 'settled');
    }
    // The answer may be older than the lease's end.
    signal.throwIfAborted();
    const reason = problem ?? 'the transaction expired';
    logger.warn({ mint, settlement: id, signature, state, problem: reason }, 'the settlement did not land');
    if (state === 'failed') return fail(context, settlement, reason, signature);
    await decide(database.queries, signature, state, problem);
  }
  return report(context, settlement, 'waiting', [
    'its transactions expire before they land; is the cluster congested?',
  ]);
}

/** @param signature of the transaction that failed on chain; a simulation has failed without it */
async function fail(
  context: Context,
  settlement: Settlement,
  problem: string,
  signature?: string,
): Promise<SettlementReport> {
  const { database, logger } = context;
  const { id, mint } = settlement;
  const failing = await database.transaction(async (tx) => {
    // First, as everywhere, or two processes could wait for each other.
    await holdPlanned(tx, id);
    if (signature !== undefined) await decide(tx, signature, 'failed', problem);
    return failSettlement(tx, id, problem);
  });
  if (failing === 'failed') return report(context, settlement, 'failed', [problem]);
  if (failing === 'taken over') return takenOver(context, settlement);
  logger.error(
    { mint, settlement: id, problem },
    'the settlement cannot be paid as planned, and is kept: an earlier transaction of it may have paid',
  );
  return report(context, settlement, 'waiting', [
    `${problem}; it stays as planned, since an earlier transaction of it may have paid: \`curvekit doctor\` says what to do`,
  ]);
}

/** A transaction is finalized whose settlement could not be ended. */
async function notBooked(
  context: Context,
  settlement: Settlement,
  signature: string,
): Promise<SettlementReport> {
  const { database, logger } = context;
  const { id, mint } = settlement;
  const stored = await settlementOf(database.queries, id);
  if (stored?.state === 'done' && stored.signature === signature) return takenOver(context, settlement);
  await recordFinalized(database.queries, signature);
  logger.fatal(
    { mint, settlement: id, signature, state: stored?.state },
    'a settlement was paid that is not planned any more: its credits are not booked',
  );
  return report(context, settlement, 'failed', [
    `the transaction ${signature} has paid it, but it is ${stored?.state} in the database, and nobody was credited for that`,
  ]);
}

function takenOver(context: Context, settlement: Settlement): Promise<SettlementReport> {
  return report(context, settlement, 'waiting', ['another process has taken over this settlement']);
}

async function report(
  { database }: Context,
  { id, mint }: Settlement,
  outcome: SettlementReport['outcome'],
  problems: readonly string[] = [],
): Promise<SettlementReport> {
  return { mint, outcome, settlement: await settlementOf(database.queries, id), problems };
}

/** The transaction that may still land, or a new one: never both. Undefined when the settlement is over. */
async function signedFor(
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
    if (!(await holdPlanned(tx, settlement.id))) return undefined;
    return (await storeSigned(tx, transaction)) ? transaction : undecidedOf(tx, subject);
  });
}

/** One that was given up as expired, should it be on chain: another one would pay again, or find nothing to pay with. */
async function landedAfterAll(
  { database, connection, logger }: Context,
  { id, mint }: Settlement,
): Promise<StoredTransaction | undefined> {
  const subject = subjectOf(id);
  const signature = await findLanded(connection, await signaturesOf(database.queries, subject, 'expired'));
  if (signature === undefined) return undefined;
  logger.error(
    { mint, settlement: id, signature },
    'a transaction given up as expired is on chain after all; it is followed again',
  );
  return database.transaction(async (tx) => {
    if (!(await holdPlanned(tx, id))) return undefined;
    await reopen(tx, signature);
    return undecidedOf(tx, subject);
  });
}

/** A transaction that the simulation accepts, or why it does not. */
async function sign(
  { connection, deployment, config }: Context,
  settlement: Settlement,
  subject: string,
): Promise<StoredTransaction | { readonly problem: string }> {
  const dexOwner = config.dexOwner;
  if (dexOwner === undefined) throw new SettlementError(NO_KEY);
  const unwrapping = Keypair.generate();
  const instructions = settlementInstructions({
    ...paymentOf(settlement),
    dexOwner: dexOwner.publicKey,
    wsolStorage: communityWsolStorageAddress(new PublicKey(settlement.mint), deployment).address,
    tokenStorage: communityTokenStorageAddress(new PublicKey(settlement.mint), deployment).address,
    unwrapping: unwrapping.publicKey,
    tokenAccountRent: await askNode(connection.getMinimumBalanceForRentExemption(ACCOUNT_SIZE)),
  });
  const signers: [Keypair, ...Keypair[]] = settlement.sol > 0n ? [dexOwner, unwrapping] : [dexOwner];
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
  settlement: Settlement,
): Pick<Payment, 'mint' | 'treasury' | 'lp' | 'creator' | 'sol' | 'token'> {
  const { treasury, lp, solCreatorCredited, tokenCreatorCredited } = settlement;
  return {
    mint: new PublicKey(settlement.mint),
    treasury: treasury === null ? null : new PublicKey(treasury),
    lp: lp === null ? null : new PublicKey(lp),
    creator: new PublicKey(settlement.creator),
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

async function factsOf(
  { database, connection, config }: Context,
  token: SettledToken,
  { sol, token: units }: Storages,
): Promise<Omit<PlanFacts, 'hasHolders'>> {
  if (config.dexOwner === undefined) throw new SettlementError(NO_KEY);
  const { lpAddress, minimumSol, minimumToken } = config.settlement;
  const hasPaid = await hasPaidCreatorTokens(database.queries, token.mint);
  const [recipients, rentMinimum] = await askNode(
    Promise.all([
      readRecipients(connection, new PublicKey(token.mint), {
        treasury: config.treasury?.publicKey,
        lp: lpAddress,
        creator: new PublicKey(token.creator),
      }),
      connection.getMinimumBalanceForRentExemption(0),
    ]),
  );
  return {
    holds: { sol, token: units },
    minimum: { sol: minimumSol, token: minimumToken },
    shares: token,
    recipients,
    mayOpenCreatorAccount: !hasPaid,
    rentMinimum: BigInt(rentMinimum),
  };
}

function needsHolders({ sol, token }: Plan): boolean {
  return sol.parts.holders > 0n || token.parts.holders > 0n;
}

function left(mint: string, { waiting }: Plan): SettlementReport {
  return { mint, outcome: waiting.length > 0 ? 'waiting' : 'nothing', problems: waiting };
}
