// A file that a reader takes in at once: at most 300 lines, and most have less than 80.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MOST_LINES = 300;
const MOST_OF_HALF = 80;

const SOURCES = /\.(ts|tsx|mts|mjs|cjs|rs|sql|css|sh)$/;
/** Made by tools: what is installed, built or generated, and the dump of all tables in one file. */
const MADE = new Set([
  'node_modules',
  'target',
  'dist',
  'generated',
  'artifacts',
  '.cache',
  '.curvekit',
  '.git',
  'test-ledger',
]);
const DUMPS = new Set(['app/database/0000_tables.sql', 'app/database/schema.sql']);

function sources(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return MADE.has(entry.name) ? [] : sources(path);
    return SOURCES.test(entry.name) && !DUMPS.has(path) ? [path] : [];
  });
}

describe('the length of files', () => {
  const lengths = sources().map((path) => ({
    path,
    lines: readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1,
  }));

  it(`is at most ${MOST_LINES} lines`, () => {
    expect(lengths.filter(({ lines }) => lines > MOST_LINES)).to.deep.equal([]);
  });

  it(`is less than ${MOST_OF_HALF} lines for more than half of them`, () => {
    expect(lengths.length).to.be.greaterThan(1_000);
    expect(lengths.filter(({ lines }) => lines < MOST_OF_HALF).length).to.be.greaterThan(lengths.length / 2);
  });
});
