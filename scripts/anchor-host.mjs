// `anchor migrate` writes a script that calls `require`, and runs it with `npm run ts-node`. ES modules have no
// `require`, so this file defines it.
import { createRequire } from 'node:module';

globalThis.require = createRequire(import.meta.url);
