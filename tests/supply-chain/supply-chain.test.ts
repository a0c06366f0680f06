// What the repository depends on: the licences, and where packages come from. threat: replaced-package
import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { expect } from 'chai';
import {
  checkSupplyChain,
  crates,
  npmPackages,
  problemsOf,
  RUST_WORKSPACES,
  signaturesOf,
  type Locked,
} from '../../scripts/supply-chain.js';
import { ROOT } from '../../scripts/program/paths.js';

const filesOf = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');

describe('the supply chain', function () {
  this.timeout(300_000);

  it('comes from registries only, fixed by hashes, with licences that are allowed or have a reason', () => {
    expect(checkSupplyChain()[0]).to.match(/^\d{4} packages and crates/);
    expect(filesOf('*package-lock.json')).to.deep.equal(['package-lock.json']);
    expect(filesOf('*Cargo.lock').map(dirname)).to.have.members(RUST_WORKSPACES);
  });

  it('has no CI besides .ci/run, and so no actions of others', () => {
    expect(filesOf('.ci', '.github', '.gitlab*', '.circleci', '.forgejo')).to.deep.equal(['.ci/run']);
  });

  describe('its check notices', () => {
    const some = (licence?: string): Locked => ({
      name: 'some-tool',
      licence,
      from: undefined,
      isHashed: true,
    });
    const refused = (licence?: string): boolean =>
      problemsOf([some(licence)], new Set(['MIT', 'ISC']), []).length > 0;

    it('a licence that is not allowed, also in an expression', () => {
      expect(['MIT', 'GPL-3.0-only OR MIT', '(MIT AND ISC)'].filter(refused)).to.deep.equal([]);
      for (const licence of [
        'GPL-3.0-only',
        'MIT AND GPL-3.0-only',
        'MIT WITH LLVM-exception',
        'mine',
        undefined,
      ])
        expect(refused(licence), licence).to.equal(true);
    });

    it('an exception for another licence, and one that nothing needs', () => {
      const problems = (name: string, licence: string): string[] =>
        problemsOf([some('MPL-2.0')], new Set(['MIT']), [{ why: 'a reason', licences: { [name]: licence } }]);
      expect(problems('some-*', 'MPL-2.0')).to.deep.equal([]);
      expect(problems('some-*', 'GPL-3.0-only')).to.have.length(2);
      expect(problems('some', 'MPL-2.0')).to.have.length(2);
    });

    it('a package from an address, and one without a hash', () => {
      const packages = {
        'node_modules/a': {
          license: 'MIT',
          resolved: 'git+ssh://git@example.com/a.git#1',
          integrity: 'sha512-AA==',
        },
        'node_modules/b': { license: 'MIT', integrity: 'sha1-AA==' },
        'node_modules/c': { license: 'MIT', integrity: 'sha512-AA==' },
      };
      expect(problemsOf(npmPackages({ packages }), new Set(['MIT']), [])).to.deep.equal([
        'a comes from git+ssh://git@example.com/a.git#1',
        'b has no hash in its lockfile',
      ]);
    });

    it('a crate from a Git repository, and one whose hash Cargo.lock does not have', () => {
      const crate = { name: 'x', version: '9.9.9', license: 'MIT', source: 'git+https://example.com/x' };
      expect(problemsOf(crates('proofs', { packages: [crate] }), new Set(['MIT']), [])).to.deep.equal([
        'x 9.9.9 comes from git+https://example.com/x',
        'x 9.9.9 has no hash in its lockfile',
      ]);
    });

    it('a signature that is wrong or missing, and keys that it cannot reach', () => {
      const verified = 'audited 2 packages in 1s\n\n2 packages have verified registry signatures\n';
      expect(signaturesOf(0, verified, '')).to.equal('2 packages have verified registry signatures');
      for (const fault of [
        '1 package has an invalid registry signature:',
        '2 packages have invalid attestations:',
        '1 package has a missing registry signature but the registry is providing signing keys:',
      ])
        expect(() => signaturesOf(1, `${verified}\n${fault}\n\na@1.0.0\n`, '')).to.throw(fault);
      const key = 'npm error code EMISSINGSIGNATUREKEY\nnpm error a@1.0.0 has no key\n';
      expect(() => signaturesOf(1, '', key)).to.throw('EMISSINGSIGNATUREKEY');
      expect(signaturesOf(1, '', 'npm error code ENOTFOUND\nnpm error network\n')).to.equal(
        'signatures unchecked: code ENOTFOUND',
      );
      const without = 'found no dependencies to audit that were installed from a supported registry';
      expect(signaturesOf(1, '', `npm error ${without}\n`)).to.equal(`signatures unchecked: ${without}`);
    });
  });
});
