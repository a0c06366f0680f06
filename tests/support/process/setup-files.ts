import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Copies to an empty folder what `npm run setup` consists of, and makes the folder `bin`, for a fake npm. */
export function copySetup(tree: string): void {
  for (const folder of ['scripts', 'bin']) mkdirSync(join(tree, folder));
  for (const name of ['setup', 'build-page', 'llms', 'steps']
    .map((file) => `scripts/${file}.mjs`)
    .concat('package.json', 'package-lock.json'))
    copyFileSync(name, join(tree, name));
}
