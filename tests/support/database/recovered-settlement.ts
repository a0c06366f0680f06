// A settlement that was read from the chain after a restore, and whose holders are not all credited yet.
import { sql } from 'drizzle-orm';
import type { Queries } from '#app/db/database.js';

/** Lamports and base units of the token. */
interface Amounts {
  readonly sol: bigint;
  readonly token: bigint;
}

const ID = 1_000;

/**
 * @param paid what the settlement paid to all holders
 * @param left the part that is still to be credited
 * @returns its id
 */
export async function insertRecoveredSettlement(
  queries: Queries,
  mint: string,
  paid: Amounts,
  left: Amounts,
): Promise<number> {
  await queries.execute(sql`
    insert into settlements (id, mint, creator, state, signature, sol, sol_holders, token, token_holders)
    values (${ID}, ${mint}, 'creator', 'done', 'signature', ${paid.sol}, ${paid.sol}, ${paid.token}, ${paid.token})
  `);
  await queries.execute(sql`
    insert into recovered_settlements (settlement_id, mint, slot, sol, token, sol_left, token_left)
    values (${ID}, ${mint}, 1, ${paid.sol}, ${paid.token}, ${left.sol}, ${left.token})
  `);
  return ID;
}
