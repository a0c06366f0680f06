// Divides the holders' parts of recovered settlements by new holder snapshots, and credits the holders.
import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.js';
import { insertRows } from '../db/statements.js';
import type { Transaction } from '../db/database.js';
import { settlements } from '../db/schema/index.js';
import { holderWeights } from '../graduation/settlement/periods/holder-weights.js';
import { tokenOf } from '../graduation/settlement/periods/tokens-repository.js';
import { divideByLargestRemainder } from '../graduation/settlement/payment/split.js';
import { postRecovered } from './postings.js';
import { paidOutOf, recoveredWithRest, type Recovered } from './recovered.js';

interface Share {
  readonly wallet: string;
  readonly weight: bigint;
  readonly sol: bigint;
  readonly token: bigint;
}

const CREDIT_BATCH = 5_000;
/** Default when no settlement interval is configured. */
const DEFAULT_PERIOD_MS = 60_000;

/** Credits everything in the queue. @returns the settlements whose holders have been credited */
export async function divideRecovered(context: Context, signal: AbortSignal): Promise<number[]> {
  const { database, config } = context;
  const { intervalSeconds } = config.settlement;
  const periodMs = intervalSeconds === 0 ? DEFAULT_PERIOD_MS : intervalSeconds * 1_000;
  const divided: number[] = [];
  for (const { settlementId, mint, slot } of await recoveredWithRest(database.queries)) {
    const token = await tokenOf(database.queries, mint);
    if (token === undefined) continue;
    const snapshot = await holderWeights(context, token, { minContextSlot: slot, periodMs, signal });
    signal.throwIfAborted();
    const isDone = await database.transaction(async (tx) => {
      const recovered = (await recoveredWithRest(tx, mint)).find((one) => one.settlementId === settlementId);
      if (recovered === undefined) return false;
      // As in a settlement: without holders, the creator receives their part.
      const weights = snapshot.weights.size > 0 ? snapshot.weights : new Map([[token.creator, 1n]]);
      await creditShares(tx, recovered, sharesOf(recovered, weights, await paidOutOf(tx, settlementId)));
      await tx
        .update(settlements)
        .set({
          snapshotSlot: snapshot.slot,
          holders: snapshot.weights.size,
          held: [...snapshot.weights.values()].reduce((sum, weight) => sum + weight, 0n),
          updatedAt: sql`now()`,
        })
        .where(eq(settlements.id, settlementId));
      return true;
    });
    if (isDone) divided.push(settlementId);
  }
  return divided;
}

/**
 * Each wallet's share of the whole part by weight, minus the amount already paid to it. If a wallet was paid more than its
 * share, the others bear the difference in proportion. Exact by largest remainder; ties go to the smaller address.
 */
function sharesOf(
  { solLeft, tokenLeft }: Recovered,
  weights: ReadonlyMap<string, bigint>,
  paid: ReadonlyMap<string, { readonly sol: bigint; readonly token: bigint }>,
): Share[] {
  const wallets = [...weights.keys()].sort();
  const held = [...weights.values()].reduce((sum, weight) => sum + weight, 0n);
  const divide = (left: bigint, paidTo: (wallet: string) => bigint, paidInAll: bigint): bigint[] => {
    const entitled = wallets.map((wallet) => {
      const rest = (left + paidInAll) * weights.get(wallet)! - paidTo(wallet) * held;
      return rest > 0n ? rest : 0n;
    });
    const isAnyEntitled = entitled.some((rest) => rest > 0n);
    return divideByLargestRemainder(
      left,
      isAnyEntitled ? entitled : wallets.map((wallet) => weights.get(wallet)!),
    );
  };
  const sumOf = (asset: 'sol' | 'token') => [...paid.values()].reduce((sum, each) => sum + each[asset], 0n);
  const sol = divide(solLeft, (wallet) => paid.get(wallet)?.sol ?? 0n, sumOf('sol'));
  const token = divide(tokenLeft, (wallet) => paid.get(wallet)?.token ?? 0n, sumOf('token'));
  return wallets
    .map((wallet, index) => ({
      wallet,
      weight: weights.get(wallet)!,
      sol: sol[index] ?? 0n,
      token: token[index] ?? 0n,
    }))
    .filter((share) => share.sol > 0n || share.token > 0n);
}

async function creditShares(
  tx: Transaction,
  { settlementId, signature, mint }: Recovered,
  shares: readonly Share[],
): Promise<void> {
  for (let start = 0; start < shares.length; start += CREDIT_BATCH) {
    const batch = shares.slice(start, start + CREDIT_BATCH);
    for (const asset of ['SOL', 'TOKEN'] as const) {
      const credits = batch.map(({ wallet, sol, token }) => ({
        wallet,
        amount: asset === 'SOL' ? sol : token,
      }));
      const isNew = await postRecovered(tx, signature, `holders:${start}`, { mint, asset, credits });
      if (!isNew) throw new Error(`the holders of settlement ${settlementId} are credited already`);
    }
    await insertRows(
      tx,
      'settlement_credits',
      batch,
      {
        settlement_id: ['bigint', () => settlementId],
        wallet: ['text', ({ wallet }) => wallet],
        balance: ['numeric', ({ weight }) => weight],
        sol: ['numeric', ({ sol }) => sol],
        token: ['numeric', ({ token }) => token],
      },
      sql`on conflict (settlement_id, wallet) do update set balance = excluded.balance,
        sol = settlement_credits.sol + excluded.sol, token = settlement_credits.token + excluded.token`,
    );
  }
  await tx.execute(
    sql`update recovered_settlements set sol_left = 0, token_left = 0 where settlement_id = ${settlementId}`,
  );
}
