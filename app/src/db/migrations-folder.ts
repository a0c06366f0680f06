import { fileURLToPath } from 'node:url';

/** The numbered migrations. `npm run db:migration -w app -- NAME` begins one. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../database', import.meta.url));
