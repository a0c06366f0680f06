import { databaseFunction } from '../../db/statements.js';

/** Why payments are held, in one line; null when they are open. */
export const paymentsHeldText = databaseFunction('payments_held', {});

/** Identifies a start of the database: another text after a restore, a promotion or a restart. */
export const databaseIncarnation = databaseFunction('database_incarnation', {});

/** Whether the last reconciliation is too long ago. */
export const paymentsOutdated = databaseFunction('payments_outdated', { at: 'timestamp with time zone' });
