// The curves' states and totals.
import type { CurveReserves, CurveStatus } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { column, insertRows } from '../../db/arrays.js';
import { rowsOf, type Executor, type Transaction } from '../../db/database.js';
import type { CurveChange } from '../fold.js';

/** States of the curves of these mints, where known. */
export async function loadReserves(
  db: Executor,
  mints: readonly string[],
): Promise<Map<string, CurveReserves>> {
  const rows = await rowsOf<{
    mint: string;
    status: CurveStatus;
    virtual_sol: string;
    virtual_token: string;
  }>(
    db,
    sql`select mint, status, virtual_sol::text as virtual_sol, virtual_token::text as virtual_token
        from curve_states where mint = any(${column(mints, 'text')})`,
  );
  return new Map(
    rows.map(({ mint, status, virtual_sol: sol, virtual_token: token }) => [
      mint,
      { status, virtualSol: BigInt(sol), virtualToken: BigInt(token) },
    ]),
  );
}

/** Writes the curves' new states and adds to their totals. */
export function applyChanges(tx: Transaction, changes: readonly CurveChange[]): Promise<void> {
  return insertRows(
    tx,
    'curve_states',
    changes,
    {
      mint: ['text', ({ mint }) => mint],
      status: ['smallint', ({ status }) => status],
      virtual_sol: ['numeric', ({ virtualSol }) => virtualSol],
      virtual_token: ['numeric', ({ virtualToken }) => virtualToken],
      buys: ['bigint', ({ buys }) => buys],
      sells: ['bigint', ({ sells }) => sells],
      sol_paid: ['numeric', ({ solPaid }) => solPaid],
      sol_received: ['numeric', ({ solReceived }) => solReceived],
      tokens_bought: ['numeric', ({ tokensBought }) => tokensBought],
      tokens_sold: ['numeric', ({ tokensSold }) => tokensSold],
      fees: ['numeric', ({ fees }) => fees],
      last_record_id: ['bigint', ({ lastRecordId }) => lastRecordId],
      updated_at: ['bigint', ({ updatedAt }) => updatedAt],
    },
    ADD_TO_TOTALS,
  );
}

const ADD_TO_TOTALS = sql`
  on conflict (mint) do update set status = excluded.status, virtual_sol = excluded.virtual_sol,
    virtual_token = excluded.virtual_token, buys = curve_states.buys + excluded.buys,
    sells = curve_states.sells + excluded.sells, sol_paid = curve_states.sol_paid + excluded.sol_paid,
    sol_received = curve_states.sol_received + excluded.sol_received,
    tokens_bought = curve_states.tokens_bought + excluded.tokens_bought,
    tokens_sold = curve_states.tokens_sold + excluded.tokens_sold, fees = curve_states.fees + excluded.fees,
    last_record_id = excluded.last_record_id, updated_at = excluded.updated_at`;
