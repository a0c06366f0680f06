// `cargo test` in crates/ compares the Rust client with a file of the SDK's results. This test checks that the file is
// up to date, and that the client links to the program's curve source instead of having a copy.
import { expect } from 'chai';
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { FIXTURE, fixture } from '#tests/rust-client/fixture.js';
import { ROOT } from '../../scripts/program/paths.js';

/** cargo may have to compile the generator of the trades first. */
const TIMEOUT_MS = 600_000;

describe('the Rust client', () => {
  it('is compared with up-to-date results of the SDK', async function () {
    this.timeout(TIMEOUT_MS);
    const current = readFileSync(FIXTURE, 'utf8') === (await fixture());
    expect(current, `${FIXTURE} is old: run npx tsx scripts/rust-client-fixture.ts`).to.equal(true);
  });

  for (const file of ['curve.rs', join('curve', 'tests.rs')]) {
    it(`has no own copy of ${file}: it is a link to the program's`, () => {
      const link = join(ROOT, 'crates', 'curvekit-client', 'src', file);
      expect(lstatSync(link).isSymbolicLink()).to.equal(true);
      expect(realpathSync(link)).to.equal(realpathSync(join(ROOT, 'programs', 'bonding-curve', 'src', file)));
    });
  }
});
