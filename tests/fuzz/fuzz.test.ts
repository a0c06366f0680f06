// Random steps on the shipped programs, and programs with known bugs, which the same steps must find. For details:
// `npm run fuzz -- --help`. threat: cheating-amm, amm-configuration, upgraded-amm, donated-price
import { AssertionError, expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/program/paths.js';
import type { Program } from '../differential/svm.js';
import { playBatch, Worlds } from './batch.js';
import { playEpisode } from './episode.js';
import { builtPrograms, shippedFiles } from './files.js';
import { CHEATS, HARMLESS } from './graduations.js';
import { fromText, toText } from './replay.js';
import { seededBugs } from './seeded.js';
import { explainFailure, shrink } from './shrink.js';
import { USUAL_SPEC } from './steps.js';
import { runWorkers, type Total } from './workers.js';

const STEPS = Number(process.env['FUZZ_STEPS'] ?? 200_000);
const SEED = 31;
/** Enough episodes for any seeded bug. */
const EPISODES_FOR_A_BUG = 200;
/** The longest sequence that a seeded bug needs. */
const SHORT = 8;

describe('the fuzzer', function () {
  this.timeout(600_000);
  const files = shippedFiles();
  const folder = mkdtempSync(join(tmpdir(), 'curvekit-fuzz-test-'));
  let called: readonly Program[];
  let total: Total;

  before(async () => {
    called = await builtPrograms();
  });
  after(() => rmSync(folder, { recursive: true }));

  const run = (steps: number, workers: number, builds = files): Promise<Total> =>
    runWorkers({ files: builds, called, seed: SEED, steps, workers });

  it(`Given ${STEPS} random steps of seed ${SEED}, when the shipped programs take them, then all that must hold does`, async () => {
    total = await run(STEPS, availableParallelism());
    const { failed } = total;
    if (failed !== undefined) {
      const shrunk = shrink(
        new Worlds(files, called).at(failed.episode.spec.amm),
        failed.episode,
        failed.failure,
      );
      throw new AssertionError(
        `${explainFailure(shrunk, 'failure.json', SEED, failed.index)}\n${toText(shrunk.episode)}`,
      );
    }
    expect(total.steps).to.be.at.least(STEPS);
  });

  it('Given these steps, when they are counted, then every kind has succeeded, and been refused where it can be', () => {
    const kinds = ['buy', 'sell', 'create', 'graduate', 'sweep', 'settings'];
    const expected = [
      ...kinds.flatMap((kind) => [`${kind}: done`, `${kind}: refused`, `hostile ${kind}: refused`]),
      ...['burn', 'close', 'close storage', 'gift', 'gift of tokens'].map((kind) => `${kind}: done`),
      ...['reopen', 'wallet', 'pool fee', 'rent'].map((kind) => `${kind}: done`),
      'migrate: refused',
    ];
    expect(expected.filter((key) => (total.tally[key] ?? 0) < 10)).to.deep.equal([]);
  });

  it('Given the same seed, when one process and two play it, then the digests are the same', async () => {
    const [one, two] = [await run(5_000, 1), await run(5_000, 2)];
    expect(one.digest).to.equal(two.digest);
    expect(one.steps).to.equal(two.steps);
  });

  for (const { what, of, binary } of seededBugs(files)) {
    it(`Given a program with ${what}, when it is fuzzed, then a short sequence shows it, and its file replays it`, async () => {
      const file = join(folder, 'seeded.so');
      writeFileSync(file, binary);
      const worlds = new Worlds({ ...files, [of]: file }, called);
      const { failed } = await playBatch(worlds, { seed: SEED, from: 0, episodes: EPISODES_FOR_A_BUG });
      expect(failed, 'a failure').to.not.equal(undefined);
      const { amm } = failed!.episode.spec;
      const { episode } = shrink(worlds.at(amm), failed!.episode, failed!.failure);
      expect(episode.steps.length).to.be.at.most(SHORT);
      const read = fromText('the file', toText(episode));
      expect(playEpisode(worlds.at(amm), read).failure).to.not.equal(undefined);
      expect(playEpisode(new Worlds(files, called).at(amm), read).failure).to.equal(undefined);
    });
  }

  it('Given a program with a bug, when the command runs it, then it fails, and so does the replay of its file', () => {
    const file = join(folder, 'seeded-for-command.so');
    const [bug] = seededBugs(files);
    writeFileSync(file, bug!.binary);
    const command = (...args: string[]) =>
      spawnSync(process.execPath, ['--import=tsx', 'tests/fuzz/main.ts', ...args], {
        cwd: ROOT,
        encoding: 'utf8',
      });
    const timed = command('--minutes', '1', '--seed', '1', '--workers', '1', '--json', '--curve', file);
    expect(timed.status, timed.stderr).to.equal(1);
    expect(JSON.parse(timed.stdout)).to.include({ seed: 1, failed: true });
    const replay = /--replay (\S+)/.exec(timed.stderr)![1]!;
    expect(command('--replay', replay, '--curve', file).status).to.equal(1);
    expect(command('--replay', replay).status).to.equal(0);
    rmSync(join(ROOT, replay));
  });

  for (const [what, cheat] of Object.entries(CHEATS)) {
    it(`Given an AMM that ${what === 'honest' ? 'does not cheat' : what}, when a curve graduates on it, then it gets no pool unless it is harmless`, () => {
      const cheating = files.amms.length - 1;
      const world = new Worlds(files, called).at(cheating);
      const played = playEpisode(world, {
        spec: { ...USUAL_SPEC, amm: cheating, cheat },
        steps: [
          {
            is: 'settings',
            virtualSol: USUAL_SPEC.virtualSol,
            virtualToken: USUAL_SPEC.virtualToken,
            feeBps: USUAL_SPEC.feeBps,
          },
          { is: 'create', token: 0, trader: 0, afterMigrationFee: 500 },
          {
            is: 'buy',
            token: 0,
            trader: 1,
            amount: { is: 'rest', off: 0n },
            minimum: { is: 'value', value: 0n },
          },
          { is: 'graduate', token: 0, trader: 2 },
        ],
      });
      expect(played.failure).to.equal(undefined);
      expect(played.tally.get(`graduate: ${HARMLESS.includes(cheat) ? 'done' : 'refused'}`)).to.equal(1);
    });
  }
});
