// Checks that the RPC node can list every payment that is not booked yet.
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor } from '../db/database.js';
import { readGate, type Watch } from '../gate/payments-gate.js';
import { NodeError } from '../rpc/node-errors.js';
import type { NodeLedger } from '../rpc/node-ledger.js';
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
  const isFirstLook = watches.some(({ slot }) => slot === undefined);
  const begin = isFirstLook ? await firstSlotOfProgram(db) : undefined;
  if (begin === undefined) return;
  const firstBlock = await ledger.firstBlock(signal);
  if (firstBlock <= begin) return;
  throw new NodeError(
    `the node's history begins with slot ${firstBlock}, the program's with slot ${begin}: ${ADVICE}`,
  );
}

async function firstSlotOfProgram(db: Executor): Promise<number | undefined> {
  const [row] = await rowsOf<{ first: string | null }>(
    db,
    sql`select first_slot::text as first from indexer_state`,
  );
  const first = row?.first ?? null;
  return first === null ? undefined : Number(first);
}
