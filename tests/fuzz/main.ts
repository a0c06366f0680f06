/** `npm run fuzz`: random steps against everything that must hold. */
import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { grouped, renderTable, right, showsColour } from '#app/operator/table.js';
import { CommandError, runCommand, wholeNumber } from '../../scripts/command-line.js';
import { PROGRAM_SO, ROOT } from '../../scripts/program/paths.js';
import { buildCheating } from '../../scripts/program/toolchain.js';
import { calledPrograms } from '../differential/programs.js';
import { playEpisode, Worlds, type Files } from './batch.js';
import { shippedFiles } from './files.js';
import { explainFailure, fromText, shrink, toText } from './failures.js';
import { runWorkers, type Total } from './workers.js';

const HELP = `npm run fuzz [-- --steps N] [-- --seed N] [-- --workers N] [-- --replay FILE] [-- --json]

Plays random steps on the shipped programs, in virtual machines: traders, creators, the admin and other wallets create tokens,
buy, sell, graduate, sweep, change settings, send gifts to every address, burn tokens, close accounts, and call with wrong
accounts. Pools open on Raydium's builds (where they are in .cache), on the stand-in, and on an AMM that cheats. Every step
is compared with what it must do, by the SDK's exact quotes, and with what always holds (proofs/README.md). The first failure
ends the run. Its shortest sequence of steps is written to a file.

  --steps N         200,000 unless said otherwise
  --seed N          repeats a run; without it, a new one
  --workers N       processes; one for each core unless said otherwise. The result is the same for any number
  --replay FILE     plays the sequence in FILE instead
  --curve FILE      programs/artifacts/${PROGRAM_SO} unless said otherwise
  --graduation FILE programs/artifacts/graduation.so unless said otherwise
  --json            one line of JSON at the end`;

const MOST = 1_000_000_000;
const MOST_WORKERS = 64;
const PROGRESS_MS = 2_000;
const FOUND = join(ROOT, 'target', 'fuzz');

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '200000' },
    seed: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    replay: { type: 'string' },
    curve: { type: 'string' },
    graduation: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const say = (line: string): void => console.error(line);

runCommand(HELP, async () => {
  if (values.help) return console.log(HELP);
  buildCheating(say);
  const shipped = shippedFiles();
  const { curve = shipped.curve, graduation = shipped.graduation } = values;
  const files = { ...shipped, curve, graduation };
  if (values.replay === undefined) await fuzz(files);
  else await replay(files, values.replay);
});

async function replay(files: Files, file: string): Promise<void> {
  const episode = fromText(file, readFileSync(file, 'utf8'));
  const worlds = new Worlds(files, await calledPrograms());
  const { failure, steps } = playEpisode(worlds.at(episode.spec.amm), episode);
  if (failure !== undefined) throw new CommandError(`step ${failure.step + 1}: ${failure.message}`);
  say(`${steps} steps, no failure`);
}

async function fuzz(files: Files): Promise<void> {
  const steps = wholeNumber('--steps', values.steps, 1, MOST);
  const seed = wholeNumber('--seed', values.seed ?? String(randomInt(MOST)), 0, 2 ** 31 - 1);
  const workers = wholeNumber('--workers', values.workers, 1, MOST_WORKERS);
  const called = await calledPrograms();
  say(`seed ${seed}, ${workers} processes, ${files.amms.length} AMMs`);
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1_000;
  let reported = started;
  const onProgress = (done: number): void => {
    if (performance.now() - reported < PROGRESS_MS) return;
    reported = performance.now();
    say(
      `${grouped(done)} steps in ${Math.round(seconds())} s, ${grouped(Math.round(done / seconds()))} per second`,
    );
  };
  const total = await runWorkers({ files, called, seed, steps, workers, onProgress });
  const perSecond = Math.round(total.steps / seconds());
  const { tally, digest, failed } = total;
  const summary = { seed, steps: total.steps, seconds: Math.round(seconds()), perSecond, digest, tally };
  if (values.json) console.log(JSON.stringify({ ...summary, failed: failed !== undefined }));
  else console.log(tableOf(total));
  if (failed !== undefined) {
    const world = new Worlds(files, called).at(failed.episode.spec.amm);
    const shrunk = shrink(world, failed.episode, failed.failure);
    mkdirSync(FOUND, { recursive: true });
    const file = join(FOUND, `seed-${seed}-episode-${failed.index}.json`);
    const text = toText(shrunk.episode);
    writeFileSync(file, text);
    throw new CommandError(`${explainFailure(shrunk, relative(ROOT, file), seed, failed.index)}\n${text}`);
  }
  say(
    `seed ${seed}: ${grouped(total.steps)} steps in ${summary.seconds} s, ${grouped(perSecond)} per second, 0 failures`,
  );
  say(`digest of every result and state ${digest}`);
}

function tableOf({ tally }: Total): string {
  const names = [...new Set(Object.keys(tally).map((key) => key.split(': ')[0]!))].sort();
  const count = (name: string, result: string): string => grouped(tally[`${name}: ${result}`] ?? 0);
  return renderTable(
    ['step', right('done'), right('refused')],
    names.map((name) => [name, count(name, 'done'), count(name, 'refused')]),
    showsColour(process.stdout),
  );
}
