// One settlement, step by step. Every step is in the database before the next begins, so that a process that dies anywhere
// leaves what another one can finish: begun → sampled (for each sample) → planned → signed → sent → finalized → done.
import { ACCOUNT_SIZE } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { communityTokenStorageAddress, communityWsolStorageAddress, TransactionError } from '@curvekit/sdk';
import type { Context } from '../context.js';
import { askNode } from '../rpc/ask-node.js';
import { follow } from '../authority/follow.js';
import { findLanded, recordFinalized, reopen, signaturesOf, statesOf } from '../authority/history.js';
import { decide, storeSigned, undecidedOf, type StoredTransaction } from '../authority/repository.js';
import { signForAuthority } from '../authority/sign.js';
import { NO_KEY, SettlementError } from './errors.js';
import { newSeed, SAMPLES } from './moments.js';
import { wasOpened } from './opened-accounts.js';
import { isEmpty, planSettlement, type Plan, type PlanFacts } from './plan.js';
import { readRecipients } from './recipients.js';
import {
  abandonSettlement,
  beginSettlement,
  completed,
  creditCreator,
  failSettlement,
  holdPlanned,
  planned,
  settlementOf,
  subjectOf,
  withCreatorCredited,
  type CreditedSides,
  type SettledToken,
  type Settlement,
} from './repository.js';
import { excludedWallets } from './sample.js';
import { samplesOf, sumSamples, type Sample } from './samples-repository.js';
import { readStorages, type Storages } from './storages.js';
import { settlementInstructions, type Payment } from './transaction.js';

/** Steps of a settlement, in order; `sampled` comes once for each sample. */
export type SettlementStep = 'begun' | 'sampled' | 'planned' | 'signed' | 'sent' | 'finalized' | 'done';

export interface SettleOptions {
  /** Ends it after the step under way; what is open is finished the next time. */
  readonly signal: AbortSignal;
  /** Length of periods that begin; as configured when left out. */
  readonly periodMs?: number | undefined;
  /** Called when a step is complete. */
  readonly afterStep?: ((step: SettlementStep) => Promise<void> | void) | undefined;
}

/** What came of looking at a token. */
export interface SettlementReport {
  readonly mint: string;
  readonly outcome: 'settled' | 'nothing' | 'waiting' | 'failed';
  /** As it is in the database. */
  readonly settlement?: Settlement | undefined;
  /** The samples that decided the holders' weights. */
  readonly samples?: readonly Sample[] | undefined;
  /** Why something waits, or failed, and what to do about it. */
  readonly problems: readonly string[];
}

/** Transactions that may expire before a settlement is left for the next time. */
const ATTEMPTS = 3;

/**
 * Begins the period of a token whose storages hold enough.
 *
 * @param value lamports that the storages are worth
 * @returns why nothing begins; undefined when a settlement is under way
 */
export async function begin(
  context: Context,
  token: SettledToken,
  storages: Storages,
  value: bigint,
  { periodMs, afterStep }: SettleOptions & { readonly periodMs: number },
): Promise<SettlementReport | undefined> {
  const plan = planSettlement({ ...(await factsOf(context, token, storages)), hasHolders: true });
  if (isEmpty(plan)) return left(token.mint, plan);
  const samples = token.holdersBps > 0 ? SAMPLES : 0;
  const begun = await context.database.transaction((tx) =>
    beginSettlement(tx, {
      mint: token.mint,
      creator: token.creator,
      seed: samples > 0 ? newSeed() : null,
      startedAt: new Date(context.now()),
      startedSlot: storages.slot,
      periodMs: samples > 0 ? periodMs : 0,
      samples,
      value,
    }),
  );
  if (begun !== undefined) await afterStep?.('begun');
  return undefined;
}

/**
 * Goes on with a settlement whose samples are all taken: plans it, pays it, credits the wallets.
 *
 * @throws errors of the RPC node or the database: what is open is finished the next time
 */
export async function finish(
  context: Context,
  settlement: Settlement,
  token: SettledToken,
  options: SettleOptions,
): Promise<SettlementReport> {
  if (settlement.state === 'planned') return pay(context, settlement, options);
  const made = await plan(context, settlement, token);
  if ('outcome' in made) return made;
  options.signal.throwIfAborted();
  await options.afterStep?.('planned');
  return pay(context, made, options);
}

/** Fixes the parts of what the storages hold now. */
async function plan(
  context: Context,
  settlement: Settlement,
  token: SettledToken,
): Promise<Settlement | SettlementReport> {
  const { database, connection, deployment } = context;
  const { id, mint } = settlement;
  const [read] = await askNode(readStorages(connection, deployment, [mint]));
  if (read === undefined || 'problem' in read)
    return report(context, settlement, 'waiting', [read?.problem ?? 'the RPC node names no storages']);
  const facts = await factsOf(context, token, read.storages);
  const weights =
    settlement.samples > 0
      ? await database.transaction((tx) => sumSamples(tx, id, excludedWallets(context, token)))
      : undefined;
  const made = planSettlement({ ...facts, hasHolders: weights === undefined || weights.holders > 0 });
  if (isEmpty(made)) {
    await database.transaction((tx) => abandonSettlement(tx, id));
    return left(mint, made);
  }
  const recipients = {
    treasury: facts.recipients.treasury?.address.toBase58() ?? null,
    lp: facts.recipients.lp?.address.toBase58() ?? null,
    creator: token.creator,
  };
  const isPlanned = await database.transaction((tx) => planned(tx, settlement, made, recipients, weights));
  const stored = isPlanned ? await settlementOf(database.queries, id) : undefined;
  return stored?.state === 'planned' ? stored : takenOver(context, settlement);
}

