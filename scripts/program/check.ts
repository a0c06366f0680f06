/** `npm run check:artifacts`: checks that the committed artifacts match the sources. */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { ARTIFACT_FILES, PROGRAMS } from './artifacts.js';
import { hashSources, readManifest } from './manifest.js';
import { ARTIFACTS } from './paths.js';
import { buildInto, compilerVersion, generateSdk, hasAnchor, withTemporaryFolder } from './toolchain.js';

const HELP = `npm run check:artifacts

Fails when the programs' sources changed and programs/artifacts/ did not, when a committed artifact is not the one the manifest
names or is too long, or when sdk/src/generated is not what the IDLs generate, or web/generated not what the page's sources build.
Where the compiler is the manifest's, it also rebuilds the programs and their IDLs and fails on a difference.`;

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
if (values.help) {
  console.log(HELP);
} else {
  const { differences, rebuilt } = checkArtifacts();
  if (differences.length === 0)
    console.log(`artifacts are up to date${rebuilt ? ' and reproduced byte for byte' : ''}`);
  for (const difference of differences) console.error(`check:artifacts: ${difference}`);
  if (differences.length > 0) process.exitCode = 1;
}

function checkArtifacts(): { differences: string[]; rebuilt: boolean } {
  const manifest = readManifest();
  const differences: string[] = [];
  const compare = (what: string, found: string | undefined, expected: string | undefined): void => {
    if (found !== expected)
      differences.push(`${what}: run \`npm run build:program\` and commit what it writes`);
  };
  compare('the sources changed and the artifacts did not', hashSources(), manifest.sources);
  for (const name of ARTIFACT_FILES)
    compare(
      `programs/artifacts/${name} is not the one in the manifest`,
      hash('sha256', readFileSync(join(ARTIFACTS, name))),
      manifest.artifacts[name]?.sha256,
    );
  for (const { file, mostBytes } of PROGRAMS) {
    const bytes = readFileSync(join(ARTIFACTS, file)).length;
    if (bytes > mostBytes)
      differences.push(`programs/artifacts/${file} has ${bytes} bytes: the limit is ${mostBytes}`);
  }
  if (!generateSdk({ check: true }))
    differences.push('sdk/src/generated is not what the IDLs generate: run `npm run build:program`');
  if (spawnSync(process.execPath, ['scripts/build-page.mjs', '--check'], { stdio: 'inherit' }).status !== 0)
    differences.push('web/generated is not what the sources build: run `npm run build:page`');

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
  for (const name of ARTIFACT_FILES)
    compare(
      `the rebuilt ${name} differs from the committed one`,
      built.artifacts[name]?.sha256,
      manifest.artifacts[name]?.sha256,
    );
  return { differences, rebuilt: true };
}
