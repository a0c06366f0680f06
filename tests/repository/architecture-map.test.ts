// docs/architecture.md is the map of the repository: it names every folder of the sources, and only what exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAP = join(ROOT, 'docs', 'architecture.md');

interface Section {
  readonly title: string;
  /** The folder in the title, or the repository if the title has none. */
  readonly folder: string;
  readonly text: string;
}

function sections(): Section[] {
  const parts = readFileSync(MAP, 'utf8').split(/^## /m).slice(1);
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    return { title, folder: /\(`([^`]+)`\)/.exec(title)?.[1] ?? '', text: lines.join('\n') };
  });
}

/** Folders whose inner folders the map must name. */
const WHOLE = [
  'programs/interface/src',
  'programs/bonding-curve/src',
  'sdk/src',
  'app/src',
  'web/src',
  'tests',
  'tests/support',
  'scripts',
];

/** What looks like a path: a folder with its slash, or a file with a known ending. */
const PATH = /^[\w.*-]+(?:\/[\w.*-]+)*(?:\/|\.(?:ts|tsx|rs|sql|md|txt))$/;

function paths(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, path]) => path!).filter((path) => PATH.test(path));
}

function folders(path: string): string[] {
  return readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

describe('the map of the repository', () => {
  for (const whole of WHOLE) {
    it(`names every folder of ${whole}`, () => {
      const text = sections()
        .filter(({ folder }) => folder === '' || folder === whole)
        .map((section) => section.text)
        .join('\n');
      const named = new Set(paths(text).flatMap((path) => path.split('/')));
      expect(folders(whole).filter((name) => !named.has(name))).to.deep.equal([]);
    });
  }

  it('names only files and folders that exist', () => {
    const found = sections().flatMap(({ title, folder, text }) =>
      paths(text).map((path) => ({ title, folder, path })),
    );
    // A pattern stands for the folder that it is in.
    const exists = (path: string): boolean =>
      existsSync(join(ROOT, path.includes('*') ? dirname(path.slice(0, path.indexOf('*') + 1)) : path));
    // A name may leave out one folder that the sentence has named.
    const near = (base: string): string[] => [base, ...folders(base).map((name) => join(base, name))];
    const missing = found.filter(
      ({ folder, path }) =>
        ![folder, dirname(folder), 'tests/support', '']
          .flatMap((base) => near(base))
          .some((base) => exists(join(base, path))),
    );
    expect(missing).to.deep.equal([]);
    expect(found.length).to.be.above(100);
  });

  it('links to pages that exist', () => {
    const links = [...readFileSync(MAP, 'utf8').matchAll(/\]\(([^)#:]+)\)/g)].map(([, link]) => link!);
    expect(links.filter((link) => !existsSync(join(dirname(MAP), link)))).to.deep.equal([]);
    expect(links.length).to.be.above(10);
  });
});
