/** `npm run build:program`: builds the programs, their IDLs, the SDK's generated folders, and the manifest. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { runCommand } from '../command-line.js';
import { ARTIFACT_FILES } from './artifacts.js';
import { writeManifest } from './manifest.js';
import { ARTIFACTS } from './paths.js';
import { buildInto, generateSdk, withTemporaryFolder } from './toolchain.js';

const HELP = `npm run build:program

Builds the programs and IDLs in programs/artifacts/ with the development keys (for local clusters only): the bonding curve whose
fee receiver is the graduation program's PDA, the bonding curve whose fee receiver is a key, the graduation program, and
the stand-in for the AMM.
Then regenerates sdk/src/generated from the IDLs, and writes programs/artifacts/manifest.json.
Needs cargo build-sbf (Solana command line) and anchor 1.2.1.`;

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
runCommand(HELP, () => {
  if (values.help) return console.log(HELP);
  const manifest = withTemporaryFolder((folder) => {
    const built = buildInto(folder, (line) => console.error(`build:program: ${line}`));
    mkdirSync(ARTIFACTS, { recursive: true });
    for (const name of ARTIFACT_FILES) copyFileSync(join(folder, name), join(ARTIFACTS, name));
    return built;
  });
  writeManifest(manifest);
  if (!generateSdk({ check: false }))
    throw new Error('sdk/src/generated could not be generated from the IDLs');
  for (const [name, { bytes, sha256 }] of Object.entries(manifest.artifacts))
    console.log(`programs/artifacts/${name}: ${bytes} bytes, SHA-256 ${sha256}`);
});
