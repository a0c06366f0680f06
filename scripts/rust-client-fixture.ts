/** `npx tsx scripts/rust-client-fixture.ts`: writes what the Rust client's tests compare with the SDK. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { FIXTURE, fixture } from '#tests/rust-client/fixture.js';

mkdirSync(dirname(FIXTURE), { recursive: true });
writeFileSync(FIXTURE, await fixture());
console.log(`wrote ${FIXTURE}`);
