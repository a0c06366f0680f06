// Launches and graduations for the operator. Triggers tell of everything else, in the transaction that makes it true.
import { sql } from 'drizzle-orm';
import { statement, type Transaction } from '../db/database.js';
import type { IdRange } from '../db/statements.js';
import type { IndexHooks } from '../index/hooks.js';
import { OPERATOR } from './events.js';
import { webhookTokens } from './functions.js';

export const webhookHooks = {
  onFinalized: async (tx: Transaction, range: IdRange) => {
    const endpoints = await statement(
      tx,
    )`select 1 from webhook_endpoints where partner_id = ${OPERATOR} limit 1`;
    if (endpoints.length > 0) await tx.execute(sql`select ${webhookTokens(range)}`);
  },
} satisfies IndexHooks;
