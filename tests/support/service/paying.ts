// Settles and migrates like the commands: only after the tables are reconciled with the chain.
import { migrateToken as migrate } from '#app/migration/migrate-token.js';
import { openPayments } from '#app/reconciliation/open-payments.js';
import { settleAll as settleEvery, settleOne as settle } from '#app/settlement/pass.js';

export const settleOne: typeof settle = async (context, mint, options) => {
  await openPayments(context, options.signal);
  return settle(context, mint, options);
};

export const settleAll: typeof settleEvery = async (context, options) => {
  await openPayments(context, options.signal);
  return settleEvery(context, options);
};

export const migrateToken: typeof migrate = async (context, mint, options) => {
  await openPayments(context, options.signal);
  return migrate(context, mint, options);
};
