// The documents name only what exists: folders, files, links, commands, variables, metrics, alerts and findings.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { ALL_VARIABLES } from '#app/config/settings.js';
import { failure, PARAGRAPHS } from '#app/operator/doctor/finding.js';
import { ALERTS } from '#tests/deploy/kit.js';
import { runCommand } from '#tests/service/cli.js';
import { ROOT } from '#tests/process/run.js';

const MAP = 'docs/architecture.md';
const DECISIONS = 'docs/decisions';
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const folders = (path: string): string[] =>
  readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const PAGES = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name));
const DOCUMENTS = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...['sdk', 'sdk/python', 'sdk/go', 'testing', 'trade', 'examples', 'scripts/bench', 'deploy', 'proofs'].map(
    (folder) => `${folder}/README.md`,
  ),
  ...['programs/interface/README.md', 'crates/curvekit-client/README.md', ...PAGES],
].filter((path) => existsSync(join(ROOT, path)));

const codeIn = (path: string): string[] => read(path).match(/```[\s\S]*?```|`[^`\n]+`/g) ?? [];

describe('the map of the repository', () => {
  /** The folder in a section's title, or the repository if the title has none. */
  const sections = read(MAP)
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ folder: /^.*\(`([^`]+)`\)/.exec(text)?.[1] ?? '', text }));
  /** What looks like a path: a folder with its slash, or a file with a known ending. */
  const paths = (text: string): string[] =>
    [...text.matchAll(/`([\w.*-]+(?:\/[\w.*-]+)*(?:\/|\.(?:ts|tsx|rs|sql|md|txt)))`/g)].map(
      ([, path]) => path!,
    );

  for (const whole of [
    ...['programs/interface/src', 'programs/bonding-curve/src', 'sdk/src', 'app/src', 'web/src'],
    ...['tests', 'tests/support', 'scripts'],
  ])
    it(`names every folder of ${whole}`, () => {
      const text = sections
        .filter(({ folder }) => ['', whole].includes(folder))
        .map((section) => section.text);
      const named = new Set(paths(text.join('\n')).flatMap((path) => path.split('/')));
      expect(folders(whole).filter((name) => !named.has(name))).to.deep.equal([]);
    });

  it('names only files and folders that exist', () => {
    const found = sections.flatMap(({ folder, text }) => paths(text).map((path) => ({ folder, path })));
    // A pattern stands for the folder that it is in. A name may leave out one folder that the sentence has named.
    const solid = (path: string) =>
      path.includes('*') ? dirname(path.slice(0, path.indexOf('*') + 1)) : path;
    const near = (base: string): string[] => [base, ...folders(base).map((name) => join(base, name))];
    const missing = found.filter(
      ({ folder, path }) =>
        ![folder, dirname(folder), 'tests/support', '']
          .flatMap((base) => near(base))
          .some((base) => existsSync(join(ROOT, base, solid(path)))),
    );
    expect(missing).to.deep.equal([]);
    expect(found.length).to.be.above(100);
  });

  it('lists every decision under its own title', () => {
    const listed = [...read(`${DECISIONS}/README.md`).matchAll(/^- \[(.+)\]\((.+)\)$/gm)];
    const there = readdirSync(join(ROOT, DECISIONS)).filter((name) => name !== 'README.md');
    expect(listed.map(([, title, name]) => `${name}: # ${title}`).sort()).to.deep.equal(
      there.map((name) => `${name}: ${read(`${DECISIONS}/${name}`).split('\n', 1)[0]}`).sort(),
    );
  });
});

describe('the documents', () => {
  it('have links that lead somewhere', () => {
    const links = DOCUMENTS.flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, to]) => ({
        path,
        to: to!,
      })),
    );
    expect(links.length).to.be.greaterThan(100);
    expect(links.filter(({ path, to }) => !existsSync(join(ROOT, dirname(path), to)))).to.deep.equal([]);
  });

  it('name files that exist, where they say what goes where and how to grow', () => {
    const named = ['CONTRIBUTING.md', 'docs/run.md'].flatMap((path) => [
      ...codeIn(path)
        .join('\n')
        .matchAll(/(?<![\w/])((?:app|sdk|web|trade|programs|tests|docs|deploy)\/(?!dist\b)[\w./-]*\w)/g),
    ]);
    expect(named.length).to.be.greaterThan(14);
    expect(named.filter(([, path]) => !existsSync(join(ROOT, path!)))).to.deep.equal([]);
  });

  it('name variables that the service reads, and scripts that npm can run', () => {
    const code = codeIn('docs/run.md').join('\n');
    // With a dollar it is the operator's own; what begins with CURVE_ is of the programs' build.
    const variables = [...code.matchAll(/(?<![$\w])(?!CURVE_)([A-Z][A-Z0-9_]*)=/g)].map(([, name]) => name!);
    expect(variables).to.include.members(['ROLE', 'STREAMS', 'HOST']);
    expect(variables.filter((name) => !ALL_VARIABLES.includes(name))).to.deep.equal([]);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const names = DOCUMENTS.flatMap((path) => [
      ...codeIn(path)
        .join('\n')
        .matchAll(/npm run (?:--silent )?([\w:-]+)(?![\w:-]| -w)/g),
    ]);
    expect(names.length).to.be.above(20);
    expect(names.filter(([, name]) => !(name! in scripts)).map(String)).to.deep.equal([]);
  });

  it('name metrics that the service has', () => {
    // A test compares the dashboard with the metrics of a running service.
    const metrics = new Set(read('deploy/grafana/curvekit.json').match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g));
    const grow = read('docs/run.md').split('\n## Grow\n')[1]!;
    const roles = new Set([...grow.matchAll(/create role (\w+)/g)].map(([, role]) => role));
    const names = [...grow.matchAll(/\b((?:curvekit|process|nodejs)_\w+)/g)].map(([, name]) => name!);
    expect(names.length).to.be.at.least(8);
    expect(names.filter((name) => !metrics.has(name) && !roles.has(name))).to.deep.equal([]);
  });
});

