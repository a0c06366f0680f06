import { SCOPES } from '../db/schema/values.js';

/**
 * Permissions of an API key: `users:write` registers users, `users:read` lists them, `stats:read` reads totals, `webhooks:write` changes
 * webhooks, `webhooks:read` lists them.
 */
export type Scope = (typeof SCOPES)[number];

export { SCOPES };

export function isScope(word: string): word is Scope {
  return (SCOPES as readonly string[]).includes(word);
}
