// Launches and graduations for the operator. Triggers tell of everything else, in the transaction that makes it true.
import { sql } from 'drizzle-orm';
import { statement, type Transaction } from '../db/database.js';
import { column } from '../db/statements.js';
import type { IndexHooks } from '../index/hooks.js';
import { OPERATOR } from './events.js';
import { webhookTokens } from './functions.js';

export const webhookHooks = {
  onFinalized: async (tx: Transaction, ids: readonly bigint[]) => {
    // A launchpad whose operator has no endpoint does not send the ids.
    const endpoints = await statement(
      tx,
    )`select 1 from webhook_endpoints where partner_id = ${OPERATOR} limit 1`;
    if (endpoints.length > 0) await tx.execute(sql`select ${webhookTokens({ ids: column(ids, 'bigint') })}`);
  },
} satisfies IndexHooks;
