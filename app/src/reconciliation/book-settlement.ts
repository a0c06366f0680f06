// Books a settlement that was paid on chain and that the tables lack.
import { and, eq } from 'drizzle-orm';
import type { Transaction } from '../db/database.js';
import { authorityTransactions, settlements } from '../db/schema/index.js';
import { statesOf } from '../sending/history.js';
import { bookCreditsAtOnce, markPaid } from '../graduation/settlement/credits/booking.js';
import { addCredit } from '../graduation/settlement/credits/repository.js';
import type { Division } from '../graduation/settlement/payment/memo.js';
import { noteOpening } from '../graduation/settlement/payment/opened-accounts.js';
import { amountsOf, subjectOf, type Settlement } from '../graduation/settlement/repository.js';
import { tokenOf, type SettledToken } from '../graduation/settlement/periods/tokens-repository.js';
import { indexLacks, RefusedError, type Booked, type BookingOptions, type Landed } from './booked.js';
import { postRecovered } from './postings.js';
import { queueHoldersPart } from './recovered.js';
import { opensAccountOf, partsOf, type Parts, type Taking } from './settlement-payment.js';

export async function bookSettlement(
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
  if (known !== undefined) return { state: 'booked', detail: `${took}; the tables have it by now` };
  const token = mint === undefined ? undefined : await tokenOf(tx, mint);
  if (token === undefined) {
    const behind = await indexLacks(tx, slot);
    // Not even to repair: the index can bring the token, and then its holders are credited.
    if (behind !== undefined) throw new RefusedError(`${took}; ${behind}`);
    if (mint === undefined) return { state: 'accepted', detail: `${took}: not a token of this launchpad` };
  }
  const parts = token && partsOf(taking, token, { treasuries, creator: token.creator });
  if (token === undefined || parts === undefined) {
    if (repair) return { state: 'accepted', detail: `${took}; accepted: nobody is credited for it` };
    throw new RefusedError(
      `${took}, and its payments and its memo match no settlement of these amounts. If a newer version of the service made it, start that version. If you made it by hand, run \`curvekit ledger reconcile --repair\`: it accepts the transaction and credits nobody`,
    );
  }
  const planned = await plannedFor(tx, token.mint, parts, taking.name);
  if (planned !== undefined) {
    await storeFinalized(tx, planned, landed);
    await markPaid(tx, planned.id, signature);
    await bookCreditsAtOnce(tx, planned);
    return { state: 'booked', detail: `${took}; it ended the settlement ${planned.id}` };
  }
  const id = await storeRecovered(tx, token, parts, landed);
  if (opensAccountOf(landed.transaction, token.creator, token.mint)) {
    await noteOpening(tx, token.creator, token.mint, subjectOf(id));
  }
  const named = taking.name === undefined ? '' : ` (${taking.name.id} in its memo)`;
  return {
    state: 'booked',
    detail: `${took}; booked as settlement ${id}${named}, whose holders are credited by new samples`,
  };
}

function unitsOf({ burned, tokenTransfers }: Taking): bigint {
  return tokenTransfers.reduce((sum, { amount }) => sum + amount, burned);
}

/** The settlement that was planned with exactly these parts, unless one of its transactions landed or may still land. */
async function plannedFor(
  tx: Transaction,
  mint: string,
  parts: Parts,
  name: Division | undefined,
): Promise<Settlement | undefined> {
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
    // Only a memo distinguishes a credited creator's part from a holders' part.
    (name === undefined ||
      (open.solHolders === name.solHolders && open.tokenHolders === name.tokenHolders)) &&
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
    // Not known from the chain, and not needed for a finalized transaction.
    lastValidBlockHeight: 0,
    state: 'finalized',
  });
}

/** Stores a paid settlement. Credits the creator's part at once and queues the holders' part. */
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
  await addCredit(tx, row.id, creator, { sol: sol.creatorCredited, token: token.creatorCredited });
  const holders = { sol: sol.parts.holders, token: token.parts.holders };
  await queueHoldersPart(tx, { settlementId: row.id, mint, slot, ...holders });
  return row.id;
}
