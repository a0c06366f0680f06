import { databaseFunction } from '../db/statements.js';

/** Credits the volume rewards of trades that are final; those up to an id were shown before. */
export const volumeCredit = databaseFunction('volume_credit', {
  first: 'bigint',
  last: 'bigint',
  shownTo: 'bigint',
});

/** Shows what confirmed trades come to: these more, or with null all of them anew. */
export const volumeShow = databaseFunction('volume_show', { first: 'bigint', last: 'bigint' });
