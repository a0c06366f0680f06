// One settlement, step by step. Every step is in the database before the next begins, so that a process that dies anywhere
// leaves what another one can finish: begun → planned → signed → sent → finalized → done.
import { ACCOUNT_SIZE } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { communityTokenStorageAddress, communityWsolStorageAddress, TransactionError } from '@curvekit/sdk';
import type { Context } from '../../context.js';
import { follow } from '../authority/follow.js';
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
  const report = async (outcome: SettlementReport['outcome'], problems: string[] = []) => ({
    mint,
    outcome,
    settlement: await settlementOf(database.queries, id),
    problems,
  });
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const signed = await signedFor(context, settlement);
    if (signed === undefined) return report('waiting', ['another process has ended this settlement']);
    if ('problem' in signed) {
      await database.transaction((tx) => failSettlement(tx, id, signed.problem));
      return report('failed', [signed.problem]);
    }
    const { signature } = signed;
    logger.info({ mint, settlement: id, signature }, 'the settlement is signed');
    await afterStep?.('signed');
    const { state, problem } = await follow(connection, signed, {
      signal,
      afterSend: () => afterStep?.('sent'),
    });
    if (state === 'finalized') {
      await afterStep?.('finalized');
      await database.transaction((tx) => completed(tx, settlement, signature));
      await afterStep?.('done');
      return report('settled');
    }
    const reason = problem ?? 'the transaction expired';
    logger.warn({ mint, settlement: id, signature, state, problem: reason }, 'the settlement did not land');
    if (state === 'failed') {
      await database.transaction(async (tx) => {
        await decide(tx, signature, state, problem);
        await failSettlement(tx, id, reason);
      });
      return report('failed', [reason]);
    }
    await decide(database.queries, signature, state, problem);
  }
  return report('waiting', ['its transactions expire before they land; is the cluster congested?']);
}

/** The transaction that may still land, or a new one: never both. Undefined when the settlement is over. */
async function signedFor(
  context: Context,
  settlement: Settlement,
): Promise<StoredTransaction | { readonly problem: string } | undefined> {
  const { database } = context;
  const subject = `settlement:${settlement.id}`;
  const earlier = await undecidedOf(database.queries, subject);
  if (earlier !== undefined) return earlier;
  const transaction = await sign(context, settlement, subject);
  if ('problem' in transaction) return transaction;
  return database.transaction(async (tx) => {
    if (!(await holdPlanned(tx, settlement.id))) return undefined;
    return (await storeSigned(tx, transaction)) ? transaction : undecidedOf(tx, subject);
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
    tokenAccountRent: await connection.getMinimumBalanceForRentExemption(ACCOUNT_SIZE),
  });
  const signers: [Keypair, ...Keypair[]] = settlement.sol > 0n ? [dexOwner, unwrapping] : [dexOwner];
  try {
    return { subject, ...(await signForAuthority(connection, deployment, instructions, signers)) };
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
  const [recipients, rentMinimum, hasPaid] = await Promise.all([
    readRecipients(connection, new PublicKey(token.mint), {
      treasury: config.treasury?.publicKey,
      lp: lpAddress,
      creator: new PublicKey(token.creator),
    }),
    connection.getMinimumBalanceForRentExemption(0),
    hasPaidCreatorTokens(database.queries, token.mint),
  ]);
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
