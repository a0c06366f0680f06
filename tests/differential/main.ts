/** `npm run test:differential`: compares the program with the oracle, step by step. */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, runCommand, wholeNumber } from '../../scripts/command-line.js';
import { ARTIFACTS, ORACLE, PROGRAM_SO } from '../../scripts/program/paths.js';
import { buildForDifferential } from '../../scripts/program/toolchain.js';
import { grouped, showsColour } from '#app/cli/table.js';
import { explore } from './explore.js';
import { Lab } from './lab.js';
import { Pair } from './pair.js';
import { Tally } from './outcomes.js';
import { machineOf, programsBeside } from './programs.js';
import { explain, tableOf } from './report.js';
import { INSTRUCTIONS } from './steps.js';
import { sweep } from './sweep.js';

const HELP = `npm run test:differential [-- --steps N] [-- --seed N] [-- --shipped FILE] [-- --oracle FILE] [-- --json]

Runs the program and the oracle (tests/differential/oracle: the same instructions as plain Anchor handlers) side by side,
each in a virtual machine of its own, and compares after every step the result, the calls and log records, and every byte
and lamport of every account involved; where a single thing is wrong with a call, the error code too. First every trade,
migration and log record with every single thing wrong with it, in every state of a curve, then random creations, trades,
migrations, donations and settings, right and wrong. The first difference ends the run with the shortest sequence of steps
that shows it.

  --steps N         random steps to take, 50,000 unless said otherwise
  --seed N          repeats a run; without it, a new one
  --shipped FILE    artifacts/${PROGRAM_SO} unless said otherwise
  --oracle FILE     an oracle; without it, one is built (needs cargo build-sbf)
  --json            one line of JSON at the end`;

/** A run with at least this many steps fails when an expected outcome is missing. */
const ENOUGH_STEPS = 50_000;
const MOST = 1_000_000_000;
const PROGRESS_MS = 2_000;

runCommand(HELP, async () => {
  const { values } = parseArgs({
    options: {
      steps: { type: 'string', default: String(ENOUGH_STEPS) },
      seed: { type: 'string' },
      shipped: { type: 'string', default: join(ARTIFACTS, PROGRAM_SO) },
      oracle: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const steps = wholeNumber('--steps', values.steps, 1, MOST);
  const seed =
    values.seed === undefined ? randomInt(MOST) : wholeNumber('--seed', values.seed, 0, 2 ** 31 - 1);
  const log = (line: string) => console.error(line);
  if (values.oracle === undefined) buildForDifferential('oracle', log);

  const beside = await programsBeside(log);
  const machine = (file: string) => machineOf(readFileSync(file), beside);
  const lab = new Lab(new Pair(machine(values.shipped), machine(values.oracle ?? ORACLE)));
  console.error(
    `seed ${seed}, ${grouped(steps)} random steps after those that go through every single alteration`,
  );
  const tally = new Tally();
  const started = performance.now();
  let reported = started;
  const onProgress = (): void => {
    const now = performance.now();
    if (now - reported < PROGRESS_MS) return;
    reported = now;
    console.error(`${grouped(tally.steps)} steps in ${Math.round((now - started) / 1_000)} s`);
  };
  const finding =
    (await sweep(lab, { seed, tally })) ?? (await explore(lab, { steps, seed, tally, onProgress }));
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const missing = tally.missing();

  if (values.json) {
    const outcomes = Object.fromEntries(
      INSTRUCTIONS.map((name) => [name, Object.fromEntries(tally.of(name))]),
    );
    const difference = finding === undefined ? undefined : explain(lab, finding);
    console.log(JSON.stringify({ seed, steps: tally.steps, seconds, outcomes, missing, difference }));
  } else console.log(tableOf(tally, showsColour(process.stdout)));
  if (finding !== undefined) throw new CommandError(explain(lab, finding));
  console.error(`seed ${seed}: ${grouped(tally.steps)} steps in ${seconds} s, no difference`);
  if (missing.length > 0) {
    const text = `no step has ended in:\n${missing.map((outcome) => `  ${outcome}`).join('\n')}`;
    if (steps >= ENOUGH_STEPS) throw new CommandError(text);
    console.error(text);
  }
});
