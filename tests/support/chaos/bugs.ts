// Bugs that a chaos run must find: functions of the database that are replaced by careless ones.
import { sql } from 'drizzle-orm';
import type { Database } from '#app/db/database.js';
import { functionFiles } from '#app/db/sql-version.js';
import { basename } from 'node:path';
import { readFileSync } from 'node:fs';

export interface Bug {
  readonly what: string;
  /** The activity in which it shows. */
  readonly during: string;
  /** What the run must say. */
  readonly found: RegExp;
  readonly plant: (database: Database) => Promise<void>;
}

export const BUGS: readonly Bug[] = [
  {
    what: 'returns a claim that it has not booked',
    during: 'claims',
    found: /was returned to its wallet and is not stored/,
    plant: changing('claim_store', '\nBEGIN\n', '\nBEGIN\n  RETURN;\n'),
  },
  {
    what: 'pays a claim without taking its amount from the wallet',
    during: 'claims',
    found: /: 0 reserved, \d+ in claims/,
    plant: changing('ledger_reserve', "IF ledger_post(ARRAY[p_key], entries) = '{}' THEN", 'IF false THEN'),
  },
  {
    what: 'ends a settlement whose holders it has not credited',
    during: 'settlement',
    found: /settlements credit [1-9]\d* to wallets, whose accounts have 0/,
    plant: changing('settlement_credit', 'IF credits IS NOT NULL THEN', 'IF false THEN'),
  },
  {
    what: 'indexes a trade with another amount',
    during: 'indexing',
    found: /expected \[ .* to deeply equal \[ /,
    plant: async ({ queries }) => {
      await queries.execute(sql`
        create function add_a_lamport() returns trigger language plpgsql as
          'begin new.sol_amount := new.sol_amount + 1; return new; end'`);
      await queries.execute(
        sql`create trigger careless before insert on trade_rows for each row execute function add_a_lamport()`,
      );
    },
  },
];

/** Replaces a piece of a function. */
function changing(name: string, piece: string, by: string) {
  return async ({ queries }: Database): Promise<void> => {
    const path = functionFiles().find((file) => basename(file, '.sql') === name)!;
    const text = readFileSync(path, 'utf8');
    if (!text.includes(piece)) throw new Error(`${name} has no '${piece}' to change`);
    await queries.execute(sql.raw(text.replace(piece, by)));
  };
}
