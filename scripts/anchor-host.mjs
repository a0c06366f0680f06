// `anchor migrate` writes a script that calls `require`, which there is none of in ES modules, and runs it by
// `npm run ts-node`.
import { createRequire } from 'node:module';

globalThis.require = createRequire(import.meta.url);
