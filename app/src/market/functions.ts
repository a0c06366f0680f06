import { databaseFunction } from '../db/statements.js';

/** Credits the volume rewards of trades that are final. */
export const volumeCredit = databaseFunction('volume_credit', { ids: 'bigint[]' });

/** What each wallet earns from trades: rows of `record_id`, `mint`, `wallet`, `amount`. */
export const volumeParts = databaseFunction('volume_parts', { ids: 'bigint[]' });
