// Each row of docs/threat-model.md names tests that exist.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SECTIONS = ['The program', 'The graduation program', 'The service', 'The market', 'The web page'];

interface Row {
  readonly section: string;
  readonly attack: string;
  readonly tests: readonly NamedTest[];
}

interface NamedTest {
  readonly path: string;
  /** Theorems, functions or titles in the file. */
  readonly names: readonly string[];
}

function rowsOf(markdown: string): Row[] {
  let section = '';
  const rows: Row[] = [];
  for (const line of markdown.split('\n')) {
    section = /^#+ (.+)$/.exec(line)?.[1] ?? section;
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    // A table's line begins and ends with a bar. Its first two lines are the head and dashes.
    if (cells.length !== 5 || cells[1] === 'attack' || /^-+$/.test(cells[1]!)) continue;
    rows.push({ section, attack: cells[1]!, tests: testsIn(cells[3]!) });
  }
  return rows;
}

/** `path`, or `path` (`name`, `name`), one after another. */
function testsIn(cell: string): NamedTest[] {
  const tests = cell.matchAll(/`([^`]+)`(?: \((`[^`]+`(?:, `[^`]+`)*)\))?/g);
  return [...tests].map(([, path, names = '']) => ({
    path: path!,
    names: [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  }));
}

/** Undefined if the file exists, belongs to tests, and has every name. */
function problemOf({ path, names }: NamedTest): string | undefined {
  const file = join(ROOT, path);
  if (!existsSync(file) || !statSync(file).isFile()) return `${path} does not exist`;
  const text = readFileSync(file, 'utf8');
  if (!isTest(path, text) && names.length === 0) return `${path} contains no test, and no name is given`;
  const missing = names.filter((name) => !declarations(path, text).includes(name));
  return missing.length > 0 ? `${path} has no ${missing.join(', ')}` : undefined;
}

function isTest(path: string, text: string): boolean {
  return path.endsWith('.test.ts') || path.endsWith('tests.rs') || text.includes('#[test]');
}

/** The names that a row can give: what is declared in the file, not what it mentions. */
function declarations(path: string, text: string): string[] {
  if (path.endsWith('.v')) return [...text.matchAll(/^(?:Theorem|Corollary|Lemma) (\w+)/gm)].map(first);
  if (path.endsWith('.rs')) return [...text.matchAll(/\bfn (\w+)/g)].map(first);
  return [...text.matchAll(/\b(?:describe|it)\(\s*(['"`])((?:(?!\1).)+)\1/g)].map(([, , title]) => title!);
}

function first([, name]: RegExpMatchArray): string {
  return name!;
}

describe('the threat model', () => {
  const markdown = readFileSync(join(ROOT, 'docs', 'threat-model.md'), 'utf8');
  const rows = rowsOf(markdown);

  for (const section of SECTIONS) {
    it(`names a test in each row about ${section}`, () => {
      const ours = rows.filter((row) => row.section === section);
      expect(ours.length, 'rows').to.be.greaterThan(9);
      expect(ours.filter(({ tests }) => tests.length === 0)).to.deep.equal([]);
    });
  }

  it('has rows in these sections only', () => {
    expect([...new Set(rows.map(({ section }) => section))]).to.deep.equal(SECTIONS);
  });

  it('names only tests, theorems and functions that exist', () => {
    const problems = rows.flatMap(({ attack, tests }) =>
      tests.flatMap((test) => {
        const problem = problemOf(test);
        return problem === undefined ? [] : [`${attack}: ${problem}`];
      }),
    );
    expect(problems).to.deep.equal([]);
  });

  it('names in its text only files that exist', () => {
    const paths = [...markdown.matchAll(/`((?:tests|sdk|proofs)\/[\w./-]+)`/g)].map(first);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).to.deep.equal([]);
  });

  describe('the check notices', () => {
    const noticed = (cell: string): string | undefined => problemOf(testsIn(cell)[0]!);
    it('a file that does not exist', () =>
      expect(noticed('`tests/no-such.test.ts`')).to.equal('tests/no-such.test.ts does not exist'));
    it('a file without a test', () =>
      expect(noticed('`app/src/main.ts`')).to.match(/contains no test, and no name is given$/));
    it('a theorem that is not in the file', () =>
      expect(noticed('`proofs/coq/World.v` (`no_loss`)')).to.equal('proofs/coq/World.v has no no_loss'));
    it('a title that is not in the file', () =>
      expect(
        noticed('`tests/repository/threat-model.test.ts` (`the check notices`, `no such title`)'),
      ).to.equal('tests/repository/threat-model.test.ts has no no such title'));
    it('a row without a test', () =>
      expect(
        rowsOf('## The service\n\n| attack | stops | tested in |\n| - | - | - |\n| a | b | |'),
      ).to.deep.equal([{ section: 'The service', attack: 'a', tests: [] }]));
  });
});
