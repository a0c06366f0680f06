/** `npm run build:program`: the program, its IDL, the SDK's generated folder, and the manifest of all. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { writeManifest } from './manifest.js';
import { ARTIFACTS, PROGRAM_IDL, PROGRAM_SO } from './paths.js';
import { buildInto, generateSdk, withTemporaryFolder } from './toolchain.js';

const HELP = `npm run build:program [-- --json]

Builds artifacts/bonding_curve.so and artifacts/bonding_curve.json with the development keys (for local clusters
only), regenerates sdk/src/generated from the IDL, and writes artifacts/manifest.json.
Needs cargo build-sbf (Solana command line) and anchor 1.2.1.`;

const { values } = parseArgs({
  options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) {
  console.log(HELP);
} else {
  const manifest = withTemporaryFolder((folder) => {
    const built = buildInto(folder, (line) => console.error(`build:program: ${line}`));
    mkdirSync(ARTIFACTS, { recursive: true });
    for (const name of [PROGRAM_SO, PROGRAM_IDL]) copyFileSync(join(folder, name), join(ARTIFACTS, name));
    return built;
  });
  writeManifest(manifest);
  if (!generateSdk({ check: false }))
    throw new Error('sdk/src/generated could not be generated from the IDL');
  console.log(
    values.json
      ? JSON.stringify(manifest)
      : `artifacts/${PROGRAM_SO}: ${manifest.programBytes} bytes, SHA-256 ${manifest.program}`,
  );
}
