import { insertRows } from '../../db/arrays.js';
import type { Transaction } from '../../db/database.js';
import { storableText, textOf, type NumberedRecord } from '../records.js';

type RecordOf<Kind extends NumberedRecord['kind']> = Extract<NumberedRecord, { kind: Kind }>;

/** Stores records and their tokens, trades, migrations and graduations. */
export async function insertRecords(
  tx: Transaction,
  records: readonly NumberedRecord[],
  finalized: boolean,
): Promise<void> {
  await insertRows(tx, 'records', records, {
    id: ['bigint', ({ id }) => id],
    signature: ['text', ({ signature }) => signature],
    outer: ['smallint', ({ position }) => position.outer],
    inner: ['smallint', ({ position }) => position.inner],
    slot: ['bigint', ({ slot }) => slot],
    kind: ['text', ({ kind }) => kind],
    mint: ['text', (record) => (record.kind === 'unknown' ? null : textOf(record.data.mint))],
    finalized: ['boolean', () => finalized],
    raw: [
      'text',
      (record) => (record.kind === 'unknown' ? Buffer.from(record.data).toString('base64') : null),
    ],
  });
  await insertTokens(
    tx,
    records.filter((record) => record.kind === 'create'),
  );
  await insertTrades(
    tx,
    records.filter((record) => record.kind === 'trade'),
  );
  await insertMigrations(
    tx,
    records.filter((record) => record.kind === 'migrate'),
  );
  await insertGraduations(
    tx,
    records.filter((record) => record.kind === 'graduate'),
  );
}

function insertTokens(tx: Transaction, records: readonly RecordOf<'create'>[]): Promise<void> {
  return insertRows(tx, 'tokens', records, {
    mint: ['text', ({ data }) => textOf(data.mint)],
    record_id: ['bigint', ({ id }) => id],
    creator: ['text', ({ data }) => textOf(data.creator)],
    curve: ['text', ({ data }) => textOf(data.tokenOwnerPda)],
    name: ['text', ({ data }) => storableText(data.name)],
    symbol: ['text', ({ data }) => storableText(data.symbol)],
    uri: ['text', ({ data }) => storableText(data.uri)],
    after_migration_fee_bps: ['integer', ({ data }) => data.afterMigrationFee],
    burn_bps: ['integer', ({ data }) => data.burnBp],
    holders_bps: ['integer', ({ data }) => data.holdersBp],
    lp_bps: ['integer', ({ data }) => data.lpBp],
    initial_virtual_sol: ['numeric', ({ data }) => data.virtualSol],
    initial_virtual_token: ['numeric', ({ data }) => data.virtualToken],
    platform_fee_bps: ['integer', ({ data }) => data.platformFeeBps],
    created_at: ['bigint', ({ data }) => data.timestamp],
  });
}

function insertTrades(tx: Transaction, records: readonly RecordOf<'trade'>[]): Promise<void> {
  return insertRows(tx, 'trades', records, {
    record_id: ['bigint', ({ id }) => id],
    mint: ['text', ({ data }) => textOf(data.mint)],
    trader: ['text', ({ data }) => textOf(data.trader)],
    is_buy: ['boolean', ({ data }) => data.isBuy],
    sol_amount: ['numeric', ({ data }) => data.solAmount],
    token_amount: ['numeric', ({ data }) => data.tokenAmount],
    fee: ['numeric', ({ data }) => data.fee],
    virtual_sol: ['numeric', ({ data }) => data.virtualSol],
    virtual_token: ['numeric', ({ data }) => data.virtualToken],
    graduated: ['boolean', ({ data }) => data.finalized],
    timestamp: ['bigint', ({ data }) => data.timestamp],
  });
}

function insertMigrations(tx: Transaction, records: readonly RecordOf<'migrate'>[]): Promise<void> {
  return insertRows(tx, 'curve_migrations', records, {
    record_id: ['bigint', ({ id }) => id],
    mint: ['text', ({ data }) => textOf(data.mint)],
    fee_account: ['text', ({ data }) => textOf(data.feeAccount)],
    sol_amount: ['numeric', ({ data }) => data.solAmount],
    token_amount: ['numeric', ({ data }) => data.tokenAmount],
    timestamp: ['bigint', ({ data }) => data.timestamp],
  });
}

function insertGraduations(tx: Transaction, records: readonly RecordOf<'graduate'>[]): Promise<void> {
  return insertRows(tx, 'graduations', records, {
    record_id: ['bigint', ({ id }) => id],
    mint: ['text', ({ data }) => textOf(data.mint)],
    pool: ['text', ({ data }) => textOf(data.pool)],
    pool_sol: ['numeric', ({ data }) => data.poolSol],
    pool_token: ['numeric', ({ data }) => data.poolToken],
    community_sol: ['numeric', ({ data }) => data.communitySol],
    community_token: ['numeric', ({ data }) => data.communityToken],
    burnt: ['numeric', ({ data }) => data.burnt],
    costs: ['numeric', ({ data }) => data.costs],
    timestamp: ['bigint', ({ data }) => data.timestamp],
  });
}
