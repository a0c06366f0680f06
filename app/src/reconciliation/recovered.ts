// Settlements found on chain. Their holders' parts are queued here until they are divided.
import { sql } from 'drizzle-orm';
import { statement, type Executor, type Transaction } from '../db/database.js';
import type { Asset } from '../ledger/accounts.js';
import { recoveredPayments, recoveredSettlements } from '../db/schema/index.js';

/** A settlement whose holders have not been credited yet. Lamports and token base units. */
export type Recovered = Omit<typeof recoveredSettlements.$inferSelect, 'sol' | 'token'> & {
  readonly signature: string;
};

export async function queueHoldersPart(
  tx: Transaction,
  part: { settlementId: number; mint: string; slot: number; sol: bigint; token: bigint },
): Promise<void> {
  if (part.sol === 0n && part.token === 0n) return;
  await tx.insert(recoveredSettlements).values({ ...part, solLeft: part.sol, tokenLeft: part.token });
}

/**
 * Settlements with an amount left, oldest first. @param mint reads only this token's settlements, and locks them until the
 * transaction ends
 */
export async function recoveredWithRest(db: Executor, mint?: string): Promise<Recovered[]> {
  const rows = await statement<Record<'id' | 'mint' | 'slot' | 'signature' | 'sol' | 'token', string>>(db)`
    select settlement_id::text as id, r.mint, slot::text as slot, s.signature, sol_left::text as sol, token_left::text as token
    from recovered_settlements r join settlements s on s.id = r.settlement_id
    where (sol_left > 0 or token_left > 0) ${mint === undefined ? sql`` : sql`and r.mint = ${mint}`}
    order by settlement_id ${mint === undefined ? sql`` : sql`for update of r`}`;
  return rows.map((row) => ({
    settlementId: Number(row.id),
    mint: row.mint,
    slot: Number(row.slot),
    signature: row.signature,
    solLeft: BigInt(row.sol),
    tokenLeft: BigInt(row.token),
  }));
}

/** Units of recovered settlements that are not credited to holders yet, by token. The treasury owes them like credits. */
export async function tokensOfRecovered(db: Executor): Promise<ReadonlyMap<string, bigint>> {
  const tokens = new Map<string, bigint>();
  for (const { mint, tokenLeft } of await recoveredWithRest(db)) {
    if (tokenLeft > 0n) tokens.set(mint, (tokens.get(mint) ?? 0n) + tokenLeft);
  }
  return tokens;
}

/** Pays an amount from the queued parts of a token, up to what is left. @returns the amount paid */
export async function takeFromRecovered(
  tx: Transaction,
  claim: { signature: string; wallet: string; mint: string; asset: Asset },
  wanted: bigint,
): Promise<bigint> {
  let missing = wanted;
  for (const { settlementId, solLeft, tokenLeft } of await recoveredWithRest(tx, claim.mint)) {
    const left = claim.asset === 'SOL' ? solLeft : tokenLeft;
    const taken = left < missing ? left : missing;
    if (taken === 0n) continue;
    const [solTaken, tokenTaken] = claim.asset === 'SOL' ? [taken, 0n] : [0n, taken];
    await tx.execute(sql`
      update recovered_settlements
      set sol_left = sol_left - ${String(solTaken)}::numeric, token_left = token_left - ${String(tokenTaken)}::numeric
      where settlement_id = ${settlementId}
    `);
    await tx.insert(recoveredPayments).values({
      settlementId,
      signature: claim.signature,
      wallet: claim.wallet,
      sol: solTaken,
      token: tokenTaken,
    });
    missing -= taken;
  }
  return wanted - missing;
}

/** Amounts that wallets were paid from a recovered settlement before it was divided. */
export async function paidOutOf(
  db: Executor,
  settlementId: number,
): Promise<Map<string, { sol: bigint; token: bigint }>> {
  const rows = await statement<Record<'wallet' | 'sol' | 'token', string>>(db)`
    select wallet, sum(sol)::text as sol, sum(token)::text as token
    from recovered_payments where settlement_id = ${settlementId} group by wallet`;
  return new Map(rows.map(({ wallet, sol, token }) => [wallet, { sol: BigInt(sol), token: BigInt(token) }]));
}
