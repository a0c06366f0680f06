/** `npm run release`: what a maintainer does to publish, and with --dry-run all checks before it. */
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { apiReport, publicNames } from '../api-report/report.js';
import { CommandError, runCommand } from '../command-line.js';
import { ROOT } from '../program/paths.js';
import { run } from '../prove/run.js';
import { changeProblems } from './changes.js';
import { PACK_CRATES } from './crates.js';
import { packageProblems } from './packages.js';

const HELP = `npm run release [-- --dry-run]

Publishes nothing. Says how a maintainer publishes (docs/release.md).

  --dry-run  builds and packs the packages into .cache/release, and checks what docs/release.md lists

Exit code 1 when a check fails.`;

const PACKED = join('.cache', 'release');
const RECIPE = join(ROOT, 'docs', 'release.md');
/** npm needs a token of the workflow's own run. */
const PROVENANCE = ['  id-token: write', 'npm publish $package --provenance'];

runCommand(HELP, async () => {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) return console.log(HELP);
  if (values['dry-run'] !== true) return console.log(readFileSync(RECIPE, 'utf8'));
  report('versions, changelog, changesets, reports of public names', await changeProblems(ROOT));
  const missing = PROVENANCE.filter((line) => !readFileSync(RECIPE, 'utf8').includes(line));
  report(
    'the workflow of docs/release.md gives provenance',
    missing.map((line) => `docs/release.md: its workflow lacks "${line}"`),
  );

  process.chdir(ROOT);
  rmSync(PACKED, { recursive: true, force: true });
  mkdirSync(PACKED, { recursive: true });
  const published = manifestOf('.').workspaces!.filter((folder) => manifestOf(folder).private !== true);
  await command(
    `npm pack ${published.map((folder) => `-w ${folder}`).join(' ')} --pack-destination ${PACKED}`,
  );
  for (const folder of published) {
    const file = readdirSync(PACKED).find((name) => name.startsWith(`curvekit-${folder}-`))!;
    const problems = await packageProblems(folder, new Uint8Array(readFileSync(join(PACKED, file))));
    report(
      `${file}: contents, exports, types`,
      problems.map((problem) => `${folder}: ${problem}`),
    );
  }
  const isCurrent = apiReport(publicNames(join(ROOT, 'sdk'))) === readFileSync('sdk/api.txt', 'utf8');
  report('sdk/api.txt is of this build', isCurrent ? [] : ['sdk/api.txt: run `npm run report:sdk`']);
  for (const pack of PACK_CRATES) await command(pack);
  report('the crates build as packed', []);
  console.log('Nothing was published: `npm run release` says how.');
});

function report(what: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  console.log(`✔ ${what}`);
}

function manifestOf(folder: string) {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  return JSON.parse(text) as { readonly workspaces?: readonly string[]; readonly private?: boolean };
}

async function command(line: string): Promise<void> {
  const { code, output } = await run('sh', ['-c', line], ROOT);
  if (code !== 0) throw new CommandError(`${line}\n${output}`);
}
