/** `npm run check:supply-chain`: what the repository depends on, where it comes from, and under which licences. */
import { parseArgs } from 'node:util';
import { CommandError, runCommand } from '../command-line.js';
import { problemsOf } from './bom.js';
import { allBoms, RUST_WORKSPACE_NAMES } from './boms.js';
import { cargoDenyProblems, missingCargoDeny } from './cargo-deny.js';
import { allowedLicences, EXCEPTIONS, licenceProblems } from './licences.js';
import { npmSourceProblems } from './npm.js';
import { rustSourceProblems } from './rust.js';
import { npmSignatures } from './signatures.js';

const HELP = `npm run check:supply-chain [-- --json]

Fails when, in a lockfile of npm or cargo,
  - a package has a licence that deny.toml does not allow, and no exception with a reason
    (scripts/supply-chain/licences.ts), or an exception is of no use
  - a package comes from elsewhere than the registry, or has no hash
  - the bill of materials (npm run sbom) is not valid CycloneDX
  - the registry's signature of an installed package is wrong or missing (npm audit signatures)

Where cargo-deny is on PATH (cargo install cargo-deny --locked), it also checks deny.toml: bans, licences and sources.
Says when cargo-deny is missing, and when the registry's keys cannot be reached. Neither is a failure.`;

runCommand(HELP, () => {
  const { values } = parseArgs({
    options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) return console.log(HELP);
  const boms = allBoms();
  const components = [...boms.values()].flatMap((bom) => bom.components);
  const missing = missingCargoDeny();
  const signatures = npmSignatures();
  const problems = [
    ...licenceProblems(components, allowedLicences(), EXCEPTIONS),
    ...npmSourceProblems(),
    ...RUST_WORKSPACE_NAMES.flatMap((name) => rustSourceProblems(name)),
    ...[...boms].flatMap(([name, bom]) => problemsOf(bom).map((problem) => `${name}: ${problem}`)),
    ...(missing === undefined ? cargoDenyProblems() : []),
    ...(signatures.are === 'wrong' ? [`npm audit signatures: ${signatures.why}`] : []),
  ];
  const cargoDeny = missing === undefined;
  if (values.json === true)
    console.log(JSON.stringify({ components: components.length, cargoDeny, signatures, problems }));
  else if (problems.length === 0)
    console.log(
      [
        `${components.length} packages and crates: licences, sources and hashes as they must be`,
        missing ?? 'cargo-deny agrees',
        `signatures ${signatures.are}: ${signatures.why}`,
      ].join('\n'),
    );
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
});
