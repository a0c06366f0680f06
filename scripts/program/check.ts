/** `npm run check:artifacts`: the committed artifacts are what the sources make. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { sha256 } from '../deployed-program.js';
import { hashSources, readManifest } from './manifest.js';
import { ARTIFACTS, PROGRAM_IDL, PROGRAM_SO } from './paths.js';
import { buildInto, compilerVersion, generateSdk, hasAnchor, withTemporaryFolder } from './toolchain.js';

const HELP = `npm run check:artifacts [-- --json]

Fails when the program's sources changed and artifacts/ did not, when a committed artifact is not the one the manifest
names or has more than 275 KB, or when sdk/src/generated is not what the IDL generates.
Where the compiler is the manifest's, it also rebuilds the program and its IDL and fails on a difference.`;

/** A program's bytes cost rent for as long as it is deployed. */
const MOST_PROGRAM_BYTES = 275_000;

const { values } = parseArgs({
  options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) {
  console.log(HELP);
} else {
  const { differences, rebuilt } = checkArtifacts();
  if (values.json) console.log(JSON.stringify({ differences, rebuilt }));
  else if (differences.length === 0)
    console.log(`artifacts are up to date${rebuilt ? ' and reproduced byte for byte' : ''}`);
  for (const difference of values.json ? [] : differences) console.error(`check:artifacts: ${difference}`);
  if (differences.length > 0) process.exitCode = 1;
}

function checkArtifacts(): { differences: string[]; rebuilt: boolean } {
  const manifest = readManifest();
  const differences: string[] = [];
  const compare = (what: string, found: string, expected: string): void => {
    if (found !== expected)
      differences.push(`${what}: run \`npm run build:program\` and commit what it writes`);
  };
  compare('the sources changed and the artifacts did not', hashSources(), manifest.sources);
  for (const [name, hash] of [
    [PROGRAM_SO, manifest.program],
    [PROGRAM_IDL, manifest.idl],
  ] as const) {
    compare(
      `artifacts/${name} is not the one in the manifest`,
      sha256(readFileSync(join(ARTIFACTS, name))),
      hash,
    );
  }
  const bytes = readFileSync(join(ARTIFACTS, PROGRAM_SO)).length;
  if (bytes > MOST_PROGRAM_BYTES)
    differences.push(`artifacts/${PROGRAM_SO} has ${bytes} bytes: the limit is ${MOST_PROGRAM_BYTES}`);
  if (!generateSdk({ check: true }))
    differences.push('sdk/src/generated is not what the IDL generates: run `npm run build:program`');

  const compiler = compilerVersion();
  if (compiler !== manifest.compiler || !hasAnchor()) {
    console.error(
      `check:artifacts: not rebuilt: this machine has ${compiler ?? 'no cargo build-sbf'}, the manifest ${manifest.compiler}`,
    );
    return { differences, rebuilt: false };
  }
  const built = withTemporaryFolder((folder) =>
    buildInto(folder, (line) => console.error(`check:artifacts: ${line}`)),
  );
  compare('the rebuilt program differs from the committed one', built.program, manifest.program);
  compare('the rebuilt IDL differs from the committed one', built.idl, manifest.idl);
  return { differences, rebuilt: true };
}
