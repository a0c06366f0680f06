// One settlement, step by step. Every step is stored before the next one begins, so that another process can finish a
// settlement after a crash: begun → sampled (for each sample) → planned → signed → sent → finalized → paid → credited (for
// each batch of wallets) → done.
import { PublicKey } from '@solana/web3.js';
import type { Context } from '../../context.js';
import { askNode, rentMinimum } from '../../chain/connection.js';
import { follow } from '../../sending/follow.js';
import { decide } from '../../sending/repository.js';
import { IN_DATABASE, inSpan, inTrace, withoutSpans } from '../../base/tracing/spans.js';
import { bookCredits, markPaid } from './credits/booking.js';
import { creditCreatorInstead } from './credits/credit-creator.js';
import { NO_KEY, SettlementError } from './errors.js';
import { holdPlanned } from './payment/hold-planned.js';
import { newSeed, SAMPLES } from './periods/moments.js';
import { wasOpened } from './payment/opened-accounts.js';
import { isEmpty, planSettlement, type PlanFacts } from './payment/plan.js';
import { readRecipients } from './payment/recipients.js';
import { report, reportLater, reportNothing, takenOver, type SettlementReport } from './report.js';
import {
  abandonSettlement,
  beginSettlement,
  planned,
  settlementOf,
  type Settlement,
  failSettlement,
} from './repository.js';
import { excludedWallets } from './periods/sample.js';
import { sumSamples } from './periods/samples-repository.js';
import { signedFor } from './payment/sign.js';
import { readStorages, type Storages } from './periods/storages.js';
import type { SettledToken } from './periods/tokens-repository.js';
import { settling } from './periods/waiting.js';
import { recordFinalized } from '../../sending/history.js';

/** Steps of a settlement, in order. `sampled` and `credited` may come several times, or not at all. */
export type SettlementStep =
  'begun' | 'sampled' | 'planned' | 'signed' | 'sent' | 'finalized' | 'paid' | 'credited' | 'done';

export interface SettleOptions {
  /** Stops after the current step. The next run finishes the settlement. */
  readonly signal: AbortSignal;
  /** Length of new periods. The default is the configured one. */
  readonly periodMs?: number | undefined;
  /** Called after each step. */
  readonly afterStep?: ((step: SettlementStep) => Promise<void> | void) | undefined;
}

/** How many transactions may expire before the settlement waits for the next run. */
const ATTEMPTS = 3;

/**
 * Begins the sampling period of a token whose storages have enough.
 *
 * @param value of the storages in lamports
 * @returns why no settlement begins; undefined when one is open
 */
export async function begin(
  context: Context,
  token: SettledToken,
  storages: Storages,
  value: bigint,
  { periodMs, afterStep }: SettleOptions & { readonly periodMs: number },
): Promise<SettlementReport | undefined> {
  const plan = planSettlement({ ...(await factsOf(context, token, storages)), hasHolders: true });
  if (isEmpty(plan)) return reportNothing(token.mint, plan);
  const samples = token.holdersBps > 0 ? SAMPLES : 0;
  const begun = await context.database.transaction(async (tx) => {
    await settling.done(tx, token.mint);
    return beginSettlement(tx, {
      mint: token.mint,
      creator: token.creator,
      seed: samples > 0 ? newSeed() : null,
      startedAt: new Date(context.now()),
      startedSlot: storages.slot,
      periodMs: samples > 0 ? periodMs : 0,
      samples,
      value,
    });
  });
  if (begun !== undefined) await afterStep?.('begun');
  return undefined;
}

/**
 * Finishes a settlement whose samples are all taken: plans it, pays it, credits the wallets.
 *
 * @throws errors of the RPC node or the database; the next run finishes the settlement
 */
export async function finish(
  context: Context,
  settlement: Settlement,
  token: SettledToken,
  options: SettleOptions,
): Promise<SettlementReport> {
  if (settlement.state === 'paid') return book(context, settlement, options);
  if (settlement.state === 'planned') return pay(context, settlement, options);
  const made = await plan(context, settlement, token);
  if ('outcome' in made) return made;
  options.signal.throwIfAborted();
  await options.afterStep?.('planned');
  return pay(context, made, options);
}

/** Divides the current balances of the storages, and stores the parts. */
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
    return reportNothing(mint, made);
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

function pay(context: Context, toPay: Settlement, options: SettleOptions): Promise<SettlementReport> {
  const attributes = { 'curvekit.mint': toPay.mint, 'curvekit.settlement': String(toPay.id) };
  return inSpan('settle', attributes, () => payPlanned(context, toPay, options));
}

