// Runs after tsup. The types of these entries name only the interface of a key, so that TypeScript needs no web3.js for
// them. A PublicKey of web3.js has this interface.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = join(dirname(fileURLToPath(import.meta.url)), 'dist');
const KEY = `/** An address: a PublicKey of web3.js, or anything with these methods. */
interface PublicKey {
  toBase58(): string;
  toBytes(): Uint8Array;
}`;

for (const extension of ['d.ts', 'd.cts']) {
  const files = ['market', 'partner', 'quotes', 'rewards'].map((entry) =>
    join(DIST, `${entry}.${extension}`),
  );
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text
        .replace(/^import \{ PublicKey \} from '@solana\/web3\.js';$/m, KEY)
        .replace(/^import '@solana\/web3\.js';\n/gm, ''),
    );
    for (const [, specifier] of text.matchAll(/from '(\.[^']+)'/g)) {
      const next = join(DIST, specifier.replace(/\.(c?)js$/, '.d.$1ts'));
      if (existsSync(next) && !files.includes(next)) files.push(next);
    }
  }
  const left = files.filter((file) => readFileSync(file, 'utf8').includes('@solana/'));
  if (left.length > 0) throw new Error(`types that need a Solana library: ${left.join(', ')}`);
}
