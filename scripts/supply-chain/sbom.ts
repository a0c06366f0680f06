/** `npm run sbom`: writes what the repository depends on as CycloneDX documents. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, runCommand } from '../command-line.js';
import { ROOT } from '../program/paths.js';
import { sha256 } from '../sha256.js';
import { problemsOf } from './bom.js';
import { allBoms } from './boms.js';

const HELP = `npm run sbom [-- --folder FOLDER] [-- --json]

Writes a software bill of materials for each lockfile (CycloneDX 1.5, JSON) into FOLDER, .cache/sbom unless said otherwise:

  npm.cdx.json       package-lock.json: SDK, service, page, command line, and what tests and builds use
  programs.cdx.json  Cargo.lock: the programs and their tests
  crates.cdx.json    crates/Cargo.lock: the Rust client
  proofs.cdx.json    proofs/Cargo.lock: the translator
  fuzz.cdx.json      tests/fuzz/programs/Cargo.lock: the fuzzer's programs that cheat

Each is checked with CycloneDX's schema. The same lockfile gives the same bytes: the documents contain no time, and their
serial numbers are made of their content. Needs npm and cargo.`;

runCommand(HELP, () => {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return console.log(HELP);
  const folder = values.folder ?? join(ROOT, '.cache', 'sbom');
  const written = [];
  for (const [name, bom] of allBoms()) {
    const problems = problemsOf(bom);
    if (problems.length > 0) throw new CommandError(`${name} is not valid: ${problems.join('; ')}`);
    const text = `${JSON.stringify(bom, null, 2)}\n`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
    written.push({
      file: join(folder, name),
      components: bom.components.length,
      sha256: sha256(Buffer.from(text)),
    });
  }
  if (values.json === true) console.log(JSON.stringify(written));
  else
    for (const { file, components, sha256: hash } of written)
      console.log(`${file}: ${components} components, SHA-256 ${hash}`);
});
