// What the repository depends on: its bills of materials, the licences, and where packages come from. threat: replaced-package
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { problemsOf, type Bom, type Component } from '../../scripts/supply-chain/bom.js';
import { allBoms, RUST_WORKSPACE_NAMES } from '../../scripts/supply-chain/boms.js';
import { cargoDenyProblems, missingCargoDeny } from '../../scripts/supply-chain/cargo-deny.js';
import { allowedLicences, EXCEPTIONS, licenceProblems } from '../../scripts/supply-chain/licences.js';
import { npmSourceProblems } from '../../scripts/supply-chain/npm.js';
import { rustSourceProblems } from '../../scripts/supply-chain/rust.js';
import { signaturesOf } from '../../scripts/supply-chain/signatures.js';
import { SUITES } from '../../scripts/test/suites.js';
import { ROOT } from '../../scripts/program/paths.js';

const TIMEOUT_MS = 300_000;

describe('the supply chain', function () {
  this.timeout(TIMEOUT_MS);
  let boms: ReadonlyMap<string, Bom>;
  let components: readonly Component[];

  before('read the lockfiles', () => {
    boms = allBoms();
    components = [...boms.values()].flatMap((bom) => bom.components);
  });

  it('has a valid CycloneDX document for each lockfile', () => {
    const lockfiles = execFileSync('git', ['ls-files', '*package-lock.json', '*Cargo.lock'], { cwd: ROOT });
    expect(boms.size).to.equal(lockfiles.toString().trim().split('\n').length);
    for (const [name, bom] of boms) expect(problemsOf(bom), name).to.deep.equal([]);
  });

  it('has documents that are the same each time, on every machine', () => {
    expect(JSON.stringify([...allBoms()])).to.equal(JSON.stringify([...boms]));
    const text = JSON.stringify([...boms]);
    for (const here of [ROOT.replace(/\/$/, ''), homedir()]) expect(text).not.to.contain(`${here}/`);
    for (const bom of boms.values()) expect(bom.metadata).not.to.have.property('timestamp');
  });

  it('has the SHA of each package that comes from a registry', () => {
    const ours =
      /^(@curvekit\/|curvekit@|pkg:cargo\/(amm-stand-in|bonding-curve|caller|cheating-amm|cheating-curve|cheating-token|curvekit-client|curvekit-interface|graduation|oracle|translator|vectors)@)/;
    const without = components.filter(({ hashes = [] }) => hashes.length === 0).map((one) => one['bom-ref']);
    expect(without.filter((ref) => !ours.test(ref))).to.deep.equal([]);
  });

  it('has only licences that are allowed, or an exception with its reason', () => {
    expect(licenceProblems(components, allowedLicences(), EXCEPTIONS)).to.deep.equal([]);
  });

  it('comes from registries only, fixed by hashes', () => {
    expect(npmSourceProblems()).to.deep.equal([]);
    for (const workspace of RUST_WORKSPACE_NAMES) expect(rustSourceProblems(workspace)).to.deep.equal([]);
  });

  const missing = missingCargoDeny();
  if (missing === undefined)
    it('passes cargo-deny', () => {
      expect(cargoDenyProblems()).to.deep.equal([]);
    });
  else
    it(`is checked ${missing}`, () => {
      expect(SUITES.find(({ name }) => name === 'supply-chain')!.missing!()).to.equal(missing);
    });

  it('has no CI besides .ci/run, and so no actions of others', () => {
    const files = execFileSync('git', ['ls-files', '.ci', '.github', '.gitlab*', '.circleci', '.forgejo'], {
      cwd: ROOT,
    });
    expect(files.toString().trim().split('\n')).to.deep.equal(['.ci/run']);
  });

  describe('its check notices', () => {
    const npmPackage = (name: string, expression?: string): Component => ({
      type: 'library',
      name,
      version: '1.0.0',
      'bom-ref': `${name}@1.0.0`,
      purl: `pkg:npm/${name}@1.0.0`,
      ...(expression !== undefined && { licenses: [{ expression }] }),
    });
    const refused = (expression?: string): boolean =>
      licenceProblems([npmPackage('some', expression)], new Set(['MIT', 'ISC']), []).length > 0;

    it('a licence that is not allowed, also in an expression', () => {
      expect(['MIT', 'GPL-3.0-only OR MIT', '(MIT AND ISC)'].filter(refused)).to.deep.equal([]);
      for (const licence of ['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'MIT WITH LLVM-exception', undefined])
        expect(refused(licence), licence).to.equal(true);
    });

    it('an exception for another licence, and one that nothing needs', () => {
      const why = 'a reason';
      const some = [npmPackage('some-tool', 'MPL-2.0')];
      const problems = (name: string, licence: string): string[] =>
        licenceProblems(some, new Set(['MIT']), [{ name, licence, why }]);
      expect(problems('some-*', 'MPL-2.0')).to.deep.equal([]);
      expect(problems('some-*', 'GPL-3.0-only')).to.have.length(2);
      expect(problems('some', 'MPL-2.0')).to.have.length(2);
    });

    it('a package from an address, and one without a hash', () => {
      const packages = {
        'node_modules/a': { resolved: 'git+ssh://git@example.com/a.git#1', integrity: 'sha512-AA==' },
        'node_modules/b': { integrity: 'sha1-AA==' },
        'node_modules/c': { integrity: 'sha512-AA==' },
      };
      expect(npmSourceProblems({ packages })).to.deep.equal([
        'node_modules/a comes from git+ssh://git@example.com/a.git#1',
        'node_modules/b has no SHA-512 hash',
      ]);
    });

    it('a crate from a Git repository, and one whose hash Cargo.lock does not have', () => {
      const crate = {
        id: 'x',
        name: 'x',
        version: '9.9.9',
        license: 'MIT',
        source: 'git+https://example.com/x',
      };
      const metadata = { packages: [crate], workspace_members: [], resolve: { nodes: [] } };
      expect(rustSourceProblems('proofs', metadata)).to.deep.equal([
        'x 9.9.9 comes from git+https://example.com/x',
        'x 9.9.9 has no hash in Cargo.lock',
      ]);
    });

    it('that cargo-deny is missing', () => {
      expect(missingCargoDeny('/nowhere')).to.contain('without cargo-deny');
    });

    it('a signature that is wrong or missing, and keys that it cannot reach', () => {
      const ended = (stdout: string, stderr = ''): string => {
        const { are, why } = signaturesOf({ status: 1, stdout, stderr });
        return `${are}: ${why.split('\n')[0]}`;
      };
      const verified = 'audited 2 packages in 1s\n\n2 packages have verified registry signatures\n';
      expect(signaturesOf({ status: 0, stdout: verified, stderr: '' })).to.deep.equal({
        are: 'verified',
        why: '2 packages have verified registry signatures',
      });
      for (const fault of [
        '1 package has an invalid registry signature:',
        '2 packages have invalid attestations:',
      ])
        expect(ended(`${verified}\n${fault}\n\na@1.0.0 (https://r.example/)\n`)).to.equal(`wrong: ${fault}`);
      const without =
        '1 package has a missing registry signature but the registry is providing signing keys:';
      expect(ended(`${verified}\n${without}\n\na@1.0.0\n`)).to.equal(`wrong: ${without}`);
      const key = 'npm error code EMISSINGSIGNATUREKEY\nnpm error a@1.0.0 has no key\n';
      expect(ended('', key)).to.equal('wrong: npm error code EMISSINGSIGNATUREKEY');
      const network =
        'npm error code ENOTFOUND\nnpm error network request to https://k.example/1.json failed, reason: x\n';
      expect(ended('', network)).to.equal(
        'unchecked: the keys cannot be reached (request to https://k.example/1.json failed)',
      );
      expect(
        ended('', 'npm error found no dependencies to audit that were installed from a supported registry\n'),
      ).to.equal('unchecked: the registry publishes no keys');
    });

    it('a wrong signature, as a command', () => {
      const folder = mkdtempSync(join(tmpdir(), 'curvekit-npm-'));
      try {
        const npm = join(folder, 'npm');
        const real = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
        const fault = '1 package has an invalid registry signature:';
        writeFileSync(npm, `#!/bin/sh\n[ "$1" = audit ] || exec "${real}" "$@"\necho "${fault}"\nexit 1\n`);
        chmodSync(npm, 0o755);
        const { status, stderr } = spawnSync(
          process.execPath,
          ['--import=tsx', 'scripts/supply-chain/check.ts'],
          {
            cwd: ROOT,
            encoding: 'utf8',
            env: { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` },
          },
        );
        expect([status, stderr]).to.deep.equal([1, `failed: npm audit signatures: ${fault}\n`]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it('a document that is not valid', () => {
      const bom = boms.get('proofs.cdx.json')!;
      const [first, ...rest] = bom.components;
      expect(problemsOf({ ...bom, components: [{ ...first!, type: 'thing' }, ...rest] })).not.to.be.empty;
      expect(problemsOf({ ...bom, components: rest }).join()).to.contain('which is not a component');
      expect(problemsOf({ ...bom, components: [first!, first!, ...rest] }).join()).to.contain(
        'two components',
      );
    });
  });
});
