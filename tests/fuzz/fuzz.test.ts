// Random steps on the shipped programs, and programs with known bugs, which the same steps must find. For details:
// `npm run fuzz -- --help`. threat: cheating-amm, amm-configuration, upgraded-amm, donated-price
// threat: graduate-substitutes, graduate-gifts, closed-storage, amm-fee
import { AssertionError, expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/program/paths.js';
import type { Call, Meta } from '../differential/call.js';
import { seededBugs } from '../differential/mutants.js';
import type { Program } from '../differential/svm.js';
import { playBatch, playEpisode, Worlds } from './batch.js';
import { builtPrograms, shippedFiles } from './files.js';
import { CHEATS, HARMLESS } from './graduations.js';
import { explainFailure, failuresOf, FOUND_FOLDER, shrink, toText } from './failures.js';
import { PLACES, TOKEN_KEYS, type TokenKeys } from './keys.js';
import { audit, play } from './play.js';
import { USUAL_SPEC, type Step } from './steps.js';
import { runWorkers, type Total } from './workers.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const STEPS = Number(process.env['FUZZ_STEPS'] ?? 200_000);
const SEED = 31;
/** Enough episodes for any seeded bug. */
const EPISODES_FOR_A_BUG = 200;
/** The longest sequence that a seeded bug needs. */
const SHORT = 8;
/** A curve without a token left, whose community has a share. */
const SOLD_OUT: readonly Step[] = [
  { is: 'settings', ...USUAL_SPEC },
  { is: 'create', token: 0, trader: 0, afterMigrationFee: 500 },
  {
    ...{ is: 'buy', token: 0, trader: 1 },
    amount: { is: 'rest', off: 0n },
    minimum: { is: 'value', value: 0n },
  },
];

describe('the fuzzer', function () {
  this.timeout(600_000);
  const files = shippedFiles();
  const folder = temporaryFolder('fuzz-test');
  let called: readonly Program[];
  let total: Total;

  before(async () => (called = await builtPrograms()));

  const run = (steps: number, workers: number): Promise<Total> =>
    runWorkers({ files, called, seed: SEED, steps, workers });

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
      const shrunk = shrink(worlds.at(amm), failed!.episode, failed!.failure);
      const { episode } = shrunk;
      expect(episode.steps.length).to.be.at.most(SHORT);
      writeFileSync(join(folder, 'a-bug.json'), toText(episode));
      expect(failuresOf(folder, worlds)).to.have.length(1);
      expect(failuresOf(folder, new Worlds(files, called))).to.deep.equal([]);
      const keep = `cp target/a-bug.json ${FOUND_FOLDER}/`;
      expect(explainFailure(shrunk, 'target/a-bug.json', SEED, 0)).to.contain(keep);
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
    const found = command('--seed', '1', '--workers', '1', '--json', '--curve', file);
    expect(found.status, found.stderr).to.equal(1);
    expect(JSON.parse(found.stdout)).to.include({ seed: 1, failed: true });
    const replay = /--replay (\S+)/.exec(found.stderr)![1]!;
    expect(command('--replay', replay, '--curve', file).status).to.equal(1);
    expect(command('--replay', replay).status).to.equal(0);
    rmSync(join(ROOT, replay));
  });

  it(`Given the files in ${FOUND_FOLDER}, when the shipped programs play them, then none fails`, () => {
    expect(failuresOf(join(ROOT, FOUND_FOLDER), new Worlds(files, called))).to.deep.equal([]);
  });

  for (const [what, cheat] of Object.entries(CHEATS)) {
    it(`Given an AMM that ${what === 'honest' ? 'does not cheat' : what}, when a curve graduates on it, then it gets no pool unless it is harmless`, () => {
      const cheating = files.amms.length - 1;
      const world = new Worlds(files, called).at(cheating);
      const played = playEpisode(world, {
        spec: { ...USUAL_SPEC, amm: cheating, cheat },
        steps: [...SOLD_OUT, { is: 'graduate', token: 0, trader: 2 }],
      });
      expect(played.failure).to.equal(undefined);
      expect(played.tally.get(`graduate: ${HARMLESS.includes(cheat) ? 'done' : 'refused'}`)).to.equal(1);
    });
  }

  it('Given a sold-out curve, when one account, flag, bump or byte of its graduation is wrong, then it is refused', () => {
    const world = new Worlds(files, called).at(0);
    world.reset(USUAL_SPEC);
    for (const step of SOLD_OUT) expect(play(world, step)).to.equal(undefined);
    const [{ graduate }, other] = TOKEN_KEYS as [TokenKeys, TokenKeys];
    const right = graduate[2]!;
    const { metas, data } = right;
    const wrong = new Map<string, Call>();
    const substitutes = new Map(
      [...PLACES, ...other.graduate[2]!.metas.map(({ key }) => key)].map((key) => [key.hex, key]),
    );
    for (const [at, meta] of metas.entries()) {
      const withMeta = (change: Partial<Meta>) => ({
        ...right,
        metas: metas.with(at, { ...meta, ...change }),
      });
      if (at > 0)
        for (const [hex, key] of substitutes)
          if (hex !== meta.key.hex) wrong.set(`account ${at} is ${hex}`, withMeta({ key }));
      if (at > 0 && meta.isWritable) wrong.set(`account ${at} is read-only`, withMeta({ isWritable: false }));
      if (meta.isSigner) wrong.set(`account ${at} does not sign`, withMeta({ isSigner: false }));
      wrong.set(`${at} accounts`, { ...right, metas: metas.slice(0, at) });
    }
    for (let at = 0; at < data.length; at += 1) {
      wrong.set(`${at} bytes`, { ...right, data: data.subarray(0, at) });
      for (const step of [1, 128, 255]) {
        const bytes = Buffer.from(data);
        bytes[at] = (data[at]! + step) % 256;
        wrong.set(`byte ${at} is ${step} more`, { ...right, data: bytes });
      }
    }
    for (const [what, call] of wrong) expect(world.send(call), what).to.not.equal(undefined);
    audit(world);
    expect(play(world, { is: 'graduate', token: 0, trader: 2 })).to.equal(undefined);
  });
});
