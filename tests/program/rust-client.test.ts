// `cargo test` in crates/ compares the Rust client with a file of the SDK's results. This test checks that the file is
// up to date, and that the client is built from the programs' interface crate.
import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
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

  it("has no own copy of the curve: it depends on the programs' interface, in the version that is published", () => {
    const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');
    const [, version] = /^version = "(.+)"$/m.exec(read('programs', 'interface', 'Cargo.toml'))!;
    expect(read('crates', 'curvekit-client', 'Cargo.toml')).to.include(
      `curvekit-interface = { path = "../../programs/interface", version = "${version}" }`,
    );
    expect(existsSync(join(ROOT, 'crates', 'curvekit-client', 'src', 'curve.rs'))).to.equal(false);
  });
});
