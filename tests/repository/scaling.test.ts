// docs/run.md names only what exists, where it says how to grow.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ALL_VARIABLES } from '#app/config/settings.js';
import { ROLES } from '#app/config/roles.js';
import { ALERTS } from '#tests/deploy/kit.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const PAGE = textOf('docs/run.md').split('\n## Grow\n')[1]!;
/** Blocks and spans of code. */
const CODE = [...PAGE.matchAll(/```bash\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
  ([, block, span]) => block ?? span!,
);

/** Each match in the code, once. */
function named(pattern: RegExp): string[] {
  return [...new Set(CODE.flatMap((code) => [...code.matchAll(pattern)].map(([, name]) => name!)))];
}

describe('docs/run.md, Grow,', () => {
  it('names variables that the service reads', () => {
    // With a dollar it is the operator's own.
    const names = named(/(?<![$\w])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b(?!')/g);
    const given = named(/(?<![$\w])([A-Z][A-Z0-9_]*)=/g);
    expect(names).to.include.members(['DATABASE_URL', 'YELLOWSTONE_URL']);
    expect(given).to.include.members(['ROLE', 'STREAMS', 'HOST']);
    expect([...names, ...given].filter((name) => !ALL_VARIABLES.includes(name))).to.deep.equal([]);
  });

  it('names roles that a process can have', () => {
    const names = [...named(/\bROLE=(\w+)/g), ...named(/--role (\w+)/g)];
    expect([...new Set(names)].sort()).to.deep.equal([...ROLES].sort());
  });

  it('names scripts that npm can run', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const names = [...named(/npm run ([\w:]+)/g), ...named(/npm (start)\b/g)];
    expect(names).to.include('start');
    expect(names.filter((name) => !(name in scripts))).to.deep.equal([]);
  });

  it('names metrics that the service has, and alerts with their paragraphs', () => {
    // A test compares the dashboard with the metrics of a running service.
    const metrics = new Set(textOf('deploy/grafana/curvekit.json').match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g));
    const roles = new Set([...PAGE.matchAll(/create role (\w+)/g)].map(([, role]) => role));
    const names = named(/\b((?:curvekit|process|nodejs)_\w+)/g).filter((name) => !roles.has(name));
    expect(names.length).to.be.at.least(8);
    expect(names.filter((name) => !metrics.has(name))).to.deep.equal([]);
    const alerts = [...PAGE.matchAll(/\[(\w+)\]\(recover\.md#(\w+)\)/g)];
    expect(alerts.length).to.be.at.least(4);
    for (const [, name, anchor] of alerts) {
      expect(ALERTS.map(({ alert }) => alert)).to.include(name);
      expect(name!.toLowerCase()).to.equal(anchor);
      expect(textOf('docs/recover.md')).to.match(new RegExp(`^##+ ${name}$`, 'm'));
    }
  });

  it('names files of the repository', () => {
    const files = named(/\b(deploy\/[\w./-]+)/g);
    expect(files.length).to.be.at.least(4);
    expect(files.filter((path) => !existsSync(join(ROOT, path)))).to.deep.equal([]);
  });
});
