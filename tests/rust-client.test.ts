// The Rust client says what the SDK says: `cargo test` in crates/ compares it with a file of the SDK's answers, and this
// test says that the file is up to date. And there is one curve in Rust: the client's is the program's own file.
import { expect } from 'chai';
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { FIXTURE, fixture } from '#tests/rust-client/fixture.js';
import { ROOT } from '../scripts/program/paths.js';

/** The generator of the trades may have to be compiled first. */
const TIMEOUT_MS = 600_000;

describe('the Rust client', () => {
  it('is compared with what the SDK answers today', async function () {
    this.timeout(TIMEOUT_MS);
    const current = readFileSync(FIXTURE, 'utf8') === (await fixture());
    expect(current, `${FIXTURE} is old: run npx tsx scripts/rust-client-fixture.ts`).to.equal(true);
  });

  for (const file of ['curve.rs', join('curve', 'tests.rs')]) {
    it(`has no ${file} of its own: it is a link to the program's`, () => {
      const link = join(ROOT, 'crates', 'curvekit-client', 'src', file);
      expect(lstatSync(link).isSymbolicLink()).to.equal(true);
      expect(realpathSync(link)).to.equal(realpathSync(join(ROOT, 'programs', 'bonding-curve', 'src', file)));
    });
  }
});
