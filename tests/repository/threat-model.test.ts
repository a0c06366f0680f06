// Each row of docs/threat-model.md names tests that exist.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A shorter part of a title could stand in many. */
const LEAST_LETTERS = 12;
const SECTIONS = ['The program', 'The graduation program', 'The service', 'The market', 'The web page'];

const TITLES = /\b(?:describe|it)\(\s*(['"`])((?:(?!\1).)+)\1/g;
/** The beginning of a row in a table from which a loop makes tests. */
const TABLE_ROWS = /(?:\[\s*|\bwhat: |\bfault\(\d, )(['"])((?:(?!\1).)+)\1,/g;

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
  const declared = declarations(path, text);
  const missing = names.filter((name) => !declared.some((title) => title === name || isPart(title, name)));
  return missing.length > 0 ? `${path} has no ${missing.join(', ')}` : undefined;
}

function isTest(path: string, text: string): boolean {
  return path.endsWith('.test.ts') || path.endsWith('tests.rs') || text.includes('#[test]');
}

/** The names that a row can give: what is declared in the file, not what it mentions. */
function declarations(path: string, text: string): string[] {
  if (path.endsWith('.v')) return [...text.matchAll(/^(?:Theorem|Corollary|Lemma) (\w+)/gm)].map(first);
  if (path.endsWith('.rs')) return [...text.matchAll(/\bfn (\w+)/g)].map(first);
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, , title]) => title!);
  return [...found(TITLES), ...found(TABLE_ROWS).filter(({ length }) => length >= LEAST_LETTERS)];
}

/** Whether a name begins or ends one of the constant parts of a title that is made from a template. */
function isPart(title: string, name: string): boolean {
  const parts = title.split(/\$\{[^}]*\}/).map((part) => part.trim());
  return (
    parts.length > 1 &&
    name.length >= LEAST_LETTERS &&
    parts.some((part) => part.startsWith(name) || part.endsWith(name))
  );
}

/** Rows which name a file and nothing in it. */
function vague(rows: readonly Row[]): string[] {
  return rows
    .filter(({ tests }) => tests.some(({ names }) => names.length === 0))
    .map(({ attack }) => attack);
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

  it('names a title, a function or a theorem in each row, not only a file', () => {
    expect(vague(rows)).to.deep.equal([]);
  });

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
    it('a row which names only a file', () =>
      expect(vague(rowsOf('| a | b | `x.test.ts` (`y`), `z.test.ts` |'))).to.deep.equal(['a']));
    it('a title made from a template, of which a row names too little or a word that changes', () => {
      const title = 'Given ${many} steps, when all are taken';
      const found = ['steps, when all are taken', 'when all are taken', 'taken', 'many'];
      expect(found.map((name) => isPart(title, name))).to.deep.equal([true, true, false, false]);
    });
    it('what is no row of a table of tests', () => {
      const text = `[['a wrong account', wrong], ['a mint', wrong]]; fault(2, 'a wrong payer', wrong); say('a wrong word');`;
      expect(declarations('x.test.ts', text)).to.deep.equal(['a wrong account', 'a wrong payer']);
    });
    it('a row without a test', () =>
      expect(
        rowsOf('## The service\n\n| attack | stops | tested in |\n| - | - | - |\n| a | b | |'),
      ).to.deep.equal([{ section: 'The service', attack: 'a', tests: [] }]));
  });
});
