import { insertRows, rangeOf } from '../../db/statements.js';
import type { Transaction } from '../../db/database.js';
import type { Stored } from '../hooks.js';
import { textOf } from '../trades/key-text.js';
import { addUnfinalized, insertTrades } from '../trades/store.js';
import { storableText, type NumberedRecord, type RecordOf } from '../records.js';

/** Stores records. @param numbers of the trades' addresses */
export async function insertRecords(
  tx: Transaction,
  { records, trades, finalized }: Stored,
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  await insertTrades(tx, trades, numbers);
  const others = records.filter((record) => record.kind !== 'trade');
  if (!finalized) await addUnfinalized(tx, rangeOf(records), 'curve');
  await insertRows<Exclude<NumberedRecord, { kind: 'trade' }>>(tx, 'other_records', others, {
    id: ['bigint', ({ id }) => id],
    signature: ['text', ({ signature }) => signature],
    outer: ['smallint', ({ position }) => position.outer],
    inner: ['smallint', ({ position }) => position.inner],
    slot: ['bigint', ({ slot }) => slot],
    kind: ['text', ({ kind }) => kind],
    mint: ['text', (record) => (record.kind === 'unknown' ? null : textOf(record.data.mint))],
    raw: [
      'text',
      (record) => (record.kind === 'unknown' ? Buffer.from(record.data).toString('base64') : null),
    ],
  });
  await insertTokens(
    tx,
    records.filter((record) => record.kind === 'create'),
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
