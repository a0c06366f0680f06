/** Whether the versions, the changelog and the changesets agree with what the reports of public names say has changed. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChangesets } from '@changesets/read';

/** How far a release raises the version; its index grows with it. */
const STEPS = ['none', 'patch', 'minor', 'major'];
/** Committed, and compared by tests with what is built. Each is read as public names and their declarations. */
const REPORTS = { 'sdk/api.txt': namesOf, 'trade/schemas.json': schemasOf };
/** Files with a version beside those of the workspaces; only the ones that exist. */
const MANIFESTS = [
  ...['package.json', 'sdk/python/pyproject.toml'],
  ...['crates/curvekit-client/Cargo.toml', 'programs/interface/Cargo.toml'],
];
/** Declarations that can grow without a break: classes, and the documents that a command prints. */
const CAN_GROW = /^(\w+:.*\ndeclare (abstract )?class|\{)/;

/** @returns what is wrong, and what to do */
export async function changeProblems(folder: string): Promise<string[]> {
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const sections = sectionsOf(read('CHANGELOG.md'));
  const [unreleased, newest, previous] = sections;
  const version = newest?.version;
  if (unreleased?.heading !== '[Unreleased]' || version === undefined)
    return ['CHANGELOG.md: its first headings must be "## [Unreleased]" and "## [1.2.3] - 2026-12-31"'];
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
  const problems = [...MANIFESTS, ...workspaces.map((name) => `${name}/package.json`)]
    .filter((path) => existsSync(join(folder, path)))
    .map((path) => ({ path, found: /^(?:\s*"version":|version =) "(.+)"/m.exec(read(path))?.[1] }))
    .filter(({ found }) => found !== version)
    .map(({ path, found }) => `${path}: version ${found}, but the newest in CHANGELOG.md is ${version}`);

  const planned = (await readChangesets(folder)).flatMap(({ releases }) => releases);
  const step = Math.max(0, ...planned.map(({ type }) => STEPS.indexOf(type)));
  const due = dueOf(unreleased, version);
  if (step < due || (step > 0 && due === 0))
    problems.push(
      `.changeset: asks for ${STEPS[step]}, but [Unreleased] in CHANGELOG.md for ${STEPS[due]}: run \`npx changeset\` or correct the entries`,
    );
  if (previous?.version !== undefined && stepOf(previous.version, version) < dueOf(newest!, previous.version))
    problems.push(`CHANGELOG.md: ${version} is too small a step for its entries under Changed or Removed`);

  const then = atLastRelease(folder, 'CHANGELOG.md');
  const lines = sections.flatMap(({ told }) => told.split('\n'));
  const told = lines.filter((line) => !then.includes(line)).join('\n');
  for (const [report, parse] of Object.entries(REPORTS)) {
    const after = parse(read(report));
    for (const [name, text] of parse(atLastRelease(folder, report))) {
      const now = after.get(name);
      if (now === text || (now !== undefined && isAddition(text, now))) continue;
      const what = `${report}: ${name} was ${now === undefined ? 'removed' : 'changed'} since the last release`;
      if (!new RegExp(`\\b${/^\w+/.exec(name)![0]}\\b`).test(told))
        problems.push(`${what}: name it in CHANGELOG.md under Changed, Deprecated or Removed`);
      if (now === undefined && isStable(version) && !text.includes('@deprecated'))
        problems.push(`${what}: release it with @deprecated first`);
    }
  }
  return problems;
}

function sectionsOf(changelog: string) {
  const sections = changelog.split(/^## /m).slice(1);
  return sections.map((text) => {
    const heading = text.split('\n', 1)[0]!;
    const under = (title: RegExp): string[] => text.split(/^### /m).filter((part) => title.test(part));
    return {
      heading,
      version: /^\[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/.exec(heading)?.[1],
      told: under(/^(Changed|Deprecated|Removed)\n/).join(''),
      breaks: under(/^(Changed|Removed)\n/).length > 0,
      isEmpty: !/^- /m.test(text),
    };
  });
}

const isStable = (version: string): boolean => !version.startsWith('0.');

/** The least step after a version that a section's entries need. */
function dueOf({ breaks, isEmpty }: ReturnType<typeof sectionsOf>[number], after: string): number {
  if (isEmpty) return 0;
  return breaks ? STEPS.indexOf(isStable(after) ? 'major' : 'minor') : STEPS.indexOf('patch');
}

function stepOf(from: string, to: string): number {
  const numbers = from.split('.');
  return STEPS.length - 1 - to.split('.').findIndex((number, index) => number !== numbers[index]);
}

/** A file as it was when the newest heading of a version was committed, but for the commit at hand. Empty before the first one. */
function atLastRelease(folder: string, path: string): string {
  const git = (...args: string[]): string =>
    spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 }).stdout;
  const commit = git('log', '-1', '--format=%H', '-G^## \\[[0-9]', 'HEAD~1', '--', 'CHANGELOG.md').trim();
  return commit === '' ? '' : git('show', `${commit}:${path}`);
}

/** By name and entry. A name that several entries export is described where it comes first. */
function namesOf(report: string): Map<string, string> {
  const names = new Map<string, string>();
  let entry = '';
  for (const block of report.split(/\n\n+/).map((text) => text.trimEnd())) {
    const [, name = '', first] = /^(\S+):(?: as in \.(\S*))?/.exec(block) ?? [];
    const key = (of: string | undefined): string => `${name} of @curvekit/sdk${of}`;
    if (block.startsWith('# ')) entry = block.slice('# .'.length);
    else if (name !== '') names.set(key(entry), names.get(key(first)) ?? block);
  }
  return names;
}

function schemasOf(report: string): Map<string, string> {
  const { $defs } = JSON.parse(report || '{"$defs":{}}') as { $defs: Record<string, unknown> };
  const text = (schema: unknown): string => JSON.stringify(schema, null, 1).replaceAll(/,$/gm, '');
  return new Map(Object.entries($defs).map(([name, schema]) => [name, text(schema)]));
}

/** Whether only members were added, which in an interface are optional. */
function isAddition(before: string, after: string): boolean {
  const left = before.split('\n');
  const added = after.split('\n').filter((line) => line !== left[0] || left.shift() === undefined);
  return left.length === 0 && (CAN_GROW.test(after) || added.every((line) => /^\s.*\?:/.test(line)));
}
