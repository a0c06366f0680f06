// What leads a stranger through the repository: the map, the index of decisions, and the links of all documents.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const DECISIONS = 'docs/decisions';
const DOCUMENTS = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...['sdk', 'testing', 'trader', 'examples', 'bench', 'deploy', 'proofs'].map(
    (folder) => `${folder}/README.md`,
  ),
  ...['programs/interface/README.md', 'crates/curvekit-client/README.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
].filter((path) => existsSync(join(ROOT, path)));

/** Folders of sources that the map must explain. What generators write is explained beside them. */
const MAPPED = ['app/src', 'sdk/src'];

describe('the map of the repository', () => {
  for (const root of MAPPED) {
    it(`names every folder of ${root}`, () => {
      const map = read('docs/architecture.md');
      const folders = readdirSync(join(ROOT, root), { withFileTypes: true }).filter((entry) =>
        entry.isDirectory(),
      );
      expect(folders.length).to.be.greaterThan(10);
      expect(
        folders.map(({ name }) => `${name}/`).filter((name) => !map.includes(`\`${name}\``)),
      ).to.deep.equal([]);
    });
  }

  it('lists every decision under its own title', () => {
    const index = read(`${DECISIONS}/README.md`);
    const listed = [...index.matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(
      ([, title, name]) => `${name}: # ${title}`,
    );
    const there = readdirSync(join(ROOT, DECISIONS))
      .filter((name) => name !== 'README.md')
      .map((name) => `${name}: ${read(`${DECISIONS}/${name}`).split('\n', 1)[0]}`);
    expect(listed.sort()).to.deep.equal(there.sort());
  });

  it('has links that lead somewhere', () => {
    const links = DOCUMENTS.flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, to]) => ({
        path,
        to: to!,
      })),
    );
    expect(links.length).to.be.greaterThan(100);
    expect(links.filter(({ path, to }) => !existsSync(join(ROOT, dirname(path), to)))).to.deep.equal([]);
  });

  it('names files that exist, where it says what goes where', () => {
    const paths = [
      ...read('CONTRIBUTING.md').matchAll(/`((?:app|sdk|web|trader|programs|tests|docs)\/[\w./-]+)`/g),
    ].map(([, path]) => path!);
    expect(paths.length).to.be.greaterThan(10);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).to.deep.equal([]);
  });
});
