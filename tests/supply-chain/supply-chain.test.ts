// What the repository depends on: its bills of materials, the licences, and where packages come from.
import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { expect } from 'chai';
import { problemsOf, type Bom, type Component } from '../../scripts/supply-chain/bom.js';
import { allBoms, RUST_WORKSPACE_NAMES } from '../../scripts/supply-chain/boms.js';
import { cargoDenyProblems, hasCargoDeny } from '../../scripts/supply-chain/cargo-deny.js';
import { allowedLicences, EXCEPTIONS, licenceProblems } from '../../scripts/supply-chain/licences.js';
import { npmSourceProblems } from '../../scripts/supply-chain/npm.js';
import { rustSourceProblems } from '../../scripts/supply-chain/rust.js';
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
      /^(@curvekit\/|curvekit@|pkg:cargo\/(amm-stand-in|bonding-curve|caller|cheating-amm|cheating-token|curvekit-client|curvekit-interface|graduation|oracle|translator|vectors)@)/;
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

  it('passes cargo-deny, where it is installed', () => {
    expect(hasCargoDeny() ? cargoDenyProblems() : []).to.deep.equal([]);
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
