// Settles and migrates like the commands: only after the tables are reconciled with the chain.
import { migrateToken as migrate } from '#app/graduation/migration/migrate-token.js';
import { whilePaymentsOpen } from '#app/reconciliation/open-payments.js';
import { settleOne as settle } from '#app/graduation/settlement/pass.js';

export const settleOne: typeof settle = (context, mint, options) =>
  whilePaymentsOpen(context, options.signal, () => settle(context, mint, options));

export const migrateToken: typeof migrate = (context, mint, options) =>
  whilePaymentsOpen(context, options.signal, () => migrate(context, mint, options));
