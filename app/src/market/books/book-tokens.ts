// Adds created tokens to the market tables, and updates tokens that have left their curve.
import { CurveStatus } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { insertRows, unnestable } from '../../db/arrays.js';
import type { Transaction } from '../../db/database.js';
import { termsOf } from './terms.js';
import { capOf } from './trade.js';

export interface CreatedToken {
  readonly id: bigint;
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
}

/** A token that has left its curve. */
export interface MovedToken {
  readonly id: bigint;
  readonly mint: string;
  /** Initial reserves of the pool; undefined for a migration, whose record does not name a pool. */
  readonly pool?: { readonly virtualSol: bigint; readonly virtualToken: bigint };
}

export async function bookCreations(tx: Transaction, tokens: readonly CreatedToken[]): Promise<void> {
  await insertRows(tx, 'market_tokens', tokens, {
    mint: ['text', ({ mint }) => mint],
    status: ['smallint', () => CurveStatus.Trading],
    initial_virtual_token: ['numeric', ({ virtualToken }) => virtualToken],
    virtual_sol: ['numeric', ({ virtualSol }) => virtualSol],
    virtual_token: ['numeric', ({ virtualToken }) => virtualToken],
    market_cap: ['numeric', capOf],
    progress_bps: ['integer', () => 0],
    day_volume: ['numeric', () => 0n],
    day_open: ['numeric', capOf],
    trades: ['bigint', () => 0],
    last_trade_at: ['bigint', () => 0],
    created_id: ['bigint', ({ id }) => id],
    last_id: ['bigint', ({ id }) => id],
  });
  const terms = tokens.flatMap(({ mint, name, symbol }) =>
    termsOf(name, symbol).map((term) => ({ mint, term })),
  );
  await insertRows(tx, 'token_terms', terms, {
    term: ['text', ({ term }) => term],
    mint: ['text', ({ mint }) => mint],
  });
}

export async function bookMoves(tx: Transaction, moves: readonly MovedToken[]): Promise<void> {
  const last = new Map<string, MovedToken>();
  for (const move of moves) last.set(move.mint, { ...last.get(move.mint), ...move });
  if (last.size === 0) return;
  const fresh = unnestable([...last.values()], {
    mint: ['text', ({ mint }) => mint],
    last_id: ['bigint', ({ id }) => id],
    virtual_sol: ['numeric', ({ pool }) => pool?.virtualSol ?? null],
    virtual_token: ['numeric', ({ pool }) => pool?.virtualToken ?? null],
    market_cap: ['numeric', ({ pool }) => (pool === undefined ? null : capOf(pool))],
  });
  await tx.execute(sql`
    update market_tokens m set status = ${CurveStatus.Migrated}::smallint, last_id = f.last_id,
      virtual_sol = coalesce(f.virtual_sol, m.virtual_sol), virtual_token = coalesce(f.virtual_token, m.virtual_token),
      market_cap = coalesce(f.market_cap, m.market_cap), progress_bps = 10000
    from unnest(${fresh}) as f (mint, last_id, virtual_sol, virtual_token, market_cap) where m.mint = f.mint
  `);
}