/** From a plan to its end. */
async function pay(
  context: Context,
  toPay: Settlement,
  { signal, afterStep }: SettleOptions,
): Promise<SettlementReport> {
  const { database, connection, logger } = context;
  const { id, mint } = toPay;
  let settlement = toPay;
  for (let expired = 0; expired < ATTEMPTS;) {
    const signed = await signedFor(context, settlement, signal);
    if (signed === undefined) return takenOver(context, settlement);
    if ('problem' in signed) {
      const replanned = await creditedInstead(context, settlement, signed.problem, signal);
      if (replanned === undefined) return fail(context, settlement, signed.problem);
      settlement = replanned;
      continue;
    }
    const { signature } = signed;
    logger.info({ mint, settlement: id, signature }, 'the settlement is signed');
    await afterStep?.('signed');
    const { state, problem } = await follow(connection, signed, {
      isSimulated: context.config.isSimulated,
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
    if (state === 'failed') {
      await database.transaction(async (tx) => {
        if (await holdPlanned(tx, id)) await decide(tx, signature, 'failed', reason);
      });
      const replanned = await creditedInstead(context, settlement, reason, signal);
      if (replanned === undefined) return fail(context, settlement, reason, signature);
      settlement = replanned;
      continue;
    }
    await database.transaction((tx) => decide(tx, signature, state, problem));
    expired += 1;
  }
  return report(context, settlement, 'waiting', [
    'its transactions expire before they land; is the cluster congested?',
  ]);
}

const CREATOR_REFUSED: readonly CreditedSides[] = [
  { sol: false, token: true },
  { sol: true, token: false },
  { sol: true, token: true },
];

/**
 * A creator can close, give away or empty its accounts at any moment. If the settlement would be paid but for the creator's
 * part, that part is credited: no creator can fail or delay it.
 *
 * @returns the settlement as it is planned now; undefined when the creator's part is not the reason
 */
async function creditedInstead(
  context: Context,
  settlement: Settlement,
  problem: string,
  signal: AbortSignal,
): Promise<Settlement | undefined> {
  const { config, database, logger } = context;
  const { id, mint, creator } = settlement;
  const treasury = settlement.treasury ?? config.treasury?.publicKey.toBase58();
  if (treasury === undefined) return undefined;
  const states = await statesOf(database.queries, subjectOf(id));
  const hasFailed = states.delete('failed');
  if (states.size > 0) return undefined;
  // What failed on chain passed a simulation: the creator may be changing its accounts in turns.
  for (const sides of hasFailed ? CREATOR_REFUSED.slice(-1) : CREATOR_REFUSED) {
    const changed = { ...withCreatorCredited(settlement, sides), treasury };
    const credits =
      changed.solCreatorCredited -
      settlement.solCreatorCredited +
      (changed.tokenCreatorCredited - settlement.tokenCreatorCredited);
    if (credits === 0n) continue;
    const signed = await sign(context, changed, subjectOf(id));
    signal.throwIfAborted();
    if ('problem' in signed) continue;
    if (!(await database.transaction((tx) => creditCreator(tx, settlement, sides, treasury))))
      return undefined;
    logger.warn(
      { mint, settlement: id, creator, problem, ...sides },
      "the creator's account refuses its part, which is credited instead",
    );
    return settlementOf(database.queries, id);
  }
  return undefined;
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
  await database.transaction((tx) => recordFinalized(tx, signature));
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
  { database: { queries } }: Context,
  { id, mint }: Settlement,
  outcome: SettlementReport['outcome'],
  problems: readonly string[] = [],
): Promise<SettlementReport> {
  const samples = (await samplesOf(queries, [id])).get(id) ?? [];
  return { mint, outcome, settlement: await settlementOf(queries, id), samples, problems };
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

async function factsOf(
  { database, connection, config }: Context,
  token: SettledToken,
  { sol, token: units }: Storages,
): Promise<Omit<PlanFacts, 'hasHolders'>> {
  if (config.dexOwner === undefined) throw new SettlementError(NO_KEY);
  const { lpAddress, minimumToken } = config.settlement;
  const opened = await wasOpened(database.queries, token.creator, token.mint);
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
    // What is due as a whole is taken as a whole, but for tokens below their own minimum.
    minimum: { sol: 1n, token: minimumToken },
    shares: token,
    recipients,
    mayOpenCreatorAccount: !opened,
    rentMinimum: BigInt(rentMinimum),
  };
}

function left(mint: string, { waiting }: Plan): SettlementReport {
  return { mint, outcome: waiting.length > 0 ? 'waiting' : 'nothing', problems: waiting };
}
