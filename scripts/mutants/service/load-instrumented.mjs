// Loads the altered copy of a source in place of the source. `node --import`, before tsx.
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COPY = join(ROOT, 'target', 'mutants', 'service', 'sources');
const SOURCES = join(ROOT, 'app', 'src');

registerHooks({
  load(url, context, next) {
    if (!url.startsWith('file:')) return next(url, context);
    const path = fileURLToPath(url);
    if (!path.startsWith(SOURCES)) return next(url, context);
    const copy = join(COPY, relative(ROOT, path));
    if (!existsSync(copy)) return next(url, context);
    return { format: 'module-typescript', source: readFileSync(copy, 'utf8'), shortCircuit: true };
  },
});
