// Books a payment that the tables lack, or says why it cannot be booked. Every booking is one transaction, and harmless when
// it is made twice.
import { and, eq, sql } from 'drizzle-orm';
import { rowsOf, type Database, type Transaction } from '../db/database.js';
import { authorityTransactions, claims, settlementCredits, settlements } from '../db/schema/index.js';
import { holdClaimable } from '../ledger/balances.js';
import { statesOf } from '../authority/history.js';
import { bookFunding } from '../funding/fund-referrals.js';
import {
  amountsOf,
  completed,
  subjectOf,
  tokenOf,
  type Settlement,
  type SettledToken,
} from '../settlement/repository.js';
import type { ChainTransaction } from './chain-transaction.js';
import type { ClaimPayment } from './claim-payment.js';
import { recordFinding } from './findings.js';
import { postPaidClaim, postRecovered } from './postings.js';
import { queueHoldersPart, takeFromRecovered } from './recovered.js';
import { partsOf, type Parts, type Taking } from './settlement-payment.js';

/** A payment on chain. */
export type Payment =
  | { readonly kind: 'claim'; readonly claim: ClaimPayment }
  | { readonly kind: 'settlement'; readonly mint: string | undefined; readonly taking: Taking }
  /** Lamports that the fee receiver sent to a treasury: they back referral rewards. */
  | { readonly kind: 'funding'; readonly amount: bigint };

/** What a payment is booked with. */
export interface Landed {
  readonly transaction: ChainTransaction;
  /** Its bytes in base64. */
  readonly bytes: string;
}

export interface BookingOptions {
  readonly database: Database;
  readonly treasuries: ReadonlySet<string>;
  /** Books what is refused otherwise: the operator bears what nobody was credited for. */
  readonly repair: boolean;
}

/** What became of a payment. */
export interface Booked {
  readonly state: 'booked' | 'accepted' | 'open';
  readonly detail: string;
}

/** Rolls the transaction back. */
class RefusedError extends Error {}

/** Nothing is decided about this payment until the index knows all that came before it. */
async function indexLacks(tx: Transaction, slot: number): Promise<string | undefined> {
  const [row] = await rowsOf<{ scanned: string | null }>(
    tx,
    sql`select scanned_slot::text as scanned from indexer_state`,
  );
  const scanned = row?.scanned ?? null;
  if (scanned !== null && Number(scanned) >= slot) return undefined;
  return `the index has read ${scanned === null ? 'nothing' : `up to slot ${scanned}`} and the payment is of slot ${slot}: it is judged when the index is there (INDEXER=on)`;
}

/** Books a payment. What cannot be booked is recorded as open. */
export async function book(payment: Payment, landed: Landed, options: BookingOptions): Promise<Booked> {
  const { database } = options;
  const { signature, slot } = landed.transaction;
  const { kind } = payment;
  try {
    return await database.transaction(async (tx) => {
      const booked = await bookIn(tx, payment, landed, options);
      await recordFinding(tx, { signature, slot, kind, ...booked });
      return booked;
    });
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const open: Booked = { state: 'open', detail: error.message };
    await database.transaction((tx) => recordFinding(tx, { signature, slot, kind, ...open }));
    return open;
  }
}

function bookIn(tx: Transaction, payment: Payment, landed: Landed, options: BookingOptions): Promise<Booked> {
  switch (payment.kind) {
    case 'claim':
      return bookClaim(tx, payment.claim, landed, options);
    case 'settlement':
      return bookSettlement(tx, payment, landed, options);
    case 'funding':
      return bookFees(tx, payment.amount, landed);
  }
}

async function bookFees(
  tx: Transaction,
  amount: bigint,
  { transaction: { signature, slot } }: Landed,
): Promise<Booked> {
  await bookFunding(tx, { signature, amount, slot });
  const detail = `transaction ${signature} moved ${amount} lamports of fees to the treasury: they back referral rewards`;
  return { state: 'booked', detail };
}

