#!/usr/bin/env bash
# Vite 8 with Rolldown: `chunkFileNames: '[name]-[hash:6].js'` builds a page with 64 chunks, and refuses the same page with one
# lazy part more. The least length grows with the number of chunks of the build, long before six characters could collide.
# Expected: the names of 65 chunks need no more than those of 64.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund vite@8.3.8
cat > run.mjs <<'JS'
import { rmSync, writeFileSync } from 'node:fs';
import { build, version } from 'vite';

async function built(parts) {
  const names = Array.from({ length: parts }, (_, index) => `part${index}`);
  for (const name of names) writeFileSync(`${name}.js`, `export default ${JSON.stringify(name)};`);
  writeFileSync('main.js', names.map((name) => `import('./${name}.js').then(console.log);`).join('\n'));
  writeFileSync('index.html', '<script type="module" src="/main.js"></script>');
  const rolldownOptions = { output: { chunkFileNames: '[name]-[hash:6].js' } };
  try {
    await build({ logLevel: 'silent', build: { rolldownOptions } });
    return 'built';
  } catch (error) {
    return /minimum hash size of \d+, received \d+/.exec(error.message)?.[0] ?? error.message;
  } finally {
    rmSync('dist', { recursive: true, force: true });
  }
}

// The entry and the helper that loads parts are chunks too.
const [few, many] = [await built(61), await built(66)];
console.log(`vite ${version}, 61 parts: ${few}; 66 parts: ${many}`);
process.exit(few === 'built' && many === 'minimum hash size of 7, received 6' ? 0 : 1);
JS
node run.mjs
