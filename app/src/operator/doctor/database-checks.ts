// Checks of the database.
import { sql } from 'drizzle-orm';
import { PublicKey } from '@solana/web3.js';
import type { CommandCluster } from '../session.js';
import { troubledSettlements } from '../../graduation/settlement/repository.js';
import { rowsOf, statement, type Database } from '../../db/database.js';
import { paymentsHeldText } from '../../ledger/gate/functions.js';
import { checkLedger } from '../../ledger/check.js';
import { isLeftBehind } from '../../reconciliation/split-brain/marks.js';
import { recoveredWithRest } from '../../reconciliation/recovered.js';
import { DatabaseError } from '../../db/errors.js';
import { pendingMigrations } from '../../db/migrate.js';
import { grouped } from '../format.js';
import { failure, ok, warning, type Finding, reasonOf } from './finding.js';
import { partitionMake } from '../../index/trades/functions.js';
import { missingPartitions } from '../../index/trades/partitions.js';
import { forgetsStatements } from '../../db/connection.js';

/** The newest token; undefined when none is indexed. */
export async function newestMint({ queries }: Pick<Database, 'queries'>): Promise<PublicKey | undefined> {
  const newest = sql`select mint from tokens order by record_id desc limit 1`;
  const [token] = await rowsOf<{ mint: string }>(queries, newest);
  return token && new PublicKey(token.mint);
}

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
  const [row] = await statement<{ closed: string | null; is_held: boolean }>(queries)`
    select ${paymentsHeldText({})} as closed, exists (select 1 from payments_gate where held is not null) as is_held`;
  const closed = row?.closed ?? undefined;
  if (closed === undefined) return ok(subject, 'open');
  return row!.is_held
    ? failure(subject, `paused: ${closed}`, 'see "PaymentsHeld" in docs/recover.md', 'PaymentsHeld')
    : warning(subject, closed, 'start the service: it reconciles, and opens them', 'PaymentsHeld');
}

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

export async function checkPartners({ queries }: Database): Promise<Finding> {
  const [row] = await statement<{ keys: string }>(queries)`
    select count(*)::text as keys from api_keys where revoked_at is null and (expires_at is null or expires_at > now())`;
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
  { config, connection, deployment }: CommandCluster,
  { queries }: Database,
): Promise<Finding> {
  const subject = 'indexer';
  const { lagLimitSlots } = config.indexer;
  const programId = deployment.programId.toBase58();
  const [row] = await statement<{ program_id: string; scanned: string | null }>(queries)`
    select program_id, scanned_slot::text as scanned from indexer_state`;
  if (row === undefined || row.scanned === null) {
    return warning(subject, 'nothing is indexed yet', 'start the service with INDEXER=on', 'NothingIndexed');
  }
  if (row.program_id !== programId) {
    return failure(
      subject,
      `the database indexes the program ${row.program_id}, not ${programId}`,
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
  if (lag <= lagLimitSlots) return ok(subject, `${grouped(lag)} slots behind the finalized tip`);
  return warning(
    subject,
    `${grouped(lag)} slots behind the finalized tip; the limit is ${grouped(lagLimitSlots)}`,
    'start an instance with INDEXER=on; if one runs, read its log for what the node refuses',
    'IndexerBehind',
  );
}

/** Every trade has its partition. */
export async function checkPartitions({ queries }: Pick<Database, 'queries'>): Promise<Finding> {
  const subject = 'trades';
  const missing = await missingPartitions(queries);
  const [first] = missing;
  if (first === undefined) return ok(subject, 'every partition is attached');
  const { name, isDetached, firstId, endId } = first;
  const attach = `alter table trade_rows attach partition ${name} for values from (${firstId}) to (${endId});`;
  return failure(
    subject,
    `missing partitions: ${missing.length}; the first is ${name}, with the ids ${grouped(firstId)} to ${grouped(endId - 1n)}`,
    isDetached
      ? `as the owner of the tables: ${attach}`
      : `restore the table ${name} from a backup, then: ${attach} Without a backup: select ${partitionMake.declares.name}('${name}'); ${attach} and run \`curvekit reindex\``,
    'TradesWithoutPartition',
  );
}

/** A pooler between the service and PostgreSQL, if there is one, keeps the service's prepared statements. */
export async function checkPooler(url: string): Promise<Finding> {
  const subject = 'database connections';
  try {
    if (!(await forgetsStatements(url))) return ok(subject, 'keep prepared statements');
  } catch (error) {
    return warning(
      subject,
      reasonOf(error),
      'allow the service a few connections more than DATABASE_POOL_SIZE',
      'DatabaseConnections',
    );
  }
  return failure(
    subject,
    'a pooler in transaction mode forgets prepared statements, so requests fail at random',
    'use PgBouncer 1.21 or newer with max_prepared_statements = 200, or its session mode, or connect directly',
    'DatabaseConnections',
  );
}

/** Every standby of DATABASE_REPLICA_URLS serves. */
export async function checkReplicas(
  database: Pick<Database, 'replicas' | 'lookAtReplicas'>,
): Promise<Finding[]> {
  if (database.replicas().length === 0) return [];
  const subject = 'database replicas';
  await database.lookAtReplicas();
  const replicas = database.replicas();
  const leftOut = replicas.filter(({ problem }) => problem !== undefined);
  if (leftOut.length === 0) return [ok(subject, `${replicas.length} serve reads`)];
  return leftOut.map(({ place, problem }) =>
    warning(
      subject,
      `${place} serves nothing: ${problem}`,
      'the primary serves its reads; see that it streams from the primary of DATABASE_URL, or remove it from DATABASE_REPLICA_URLS',
      'ReplicaLeftOut',
    ),
  );
}
