// Sequences that failed once must not fail again.
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/program/paths.js';
import type { Program } from '../differential/svm.js';
import { playBatch, Worlds } from './batch.js';
import { builtPrograms, shippedFiles } from './files.js';
import { failuresOf, FOUND_FOLDER } from './found.js';
import { toText } from './replay.js';
import { seededBugs } from './seeded.js';
import { explainFailure, shrink } from './shrink.js';

describe('sequences that failed once', function () {
  this.timeout(600_000);
  const files = shippedFiles();
  const folder = mkdtempSync(join(tmpdir(), 'curvekit-found-'));
  let called: readonly Program[];

  before(async () => {
    called = await builtPrograms();
  });
  after(() => rmSync(folder, { recursive: true }));

  it(`Given the files in ${FOUND_FOLDER}, when the shipped programs play them, then none fails`, () => {
    expect(failuresOf(join(ROOT, FOUND_FOLDER), new Worlds(files, called))).to.deep.equal([]);
  });

  it('Given a file of a program with a bug, when a folder with it is played, then only that program fails', async () => {
    const [bug] = seededBugs(files);
    const binary = join(folder, 'seeded.so');
    writeFileSync(binary, bug!.binary);
    const buggy = new Worlds({ ...files, [bug!.of]: binary }, called);
    const { failed } = await playBatch(buggy, { seed: 31, from: 0, episodes: 200 });
    const shrunk = shrink(buggy.at(failed!.episode.spec.amm), failed!.episode, failed!.failure);
    writeFileSync(join(folder, 'a-bug.json'), toText(shrunk.episode));
    expect(explainFailure(shrunk, 'target/a-bug.json', 31, 0)).to.contain(
      `cp target/a-bug.json ${FOUND_FOLDER}/`,
    );
    expect(failuresOf(folder, buggy)).to.have.length(1);
    expect(failuresOf(folder, new Worlds(files, called))).to.deep.equal([]);
  });
});
