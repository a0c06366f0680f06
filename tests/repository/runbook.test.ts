// Each finding of `curvekit doctor` has its paragraph in the runbook, and each paragraph has a finding or an alert.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';
import { failure, warning, type Finding, PARAGRAPHS } from '#app/operator/doctor/finding.js';
import { ALERTS } from '#tests/deploy/kit.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHECKS = join(ROOT, 'app/src/operator/doctor');

/** The paragraphs by their headings. */
const paragraphs = new Map(
  readFileSync(join(ROOT, 'docs/recover.md'), 'utf8')
    .split('\n# Backups and upgrades\n')[0]!
    .split(/^#+ /m)
    .slice(2)
    .map((text) => [text.split('\n', 1)[0]!, text] as const)
    .filter(([heading]) => heading !== 'Findings of curvekit doctor'),
);

/** What the checks give as the last argument of `failure` and `warning`. */
function linkedParagraphs(): Set<string> {
  const linked = new Set<string>();
  for (const name of readdirSync(CHECKS)) {
    const file = ts.createSourceFile(
      name,
      readFileSync(join(CHECKS, name), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const visit = (node: ts.Node): void => {
      const last = ts.isCallExpression(node) ? node.arguments.at(-1) : undefined;
      if (last && ts.isStringLiteral(last) && /failure|warning/.test(last.parent.getText(file)))
        linked.add(last.text);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return linked;
}

describe("the runbook's paragraphs for findings of doctor", () => {
  it('exist for each link that a finding or an alert has, and say what to do', () => {
    for (const { alert, annotations } of ALERTS)
      expect(annotations.runbook).to.equal(`docs/recover.md#${alert.toLowerCase()}`);
    for (const name of [...PARAGRAPHS, ...ALERTS.map(({ alert }) => alert)])
      expect(paragraphs.get(name), name).to.contain('**Do** ');
  });

  it('are each linked by a finding, or of an alert', () => {
    const linked = linkedParagraphs();
    expect(PARAGRAPHS.filter((name) => !linked.has(name))).to.deep.equal([]);
    const alerts = ALERTS.map(({ alert }) => alert);
    const known: readonly string[] = [...PARAGRAPHS, ...alerts];
    expect([...paragraphs.keys()].filter((name) => !known.includes(name))).to.deep.equal([]);
  });

  it('are linked by every finding that is not right', () => {
    for (const find of [warning, failure])
      expect(find('clock', 'is wrong', 'correct it', 'ClockWrong').runbook).to.equal(
        'docs/recover.md#clockwrong',
      );
    // Only compiled: the types refuse a finding without a paragraph of the list.
    const refused = [
      // @ts-expect-error the paragraph is missing
      () => failure('clock', 'is wrong', 'correct it'),
      // @ts-expect-error the runbook has no such paragraph
      () => failure('clock', 'is wrong', 'correct it', 'ClockRight'),
      // @ts-expect-error the link is missing
      (): Finding => ({ subject: 'clock', state: 'failure', detail: 'is wrong', fix: 'correct it' }),
    ];
    expect(refused).to.have.length(3);
  });
});