async function payPlanned(
  context: Context,
  toPay: Settlement,
  options: SettleOptions,
): Promise<SettlementReport> {
  const { signal, afterStep } = options;
  const { database, logger } = context;
  const { id, mint } = toPay;
  let settlement = toPay;
  for (let expired = 0; expired < ATTEMPTS;) {
    const signed = await signedFor(context, settlement, signal);
    if (signed === undefined) return takenOver(context, settlement);
    if ('problem' in signed) {
      const replanned = await creditCreatorInstead(context, settlement, signed.problem, signal);
      if (replanned === undefined) return fail(context, settlement, signed.problem);
      settlement = replanned;
      continue;
    }
    const { signature } = signed;
    logger.info({ mint, settlement: id, signature }, 'the settlement is signed');
    await afterStep?.('signed');
    const { state, problem } = await follow(context, signed, {
      signal,
      afterSend: () => afterStep?.('sent'),
    });
    if (state === 'finalized') {
      await afterStep?.('finalized');
      const isPaid = await database.transaction((tx) => markPaid(tx, id, signature));
      if (!isPaid) return reportNotBooked(context, settlement, signature);
      await afterStep?.('paid');
      return book(context, settlement, options);
    }
    const reason = problem ?? 'the transaction expired';
    logger.warn(
      { mint, settlement: id, signature, state, problem: reason },
      'the transaction of a settlement did not land; `problem` says why, and `curvekit tasks` what follows',
    );
    if (state === 'failed') {
      await database.transaction(async (tx) => {
        // Locks the settlement first, as everywhere. The outcome on chain is stored, even if the plan has changed.
        await holdPlanned(tx, id);
        await decide(tx, signature, 'failed', reason);
      });
      const replanned = await creditCreatorInstead(context, settlement, reason, signal);
      if (replanned === undefined) return fail(context, settlement, reason, signature);
      settlement = replanned;
      continue;
    }
    await database.transaction((tx) => decide(tx, signature, state, problem));
    expired += 1;
  }
  const problem = 'its transactions expire before they land; is the cluster congested?';
  return reportLater(context, settlement, problem);
}

async function book(
  context: Context,
  settlement: Settlement,
  { signal, afterStep }: SettleOptions,
): Promise<SettlementReport> {
  const afterBatch = () => afterStep?.('credited');
  // One span: there can be thousands of batches.
  await inTrace('book credits', IN_DATABASE, () =>
    withoutSpans(() => bookCredits(context.database, settlement, { signal, afterBatch })),
  );
  await afterStep?.('done');
  return report(context, settlement, 'settled');
}

async function factsOf(
  { database, connection, config }: Context,
  token: SettledToken,
  { sol, token: units }: Storages,
): Promise<Omit<PlanFacts, 'hasHolders'>> {
  if (config.dexOwner === undefined) throw new SettlementError(NO_KEY);
  const { lpAddress, minimumToken } = config.settlement;
  const opened = await wasOpened(database.queries, token.creator, token.mint);
  const [recipients, walletMinimum] = await askNode(
    Promise.all([
      readRecipients(connection, new PublicKey(token.mint), {
        treasury: config.treasury?.publicKey,
        lp: lpAddress,
        creator: new PublicKey(token.creator),
      }),
      rentMinimum(connection, 0),
    ]),
  );
  return {
    holds: { sol, token: units },
    // A due settlement takes everything, except token units below their own minimum.
    minimum: { sol: 1n, token: minimumToken },
    shares: token,
    recipients,
    mayOpenCreatorAccount: !opened,
    rentMinimum: BigInt(walletMinimum),
  };
}

// Handles settlements whose transaction failed, and settlements that cannot be booked.

/** Fails a settlement. @param signature of the transaction that failed on chain; omitted when the simulation failed */
async function fail(
  context: Context,
  settlement: Settlement,
  problem: string,
  signature?: string,
): Promise<SettlementReport> {
  const { database, logger } = context;
  const { id, mint } = settlement;
  const failing = await database.transaction(async (tx) => {
    // Locks the settlement first, as everywhere. Another order could deadlock.
    await holdPlanned(tx, id);
    if (signature !== undefined) await decide(tx, signature, 'failed', problem);
    return failSettlement(tx, settlement, problem);
  });
  if (failing === 'failed') return report(context, settlement, 'failed', [problem]);
  if (failing === 'taken over') return takenOver(context, settlement);
  logger.error(
    { mint, settlement: id, problem },
    'the settlement cannot be paid as planned; it stays planned, because an earlier transaction of it may have paid: `curvekit doctor` says what to do',
  );
  return report(context, settlement, 'waiting', [
    `${problem}; it stays as planned, since an earlier transaction of it may have paid: \`curvekit doctor\` says what to do`,
  ]);
}

/** Reports a finalized transaction whose settlement is no longer planned. */
async function reportNotBooked(
  context: Context,
  settlement: Settlement,
  signature: string,
): Promise<SettlementReport> {
  const { database, logger } = context;
  const { id, mint } = settlement;
  const stored = await settlementOf(database.queries, id);
  if (stored?.signature === signature) return takenOver(context, settlement);
  await database.transaction((tx) => recordFinalized(tx, signature));
  logger.fatal(
    { mint, settlement: id, signature, state: stored?.state },
    'a payment of a settlement that is no longer planned landed; its holders are not credited: run `curvekit ledger reconcile`',
  );
  return report(context, settlement, 'failed', [
    `the transaction ${signature} has paid it, but it is ${stored?.state} in the database, and nobody was credited for that`,
  ]);
}
