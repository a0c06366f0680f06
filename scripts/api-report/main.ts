// Writes sdk/api.txt from the built package: `npm run report:sdk`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { apiReport, publicNames } from './report.js';

const SDK = fileURLToPath(new URL('../../sdk', import.meta.url));

writeFileSync(join(SDK, 'api.txt'), apiReport(publicNames(SDK)));
