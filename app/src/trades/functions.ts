import { databaseFunction } from '../db/database-function.js';

/** The last one of so many new ids. */
export const idsTake = databaseFunction('trade_ids_take', { count: 'bigint' });
