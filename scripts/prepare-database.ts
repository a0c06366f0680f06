/** Makes the files of a new embedded database, which the set-up runs once: `npm start` and the tests begin with them. */
import { openDatabase } from '#app/db/database.js';

const database = await openDatabase({ kind: 'pglite', folder: undefined });
await database.close();
