/** `npm run db:schema -w app`: writes what a migrated database has to app/database/schema.sql and app/src/db/schema/generated. */
import { writeFileSync } from 'node:fs';
import { openDatabase } from '#app/db/database.js';
import { printedSchema } from './printed-schema.js';
import { formatted, printedTables } from './printed-tables.js';

const database = await openDatabase({ kind: 'pglite', folder: undefined });
await database.migrate();
writeFileSync(new URL('../app/database/schema.sql', import.meta.url), await printedSchema(database.queries));
for (const [name, text] of Object.entries(await printedTables(database.queries))) {
  const path = new URL(`../app/src/db/schema/generated/${name}.ts`, import.meta.url);
  writeFileSync(path, await formatted(text));
}
await database.close();
