// Writes sdk/src/generated from artifacts/bonding_curve.json. With --check it writes nothing and fails on a difference.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { readIdl, structsOf } from './idl.js';
import { idlFile } from './idl-module.js';
import { instructionsFile } from './instructions.js';
import { errorsFile, programFile } from './program.js';
import { accountsFile, recordsFile } from './structs.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const IDL_PATH = join(ROOT, 'artifacts/bonding_curve.json');
const OUTPUT = join(ROOT, 'sdk/src/generated');

async function generate(): Promise<Map<string, string>> {
  const idl = readIdl(IDL_PATH);
  const structs = structsOf(idl);
  const files = {
    'accounts.ts': accountsFile(idl, structs),
    'errors.ts': errorsFile(idl),
    'idl.ts': idlFile(idl),
    'instructions.ts': instructionsFile(idl),
    'program.ts': programFile(idl),
    'records.ts': recordsFile(idl, structs),
  };
  const options = { ...(await prettier.resolveConfig(join(ROOT, 'package.json'))), parser: 'typescript' };
  const formatted = new Map<string, string>();
  for (const [name, text] of Object.entries(files)) formatted.set(name, await prettier.format(text, options));
  return formatted;
}

function filesOnDisk(): Map<string, string> {
  mkdirSync(OUTPUT, { recursive: true });
  return new Map(readdirSync(OUTPUT).map((name) => [name, readFileSync(join(OUTPUT, name), 'utf8')]));
}

const wanted = await generate();
const present = filesOnDisk();
const names = [...new Set([...wanted.keys(), ...present.keys()])].sort();
const stale = names.filter((name) => wanted.get(name) !== present.get(name));

if (process.argv.includes('--check')) {
  for (const name of stale)
    console.error(`${relative(ROOT, join(OUTPUT, name))} differs from what the IDL says`);
  if (stale.length > 0) {
    console.error('Run `npm run generate:sdk` and commit the result.');
    process.exitCode = 1;
  }
} else {
  for (const name of stale) {
    const text = wanted.get(name);
    if (text === undefined) rmSync(join(OUTPUT, name));
    else writeFileSync(join(OUTPUT, name), text);
  }
  console.log(`${relative(ROOT, OUTPUT)}: ${wanted.size} files, ${stale.length} changed`);
}
