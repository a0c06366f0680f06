// The page about the proofs says what Coq checks: `npm run prove` proves it, in the suite `proofs`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

import { handWritten, theoremsOf } from '../../scripts/prove/coq.js';
import { TRANSLATIONS } from '../../scripts/prove/translation.js';

const PROOFS = fileURLToPath(new URL('../../proofs', import.meta.url));
const PAGE = readFileSync(join(PROOFS, 'README.md'), 'utf8');
const FILES = handWritten();

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

describe('the page about the proofs', () => {
  it('quotes its statements from the files that Coq checks', () => {
    const proved = [...FILES.values()].map(oneLine).join('\n');
    const quoted = [...PAGE.matchAll(/```coq\n([\s\S]+?)```/g)].map(([, block]) => oneLine(block!));
    expect(quoted.length).to.be.at.least(12);
    expect(quoted.filter((statement) => !proved.includes(statement))).to.deep.equal([]);
  });

  it('names only theorems that are there', () => {
    const theorems = theoremsOf(FILES).map((theorem) => theorem.split('.')[1]);
    const named = [...PAGE.matchAll(/\(?`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name!);
    expect(named.length).to.be.at.least(8);
    expect(named.filter((name) => !theorems.includes(name) && name !== 'fee_allowed')).to.deep.equal([]);
  });

  it('has a committed translation of every source, and no other', () => {
    const committed = readdirSync(join(PROOFS, 'coq', 'generated'));
    expect(committed.sort()).to.deep.equal(TRANSLATIONS.map(({ coq }) => `${coq}.v`).sort());
  });

  it('is about proofs without axioms', () => {
    for (const [name, text] of FILES)
      expect(text, name).not.to.match(/\b(Admitted|admit|Axiom|Parameter|Hypothesis|Conjecture)\b/);
  });
});
