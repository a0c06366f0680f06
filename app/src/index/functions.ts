import { databaseFunction } from '../db/statements.js';

/** Signature, slot and finality of those of these transactions that have records. */
export const recordsAmong = databaseFunction('stored_among', { signatures: 'text[]' });
