// What `npm run prove` notices: mistakes that are made here on purpose, in copies. `npm run prove -- --mutants` alters each rounding.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { rejection } from '#tests/mocha/failures.js';
import { CommandError } from '../../scripts/command-line.js';
import {
  assumptionsFile,
  checkAssumptions,
  checkFiles,
  handWritten,
  withImports,
} from '../../scripts/prove/coq.js';
import { buildModel, compareCalls } from '../../scripts/prove/model.js';
import * as sources from '../../scripts/prove/translation.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

describe('the check of the proofs', function () {
  this.timeout(300_000);
  const translated = new Map<string, string>();
  let files: Map<string, string>;

  before('translate the sources', async () => {
    await sources.buildPrograms();
    for (const one of sources.TRANSLATIONS) translated.set(one.coq, await sources.translate(one));
    files = new Map([...translated, ...handWritten()]);
  });

  /** A new folder with files, which are not compiled yet. */
  function folderOf(texts: ReadonlyMap<string, string>): string {
    const folder = temporaryFolder('proofs');
    for (const [name, text] of texts) writeFileSync(join(folder, `${name}.v`), text);
    return folder;
  }
  const prove = (folder: string, texts: ReadonlyMap<string, string>, name: string) =>
    checkFiles(folder, texts, withImports(texts, name), availableParallelism());
  const problem = async (promise: Promise<unknown>) => (await rejection(promise, CommandError)).message;

  it('names a committed translation that is not that of the sources', () => {
    sources.requireCommitted(translated);
    const stale = new Map(translated).set('Split', `${translated.get('Split')} `);
    expect(() => sources.requireCommitted(stale)).to.throw(CommandError, 'the proofs hold, but Split.v in');
  });

  for (const [what, assumed, proof] of [
    [
      'an axiom',
      'unproved',
      'Axiom unproved : 1 = 2.\nTheorem wrong : 1 = 2.\nProof. exact unproved. Qed.\n',
    ],
    ['a proof that was left out', 'wrong', 'Theorem wrong : 1 = 2.\nProof. Admitted.\n'],
  ] as const)
    it(`names ${what}`, async () => {
      const texts = new Map<string, string>([['Wrong', proof]]);
      const folder = folderOf(texts.set('Assumptions', assumptionsFile(['Wrong.wrong'])));
      await prove(folder, texts, 'Wrong');
      const message = await problem(checkAssumptions(folder));
      expect(message)
        .to.match(/^the theorems assume what is not proved:/)
        .and.contain(`${assumed} : 1 = 2`);
    });

  it('finds the one call that differs', async () => {
    const folder = folderOf(files);
    await prove(folder, files, 'Extract');
    await buildModel(folder);
    const calls = execFileSync(join(sources.TARGET, 'trades'), ['2000', '31'], { encoding: 'utf8' });
    expect(await compareCalls(folder, Readable.from(calls))).to.contain('2000');
    const [right] = /^sol .* \d+$/m.exec(calls)!;
    const wrong = right.replace(/\d+$/, (least) => String(BigInt(least) + 1n));
    const altered = Readable.from(calls.replace(right, wrong));
    expect(await problem(compareCalls(folder, altered))).to.contain(wrong);
  });
});
