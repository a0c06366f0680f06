import { SCOPES } from '../db/schema/index.js';

/** What an API key may do: `users:write` registers users, `users:read` lists them, `stats:read` reads totals. */
export type Scope = (typeof SCOPES)[number];

export { SCOPES };

/** Whether a word is the name of a scope. */
export function isScope(word: string): word is Scope {
  return (SCOPES as readonly string[]).includes(word);
}
