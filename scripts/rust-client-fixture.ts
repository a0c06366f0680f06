/** `npx tsx scripts/rust-client-fixture.ts`: writes the SDK's results that the Rust client's tests compare with. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { FIXTURE, fixture } from '#tests/rust-client/fixture.js';

mkdirSync(dirname(FIXTURE), { recursive: true });
writeFileSync(FIXTURE, await fixture());
console.log(`wrote ${FIXTURE}`);
