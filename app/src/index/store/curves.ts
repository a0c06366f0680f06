// The curves' states and totals.
import { CurveStatus, type CurveReserves } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { column, insertRows, unnestable } from '../../db/statements.js';
import { statement, type Executor, type Transaction } from '../../db/database.js';
import { COLUMNS, idOf, type Trade } from '../trades/trade.js';
import type { CurveChange } from '../fold.js';

/** States of the curves of these mints, where known. */
export async function loadReserves(
  db: Executor,
  mints: readonly string[],
): Promise<Map<string, CurveReserves>> {
  const rows = await statement<{
    mint: string;
    status: CurveStatus;
    virtual_sol: string;
    virtual_token: string;
  }>(db)`
    select mint, status, virtual_sol::text as virtual_sol, virtual_token::text as virtual_token
    from curve_states where mint = any(${column(mints, 'text')})`;
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

/**
 * Takes back trades that are deleted. A curve only has trades and, after them, one migration. So its state is that of its last
 * remaining trade, or of its creation.
 */
export async function takeBackCurves(
  tx: Transaction,
  mints: readonly string[],
  lost: readonly Trade[],
): Promise<void> {
  const { mint, is_buy, sol_amount, token_amount, fee } = COLUMNS;
  const trades = unnestable(lost, { mint, is_buy, sol_amount, token_amount, fee });
  await tx.execute(sql`
    update curve_states s set
      status = case when last.graduated then ${CurveStatus.Finalized}::smallint else ${CurveStatus.Trading}::smallint end,
      virtual_sol = coalesce(last.virtual_sol, t.initial_virtual_sol),
      virtual_token = coalesce(last.virtual_token, t.initial_virtual_token),
      last_record_id = coalesce(last.id, t.record_id), updated_at = coalesce(last.timestamp, t.created_at),
      buys = s.buys - gone.buys, sells = s.sells - gone.sells, sol_paid = s.sol_paid - gone.sol_paid,
      sol_received = s.sol_received - gone.sol_received, tokens_bought = s.tokens_bought - gone.tokens_bought,
      tokens_sold = s.tokens_sold - gone.tokens_sold, fees = s.fees - gone.fees
    from tokens t
      left join lateral (
        select * from trades where trades.mint_id = ${idOf(sql`t.mint`)} and venue = 'curve' order by trades.id desc limit 1
      ) last on true
      cross join lateral (
        select count(*) filter (where is_buy) as buys, count(*) filter (where not is_buy) as sells,
          coalesce(sum(sol_amount) filter (where is_buy), 0) as sol_paid,
          coalesce(sum(sol_amount) filter (where not is_buy), 0) as sol_received,
          coalesce(sum(token_amount) filter (where is_buy), 0) as tokens_bought,
          coalesce(sum(token_amount) filter (where not is_buy), 0) as tokens_sold, coalesce(sum(fee), 0) as fees
        from unnest(${trades}) as lost (mint, is_buy, sol_amount, token_amount, fee) where lost.mint = t.mint
      ) gone
    where s.mint = t.mint and t.mint = any(${column(mints, 'text')})
  `);
}
