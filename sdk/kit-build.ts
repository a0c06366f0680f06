// Builds the entries for @solana/kit from the same sources as the others: in their copy of the modules that need a Solana library,
// src/kit/chain.ts stands for src/chain.ts, and src/kit/chain-transactions.ts for src/chain-transactions.ts. Modules that need none are
// not copied, so that each error has one class for all entries.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

const SOURCES = join(dirname(fileURLToPath(import.meta.url)), 'src');
const KIT = join(SOURCES, 'kit');
/** What web3.js gives, and what stands for it. */
const SEAMS = new Map(
  ['chain.ts', 'chain-transactions.ts'].map((name) => [join(SOURCES, name), join(KIT, name)]),
);
const NAMESPACE = 'kit';

/** What a module imports or re-exports at run time. */
const IMPORTS = /^(?:import|export)\s(?!type\s)[^;]*?from '(\.[^']+)'/gm;

export function kitBuild(): Plugin {
  return {
    name: 'kit',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path, importer, namespace, kind }) => {
        const target = join(dirname(importer), path).replace(/\.js$/, '.ts');
        if (kind === 'entry-point' || (namespace !== NAMESPACE && !isIn(KIT, target))) return undefined;
        const seam = SEAMS.get(target);
        if (seam !== undefined) return { path: seam, namespace: NAMESPACE };
        if (isIn(KIT, target) || needsChain(target)) return { path: target, namespace: NAMESPACE };
        return { path: target };
      });
      build.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
        contents: readFileSync(path, 'utf8'),
        loader: 'ts',
        resolveDir: dirname(path),
      }));
    },
  };
}

const known = new Map<string, boolean>([...SEAMS.keys()].map((seam) => [seam, true]));

/** Whether a module reaches one of the seams at run time. */
function needsChain(path: string): boolean {
  const answer = known.get(path);
  if (answer !== undefined) return answer;
  known.set(path, false); // for circles
  const found = [...readFileSync(path, 'utf8').matchAll(IMPORTS)].some(([, specifier]) =>
    needsChain(join(dirname(path), specifier!).replace(/\.js$/, '.ts')),
  );
  known.set(path, found);
  return found;
}

function isIn(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`);
}
