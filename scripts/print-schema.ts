/** `npm run db:schema -w app`: writes the schema of a migrated database to app/database/schema.sql. */
import { writeFileSync } from 'node:fs';
import { openDatabase } from '#app/db/database.js';
import { printedSchema } from '#tests/database/printed-schema.js';

const database = await openDatabase({ kind: 'pglite', folder: undefined });
await database.migrate();
writeFileSync(new URL('../app/database/schema.sql', import.meta.url), await printedSchema(database.queries));
await database.close();
