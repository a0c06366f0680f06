// What `npm run release -- --dry-run` refuses before it builds anything, in a clone with one fault at a time.
import { execSync, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { changeProblems } from '../../scripts/release/changes.js';
import { ROOT } from '../../scripts/program/paths.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

describe('a release', () => {
  const folder = temporaryFolder('release');
  const git = (command: string): string =>
    execSync(`git -c user.name=a -c user.email=a@b ${command}`, { cwd: folder, encoding: 'utf8' });
  const edit = (path: string, from: RegExp, to: string): void => {
    const text = readFileSync(join(folder, path), 'utf8');
    expect(text).to.match(from);
    writeFileSync(join(folder, path), text.replace(from, to));
  };
  const enter = (...lines: string[]): void =>
    edit('CHANGELOG.md', /## .Unreleased.\n/, `$&\n${lines.join('\n\n')}\n`);

  before('a clone in which the newest version is released', () => {
    git(`clone --quiet --shared ${ROOT} .`);
    edit('CHANGELOG.md', /^## \[Unreleased\]\n[^]*?(?=^## )/m, '## [Unreleased]\n\n');
    edit('CHANGELOG.md', /\d{4}-\d\d-\d\d/, '2027-01-01');
    git('rm --quiet --ignore-unmatch .changeset/*.md');
    git('commit --quiet --all --message release');
    git('commit --quiet --allow-empty --message next');
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  });
  afterEach(() => git('stash push --quiet --include-untracked -- . :!node_modules'));

  it('is consistent as the repository is, and as it was released', async () => {
    expect(await changeProblems(ROOT)).to.deep.equal([]);
    expect(await changeProblems(folder)).to.deep.equal([]);
  });

  const heading = (of: string): string => `## [${of}] - 2027-01-01\n\n`;
  const remove = (): void => edit('sdk/api.txt', /^expectedAccount:\n[^\n]+\n\n/m, '');
  const declareMinor = (): void => {
    writeFileSync(join(folder, '.changeset/some.md'), "---\n'@curvekit/sdk': minor\n---\n");
  };
  const refused: Readonly<Record<string, readonly [faults: () => void, problem: RegExp]>> = {
    'another version of a crate': [
      () => edit('programs/interface/Cargo.toml', /^version = ".*"/m, 'version = "0.0.9"'),
      /^programs\/interface\/Cargo.toml: version 0.0.9, but the newest in CHANGELOG.md is/,
    ],
    'a removed export that no entry names': [
      remove,
      /^sdk\/api.txt: expectedAccount of @curvekit\/sdk was removed since the last release: name it/,
    ],
    'a removed export without a changeset': [
      () => (remove(), enter('### Removed', '- SDK: `expectedAccount`.')),
      /^.changeset: asks for none, but \[Unreleased\] in CHANGELOG.md for minor/,
    ],
    'a changed parameter that is named under Added': [
      () => (
        edit('sdk/api.txt', /expectedAccount\(history/, 'expectedAccount(curve'),
        declareMinor(),
        enter('### Added', '- `expectedAccount`.')
      ),
      /^sdk\/api.txt: expectedAccount of @curvekit\/sdk was changed/,
    ],
    'a document of the command line with a field less': [
      () => edit('trade/schemas.json', /"tokenAmount"/, '"amount"'),
      /^trade\/schemas.json: \w+ was changed/,
    ],
    'a changeset without an entry': [declareMinor, /asks for minor, but .* for none/],
    'from 1.0 on, a removed export that was never deprecated': [
      () => (edit('CHANGELOG.md', /\d+\.\d+\.\d+/, '1.0.0'), remove()),
      /expectedAccount of @curvekit\/sdk was removed since the last release: release it with @deprecated first/,
    ],
    'a patch release with an entry under Removed': [
      () =>
        edit('CHANGELOG.md', /^## .\d.*/m, `${heading('0.1.1')}### Removed\n\n- It.\n\n${heading('0.1.0')}`),
      /^CHANGELOG.md: 0.1.1 is too small a step for its entries/,
    ],
  };
  for (const [what, [plant, problem]] of Object.entries(refused))
    it(`is refused with ${what}`, async () => {
      plant();
      expect((await changeProblems(folder)).filter((line) => problem.test(line))).to.have.length(1);
    });

  it('takes a removed export that an entry names, with its changeset, and what breaks nothing', async () => {
    remove();
    edit('sdk/api.txt', /^interface EncodedRecord \{\n/m, '$&    readonly more?: string;\n');
    declareMinor();
    enter('### Removed', '- SDK: `expectedAccount`.');
    expect(await changeProblems(folder)).to.deep.equal([]);
  });

  it('is refused by the command, which otherwise says how to publish', () => {
    remove();
    const command = (...args: string[]) =>
      spawnSync('npx', ['tsx', 'scripts/release/main.ts', ...args], { cwd: folder, encoding: 'utf8' });
    const { status, stderr } = command('--dry-run');
    expect(stderr).to.match(/^failed: sdk\/api.txt: expectedAccount of/);
    expect(status).to.equal(1);
    expect(command().stdout).to.match(/npm publish .* --provenance/);
  });
});
