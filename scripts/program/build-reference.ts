/** `npm run build:reference`: the program with the Anchor handlers that the hot path is proved equal to. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { REFERENCE_PROGRAM } from './paths.js';
import { buildReference } from './toolchain.js';

const HELP = `npm run build:reference [-- --json]

Builds target/reference/bonding_curve.so: the program of artifacts/, but with the Anchor handlers of buyToken, sellToken,
migrate and validateLogRecord in the place of the hot path. The differential tests compare the two. Development keys
only; never to be deployed. Needs cargo build-sbf (Solana command line).`;

const { values } = parseArgs({
  options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) {
  console.log(HELP);
} else {
  buildReference((line) => console.error(`build:reference: ${line}`));
  const bytes = readFileSync(REFERENCE_PROGRAM).length;
  console.log(
    values.json
      ? JSON.stringify({ path: REFERENCE_PROGRAM, bytes })
      : `target/reference/bonding_curve.so: ${bytes} bytes`,
  );
}