async function bookClaim(
  tx: Transaction,
  claim: ClaimPayment,
  { transaction: { signature, slot }, bytes }: Landed,
  { repair }: BookingOptions,
): Promise<Booked> {
  const { wallet, mint, asset, amount } = claim;
  const unit = asset === 'SOL' ? 'lamports' : 'token units';
  const paid = `claim ${signature} paid ${wallet} ${amount} ${unit} for token ${mint}`;
  const held = await holdClaimable(tx, claim);
  // From settlements first: which of the two was paid is not told by the chain, and both are the wallet's.
  const settlement = least(held.settlement, amount);
  const referral = least(held.referral, amount - settlement);
  const inserted = await tx
    .insert(claims)
    .values({
      ...claim,
      signature,
      referral,
      transaction: bytes,
      blockhashSlot: slot,
      // Not told by the chain, and of no use to a claim that has ended.
      lastValidBlockHeight: 0,
      state: 'COMPLETED',
      problem: 'booked from the chain: the database lacked it',
    })
    .onConflictDoNothing()
    .returning({ signature: claims.signature });
  if (inserted.length === 0) return { state: 'booked', detail: `${paid}; the tables know it by now` };
  const missing = amount - settlement - referral;
  const recovered = missing === 0n ? 0n : await coverMissing(tx, claim, { signature, slot, missing, paid });
  const short = missing - recovered;
  if (short > 0n && !repair) {
    throw new RefusedError(
      `${paid}, ${short} more than the tables owe it; run \`curvekit ledger reconcile --repair\`, which books the difference as your loss`,
    );
  }
  await postPaidClaim(tx, signature, claim, {
    claimable: { settlement, referral },
    rest: recovered + short,
  });
  // As when the service ends a claim: an older balance does not show what it paid.
  await tx.execute(sql`
    update treasury set settled_slot = greatest(settled_slot, ${slot}::bigint),
      referral_settled = referral_settled + case asset when 'SOL' then ${String(referral)}::numeric else 0 end
    where asset in ('SOL', ${mint})
  `);
  const loss = short > 0n ? `; ${short} ${unit} are your loss: fund the treasury with as much` : '';
  return { state: 'booked', detail: `${paid}; booked${loss}` };
}

/**
 * What a recovered settlement owes holders covers a claim that its wallet was credited for in lost tables. First everything
 * else that the wallet may be owed must be there. @returns how much is covered
 */
async function coverMissing(
  tx: Transaction,
  claim: ClaimPayment,
  { signature, slot, missing, paid }: { signature: string; slot: number; missing: bigint; paid: string },
): Promise<bigint> {
  const { wallet, mint } = claim;
  const [open] = await tx
    .select({ signature: claims.signature })
    .from(claims)
    .where(and(eq(claims.wallet, wallet), eq(claims.mint, mint), eq(claims.state, 'IN_PROGRESS')));
  const more = `${paid}, ${missing} more than it can claim now`;
  if (open !== undefined) {
    throw new RefusedError(
      `${more}; its claim ${open.signature} has to end first, which the service sees to`,
    );
  }
  const behind = await indexLacks(tx, slot);
  if (behind !== undefined) throw new RefusedError(`${more}; ${behind}`);
  return takeFromRecovered(tx, { ...claim, signature }, missing);
}

