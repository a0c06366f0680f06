import { fileURLToPath } from 'node:url';

/** The numbered migrations, made by `npm run db:generate -w app`. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../database', import.meta.url));
