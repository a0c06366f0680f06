/** Builds the service, and with it the files of a new embedded database: `npm start` and the tests begin with both. */
import { buildService } from '../app/build.mjs';
import { stateOfBuild } from '../app/src/operator/built.mjs';

if (stateOfBuild() !== 'good') await buildService();
const { openDatabase } = await import('../app/dist/database.mjs');
const database = await openDatabase({ kind: 'pglite', folder: undefined });
await database.close();
