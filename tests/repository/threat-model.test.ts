// Each threat of docs/threat-model.md has a test with its name at the end of a comment, after `threat: `.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const FOLDERS = ['tests', 'sdk', 'programs', 'crates', 'proofs'];

it('each threat of the model has a tagged test, and each tag names a threat', () => {
  const page = readFileSync('docs/threat-model.md', 'utf8');
  const threats = [...page.matchAll(/^\| (?!threat )([a-z-]*[a-z]) +\|/gm)].map(([, threat]) => threat!);
  expect(threats.length).to.be.greaterThan(150);
  const lines = execFileSync('git', ['grep', '-hE', '(//|\\(\\*).*threat: [a-z]', '--', ...FOLDERS], {
    encoding: 'utf8',
  });
  const tags = [...lines.matchAll(/threat: ([a-z, -]*[a-z])/g)].flatMap(([, list]) => list!.split(', '));
  expect([...new Set(tags)].sort()).to.deep.equal(threats.sort());
});