async function bookSettlement(
  tx: Transaction,
  { mint, taking }: { readonly mint: string | undefined; readonly taking: Taking },
  landed: Landed,
  { treasuries, repair }: BookingOptions,
): Promise<Booked> {
  const { signature, slot } = landed.transaction;
  const took = `transaction ${signature} took ${taking.sol} lamports and ${unitsOf(taking)} token units from the storages of ${mint ?? 'an unknown token'}`;
  const [known] = await tx
    .select({ signature: authorityTransactions.signature })
    .from(authorityTransactions)
    .where(eq(authorityTransactions.signature, signature));
  if (known !== undefined) return { state: 'booked', detail: `${took}; the tables know it by now` };
  const token = mint === undefined ? undefined : await tokenOf(tx, mint);
  if (token === undefined) {
    const behind = await indexLacks(tx, slot);
    if (behind !== undefined && !repair) throw new RefusedError(`${took}; ${behind}`);
    if (mint === undefined) return { state: 'accepted', detail: `${took}: no token of this launchpad` };
  }
  const parts =
    token && taking.isUnderstood ? partsOf(taking, token, { treasuries, creator: token.creator }) : undefined;
  if (token === undefined || parts === undefined) {
    if (repair) return { state: 'accepted', detail: `${took}; accepted: nobody is credited for it` };
    throw new RefusedError(
      `${took}, and no division of that makes what it paid; if you made it yourself, run \`curvekit ledger reconcile --repair\`: nobody is credited for it then`,
    );
  }
  const planned = await plannedFor(tx, token.mint, parts);
  if (planned !== undefined) {
    await storeFinalized(tx, planned, landed);
    await completed(tx, planned, signature);
    return { state: 'booked', detail: `${took}; it ended the settlement ${planned.id}` };
  }
  const id = await storeRecovered(tx, token, parts, landed);
  return {
    state: 'booked',
    detail: `${took}; booked as settlement ${id}, whose holders are credited by new samples`,
  };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function unitsOf({ burned, tokenTransfers }: Taking): bigint {
  return tokenTransfers.reduce((sum, { amount }) => sum + amount, burned);
}

/** The settlement that is planned with these very parts, when no transaction of it can land or has. */
async function plannedFor(tx: Transaction, mint: string, parts: Parts): Promise<Settlement | undefined> {
  const [open] = await tx
    .select()
    .from(settlements)
    .where(and(eq(settlements.mint, mint), eq(settlements.state, 'planned')))
    .for('update');
  if (open === undefined) return undefined;
  const states = await statesOf(tx, subjectOf(open.id));
  if (states.has('signed') || states.has('finalized')) return undefined;
  const { sol, token } = parts;
  const isSame =
    open.sol === sol.taken &&
    open.token === token.taken &&
    open.tokenBurned === token.parts.burn &&
    open.solLp === sol.parts.lp &&
    open.tokenLp === token.parts.lp &&
    // Whether the creator's part was credited is not told apart on chain from there being no holders.
    open.solHolders + open.solCreatorCredited === sol.parts.holders + sol.creatorCredited &&
    open.tokenHolders + open.tokenCreatorCredited === token.parts.holders + token.creatorCredited;
  return isSame ? open : undefined;
}

async function storeFinalized(
  tx: Transaction,
  { id }: Pick<Settlement, 'id'>,
  { transaction: { signature, slot }, bytes }: Landed,
): Promise<void> {
  await tx.insert(authorityTransactions).values({
    signature,
    subject: subjectOf(id),
    transaction: bytes,
    blockhashSlot: slot,
    // Not told by the chain, and of no use to a transaction that is finalized.
    lastValidBlockHeight: 0,
    state: 'finalized',
  });
}

/** Stores a settlement that is paid: what goes to the creator is credited at once, the holders' part is queued. */
async function storeRecovered(
  tx: Transaction,
  { mint, creator }: SettledToken,
  { sol, token, treasury, lp }: Parts,
  landed: Landed,
): Promise<number> {
  const { signature, slot } = landed.transaction;
  const [row] = await tx
    .insert(settlements)
    .values({
      mint,
      creator,
      treasury,
      lp,
      state: 'done',
      signature,
      problem: 'booked from the chain: the database lacked it',
      ...amountsOf({ sol, token }),
    })
    .returning({ id: settlements.id });
  if (row === undefined) throw new Error(`the settlement of ${signature} is not inserted`);
  await storeFinalized(tx, row, landed);
  for (const [asset, amount] of [
    ['SOL', sol.creatorCredited],
    ['TOKEN', token.creatorCredited],
  ] as const) {
    await postRecovered(tx, signature, 'creator', { mint, asset, credits: [{ wallet: creator, amount }] });
  }
  if (sol.creatorCredited > 0n || token.creatorCredited > 0n) {
    await tx.insert(settlementCredits).values({
      settlementId: row.id,
      wallet: creator,
      balance: 0n,
      sol: sol.creatorCredited,
      token: token.creatorCredited,
    });
  }
  const holders = { sol: sol.parts.holders, token: token.parts.holders };
  await queueHoldersPart(tx, { settlementId: row.id, mint, slot, ...holders });
  return row.id;
}