describe('the commands in the documents', () => {
  /** After a backtick, a variable or at the beginning of a line. The memo of a settlement begins like a command. */
  const COMMAND = /(?:^|[`\s])curvekit ((?!settlement )(?:[a-z][a-z-]* ?)+)([^`\n|]*)/gm;
  const helps = new Map<string, Promise<string | undefined>>();

  async function helpOf(name: string): Promise<string | undefined> {
    const { exitCode, out } = await runCommand([...name.split(' '), '--help']);
    return exitCode === 0 && out.startsWith(`Usage: curvekit ${name} `) ? out : undefined;
  }
  function help(...words: readonly string[]): Promise<string | undefined> {
    const name = words.join(' ');
    if (!helps.has(name)) helps.set(name, helpOf(name));
    return helps.get(name)!;
  }
  /** What is wrong with a command as written; undefined when nothing is. */
  async function problemOf(words: readonly string[], rest: string): Promise<string | undefined> {
    const said =
      (words[1] === undefined ? undefined : await help(words[0]!, words[1])) ?? (await help(words[0]!));
    if (said === undefined) return `curvekit ${words.join(' ')}: no such command`;
    const options = [...rest.replace(/#.*$/, '').matchAll(/(?<=^|\s|\[)--[a-z-]+/g)].map(String);
    const unknown = options.filter((option) => !new RegExp(`${option}[ ,\n]`).test(said));
    return unknown.length === 0 ? undefined : `curvekit ${words.join(' ')}: no ${unknown.join(', ')}`;
  }

  it('exist, with their options', async () => {
    const found = PAGES.flatMap((path) => [...codeIn(path).join('\n').matchAll(COMMAND)]);
    expect(found.length).to.be.above(50);
    const problems = await Promise.all(
      found.map(([, words = '', rest = '']) => problemOf(words.trim().split(' '), rest)),
    );
    expect(problems.filter((problem) => problem !== undefined)).to.deep.equal([]);
  });
});

describe("the runbook's paragraphs", () => {
  const paragraphs = new Map(
    read('docs/recover.md')
      .split('\n# Backups and upgrades\n')[0]!
      .split(/^#+ /m)
      .slice(2)
      .map((text) => [text.split('\n', 1)[0]!, text] as const)
      .filter(([heading]) => heading !== 'Findings of curvekit doctor'),
  );
  const known: readonly string[] = [...PARAGRAPHS, ...ALERTS.map(({ alert }) => alert)];

  it('exist for each finding of doctor and each alert, say what to do, and are linked by it', () => {
    expect([...paragraphs.keys()].sort()).to.deep.equal([...new Set(known)].sort());
    for (const name of known) expect(paragraphs.get(name), name).to.contain('**Do** ');
    for (const { alert, annotations } of ALERTS)
      expect(annotations.runbook).to.equal(`docs/recover.md#${alert.toLowerCase()}`);
    expect(failure('clock', 'is wrong', 'correct it', 'ClockWrong').runbook).to.equal(
      'docs/recover.md#clockwrong',
    );
  });

  it('are each linked by a check of doctor, or of an alert', () => {
    const checks = folderText('app/src/operator/doctor');
    const links = new Set([...checks.matchAll(/'([A-Z]\w+)',?\s*\)/g)].map(([, name]) => name));
    expect(PARAGRAPHS.filter((name) => !links.has(name))).to.deep.equal([]);
  });

  const folderText = (folder: string): string =>
    readdirSync(join(ROOT, folder))
      .map((name) => read(join(folder, name)))
      .join('\n');
});
