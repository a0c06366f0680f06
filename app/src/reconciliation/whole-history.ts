// Checks that the RPC node can list every payment that is not booked yet.
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor } from '../db/database.js';
import { readGate, type Watch } from '../ledger/gate/payments-gate.js';
import { NodeError } from '../chain/node-errors.js';
import type { NodeLedger } from '../chain/node-ledger.js';
import type { Tip } from './payments-node.js';

const ADVICE = 'payments there cannot be seen; set RPC_URL to a node with the whole history';

/** @throws NodeError when the RPC node may lack transactions that are not booked yet */
export async function requireWholeHistory(
  db: Executor,
  ledger: NodeLedger,
  {
    watches,
    tip,
    signal,
  }: { readonly watches: readonly Watch[]; readonly tip: Tip; readonly signal: AbortSignal },
): Promise<void> {
  const { reconciledSlot } = await readGate(db);
  if (reconciledSlot !== undefined) {
    const gap = await ledger.gapBetween(reconciledSlot, tip.slot, signal);
    if (gap !== undefined) throw new NodeError(`${gap}: ${ADVICE}`);
  }
  if (watches.every(({ slot }) => slot !== undefined)) return;
  const begin = await beginOfProgram(db);
  const firstBlock = await ledger.firstBlock(signal);
  if (firstBlock <= (begin ?? 0)) return;
  const known =
    begin === undefined
      ? 'and the index has not found the first transaction of the program yet (INDEXER=on)'
      : `the program's with slot ${begin}`;
  throw new NodeError(`the node's history begins with slot ${firstBlock}, ${known}: ${ADVICE}`);
}

/** Slot of the program's first transaction: infinite when it has none, undefined while the index does not know. */
async function beginOfProgram(db: Executor): Promise<number | undefined> {
  const [row] = await rowsOf<{ first: string | null; scanned: boolean }>(
    db,
    sql`select first_slot::text as first, scanned_slot is not null as scanned from indexer_state`,
  );
  const first = row?.first ?? null;
  if (first !== null) return Number(first);
  return row?.scanned === true ? Infinity : undefined;
}
