import { databaseFunction } from '../../db/statements.js';

/** Credits the next wallets of a paid settlement; true when all are credited. */
export const settlementCredit = databaseFunction('settlement_credit', {
  settlement: 'bigint',
  wallets: 'integer',
});
