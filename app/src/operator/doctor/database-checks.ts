// Checks of the database.
import { sql } from 'drizzle-orm';
import type { Connection } from '@solana/web3.js';
import { troubledSettlements } from '../../graduation/settlement/trouble.js';
import { rowsOf, type Database } from '../../db/database.js';
import { paymentsHeldText } from '../../ledger/gate/functions.js';
import { checkLedger } from '../../ledger/check.js';
import { isLeftBehind } from '../../reconciliation/split-brain/marks.js';
import { recoveredWithRest } from '../../reconciliation/recovered.js';
import { DatabaseError } from '../../db/errors.js';
import { pendingMigrations } from '../../db/migration-state.js';
import { grouped } from '../format.js';
import { failure, ok, warning, type Finding } from './finding.js';

/** The tables are up to date. The other database checks need them. */
export async function checkTables({ queries }: Database): Promise<Finding> {
  try {
    const pending = await pendingMigrations(queries);
    return pending.length === 0
      ? ok('tables', 'up to date')
      : failure('tables', `migrations to apply: ${pending.length}`, 'run `curvekit migrate-db`', 'TablesOld');
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const [problem, fix] = error.message.split('; ');
    return failure('tables', problem!, fix!, 'TablesOld');
  }
}

/** Payments are open. A service that runs opens the gate; what it says is held needs the operator. */
export async function checkPayments({ queries }: Database): Promise<Finding> {
  const subject = 'payments';
  if (await isLeftBehind(queries))
    return failure(
      subject,
      'another database pays since this one was left behind or restored',
      'set DATABASE_URL to the database that pays; only if this one shall pay, run `curvekit ledger reconcile --take-over`',
      'PaymentsHeld',
    );
  const [row] = await rowsOf<{ closed: string | null; is_held: boolean }>(
    queries,
    sql`select ${paymentsHeldText({})} as closed, exists (select 1 from payments_gate where held is not null) as is_held`,
  );
  const closed = row?.closed ?? undefined;
  if (closed === undefined) return ok(subject, 'open');
  return row!.is_held
    ? failure(subject, `paused: ${closed}`, 'see "PaymentsHeld" in docs/recover.md', 'PaymentsHeld')
    : warning(subject, closed, 'start the service: it reconciles, and opens them', 'PaymentsHeld');
}

/** The balances add up. */
export async function checkBalances({ queries }: Database): Promise<Finding> {
  const problems = await checkLedger(queries, { whole: false });
  const [first] = problems;
  return first === undefined
    ? ok('ledger', 'the balances add up')
    : failure(
        'ledger',
        `${problems.length} findings, the first: ${first.detail}`,
        'stop claims (restart without TREASURY_KEYPAIR), then `curvekit ledger check` says more',
        'LedgerWrong',
      );
}

/** No settlement waits for the operator. */
export async function checkSettlements({ queries }: Database): Promise<Finding> {
  const subject = 'settlements';
  const troubled = await troubledSettlements(queries);
  const [first] = troubled;
  if (first === undefined) return ok(subject, 'none is in trouble');
  const { id, mint, trouble, problem, signatures } = first;
  const transactions = signatures.join(', ');
  return trouble === 'unbooked'
    ? failure(
        subject,
        `${troubled.length} in trouble; ${id} of ${mint} was paid by ${transactions}, and nobody was credited`,
        'see "SettlementsTroubled" in docs/recover.md',
        'SettlementsTroubled',
      )
    : failure(
        subject,
        `${troubled.length} in trouble; ${id} of ${mint} may have been paid by ${transactions}: ${problem ?? ''}`,
        'look these up in a block explorer, then see "SettlementsTroubled" in docs/recover.md',
        'SettlementsTroubled',
      );
}

/** No recovered settlement still waits to be credited to wallets. */
export async function checkRecovered({ queries }: Database): Promise<Finding> {
  const subject = 'recovered settlements';
  const waiting = await recoveredWithRest(queries);
  const [first] = waiting;
  return first === undefined
    ? ok(subject, 'none waits to be credited')
    : warning(
        subject,
        `the holders of ${grouped(waiting.length)} are not credited yet; the oldest is ${first.settlementId} of ${first.mint}`,
        'a running service samples their holders and credits them within SETTLEMENT_INTERVAL_SECONDS; its log says what hinders it',
        'RecoveredWaiting',
      );
}

/** At least one partner key is active. */
export async function checkPartners({ queries }: Database): Promise<Finding> {
  const [row] = await rowsOf<{ keys: string }>(
    queries,
    sql`select count(*)::text as keys from api_keys where revoked_at is null and (expires_at is null or expires_at > now())`,
  );
  const keys = Number(row?.keys ?? 0);
  return keys > 0
    ? ok('partners', `${grouped(keys)} keys are active`)
    : warning(
        'partners',
        'no API key is active',
        'issue one with `curvekit key issue` if there are partners',
        'PartnersWithoutKey',
      );
}

/** The index belongs to the configured program and is not behind. */
export async function checkIndex(
  { queries }: Database,
  connection: Connection,
  expected: { readonly programId: string; readonly lagLimitSlots: number },
): Promise<Finding> {
  const subject = 'indexer';
  const [row] = await rowsOf<{ program_id: string; scanned: string | null }>(
    queries,
    sql`select program_id, scanned_slot::text as scanned from indexer_state`,
  );
  if (row === undefined || row.scanned === null) {
    return warning(subject, 'nothing is indexed yet', 'start the service with INDEXER=on', 'NothingIndexed');
  }
  if (row.program_id !== expected.programId) {
    return failure(
      subject,
      `the database indexes the program ${row.program_id}, not ${expected.programId}`,
      'set PROGRAM_ID to that one, or use another database',
      'IndexOfAnother',
    );
  }
  const tip = await connection.getSlot('finalized');
  const lag = tip - Number(row.scanned);
  if (lag < 0) {
    return failure(
      subject,
      `the index is ${grouped(-lag)} slots ahead of the cluster: it belongs to another cluster, or the node is behind`,
      'set RPC_URL to the cluster that was indexed, or use another database',
      'IndexOfAnother',
    );
  }
  if (lag <= expected.lagLimitSlots) return ok(subject, `${grouped(lag)} slots behind the finalized tip`);
  return warning(
    subject,
    `${grouped(lag)} slots behind the finalized tip; the limit is ${grouped(expected.lagLimitSlots)}`,
    'start an instance with INDEXER=on; if one runs, read its log for what the node refuses',
    'IndexerBehind',
  );
}
