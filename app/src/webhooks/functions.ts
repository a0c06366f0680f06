import { databaseFunction } from '../db/statements.js';

/** Tells of launches and graduations among records that are final now. */
export const webhookTokens = databaseFunction('webhook_tokens', { first: 'bigint', last: 'bigint' });

/** Adds an event that only this endpoint gets; its id, or null when the partner has no such endpoint. */
export const webhookTest = databaseFunction('webhook_test', { endpoint: 'text', partner: 'bigint' });
