/** `npm test`: runs every suite, and prints the total of passed and failed tests at the end. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';
import { parseArgs } from 'node:util';

import { runCommand, UsageError, wholeNumber } from '../command-line.js';
import { renderTable, right, showsColour, type Column, type Row } from '#app/operator/table.js';
import {
  again,
  countTests,
  failedFiles,
  failuresIn,
  MOST_FILES_AGAIN,
  type Counts,
  type Outcome,
} from './outcome.js';
import { allocatorEnvironment, isInstalled, MOCHA, SUITES, type Suite } from './suites.js';

const NAME_WIDTH = Math.max(...SUITES.map(({ name }) => name.length));
/** More than two cores can run, because suites often wait for clusters. */
const DEFAULT_JOBS = availableParallelism() > 1 ? 3 : 1;
const MOST_JOBS = 16;
/** The longest checks print nothing for three minutes. A suite that hangs must not keep the results of the others. */
const SILENCE_MS = Number(process.env['TEST_SILENCE_SECONDS'] ?? 900) * 1_000;

/** What runs unless the command line says otherwise. */
const SHORT = SUITES.filter(({ isLong }) => isLong !== true);
const LONG = SUITES.filter(({ isLong }) => isLong === true);

const HELP = `npm test [-- --all] [-- --only NAME,NAME] [-- --jobs N] [-- --require-all]

Runs the suites that prove the product, against the real thing, in at most ten minutes on two cores; with --all every
suite, in 45 minutes. At the end it repeats what failed, and sums what the suites reported. First come those that need
the machine for themselves, one after the other, then the others, --jobs at a time (1 to ${MOST_JOBS}, ${DEFAULT_JOBS} unless said
otherwise). Up to ${MOST_FILES_AGAIN} files of a suite that failed beside others run once more at the end, by themselves: what
passes then is named, and what fails again has failed. A suite of cargo runs once more as a whole. A suite whose optional
program is not installed is left out, and said to be; with --require-all it fails.
--only chooses from all suites. The seconds are usual on two cores, beside other suites.

The suites:
${listOf(SHORT)}

With --all also:
${listOf(LONG)}`;

const COLUMNS: readonly Column[] = [
  'suite',
  right('passed'),
  right('failed'),
  right('time', 's'),
  right('CPU', 's'),
  '',
];

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    jobs: { type: 'string', default: String(DEFAULT_JOBS) },
    all: { type: 'boolean' },
    'require-all': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});
runCommand(HELP, async () => {
  if (values.help) console.log(HELP);
  else await runSuites(chosen());
});

function chosen(): readonly Suite[] {
  const only = values.only?.split(',').filter((name) => name !== '') ?? [];
  const unknown = only.find((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown !== undefined)
    throw new UsageError(
      `there is no suite '${unknown}'; they are: ${SUITES.map(({ name }) => name).join(', ')}`,
    );
  if (only.length > 0) return SUITES.filter(({ name }) => only.includes(name));
  return values.all === true ? SUITES.filter(({ isLeftOut }) => isLeftOut !== true) : SHORT;
}

function listOf(suites: readonly Suite[]): string {
  return suites
    .map(
      ({ name, usually, about }) => `  ${name.padEnd(NAME_WIDTH)} ${String(usually).padStart(5)} s  ${about}`,
    )
    .join('\n');
}

async function runSuites(suites: readonly Suite[]): Promise<void> {
  const jobs = wholeNumber('--jobs', values.jobs, 1, MOST_JOBS);
  const outcomes = new Map<Suite, Outcome>();
  const delayed = new Set<Suite>();
  const runAll = async (queue: Suite[], named: boolean): Promise<void> => {
    for (let suite = queue.shift(); suite !== undefined; suite = queue.shift()) {
      if (named || suite.reporter === 'cargo') delayed.add(suite);
      outcomes.set(suite, await timedSuite(suite, named));
    }
  };
  for (const group of inGroups(suites.filter(({ alone }) => alone === true))) {
    const atOnce = jobs > 1 && group.length > 1;
    if (atOnce) await Promise.all(group.map((suite) => runAll([suite], true)));
    else await runAll(group, false);
  }
  const others = suites.filter(({ alone }) => alone !== true);
  const named = jobs > 1 && others.length > 1;
  // Validators disturb each other, so the first lane runs their suites one after the other, then helps with the others.
  const waiting = jobs > 1 ? others.filter(({ waits }) => waits === true) : [];
  const working = others.filter((suite) => !waiting.includes(suite));
  const lanes = Array.from({ length: jobs }, async (_, lane) => {
    if (lane === 0) await runAll(waiting, named);
    await runAll(working, named);
  });
  await Promise.all(lanes);
  for (const [suite, outcome] of outcomes) {
    if (delayed.has(suite))
      outcomes.set(
        suite,
        await again(outcome, (files) =>
          timedSuite(suite.reporter === 'cargo' ? suite : { ...suite, args: [...MOCHA, ...files] }, false),
        ),
      );
  }
  report(suites.flatMap((suite) => outcomes.get(suite) ?? []));
}

/** Each with those that run beside it. */
function inGroups(suites: readonly Suite[]): Suite[][] {
  const groups: Suite[][] = [];
  for (const suite of suites) {
    const group = groups.find(([first]) => first!.name === suite.beside);
    if (group === undefined) groups.push([suite]);
    else group.push(suite);
  }
  return groups;
}

/** @param named whether to print the suite's name before each line of output */
async function timedSuite(suite: Suite, named: boolean): Promise<Outcome> {
  const started = performance.now();
  const counts = await runSuite(suite, named);
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const missing = suite.missing?.();
  return { suite: suite.name, ...counts, ...(missing !== undefined && { missing }), seconds };
}

function report(outcomes: readonly Outcome[]): void {
  const total = (of: keyof Counts): number => outcomes.reduce((sum, outcome) => sum + outcome[of], 0);
  const [passed, failed] = [total('passed'), total('failed')];
  const isNothing = passed + failed === 0;
  for (const { suite, failures = [], again: since } of outcomes) {
    const passedSince = since === undefined ? '' : ' beside other suites, and passed by itself';
    if (failures.length > 0) console.log(`\n== failed in ${suite}${passedSince}\n${failures.join('\n')}`);
  }
  console.log(`\n${renderTable(COLUMNS, outcomes.map(rowOf), showsColour(process.stdout))}`);
  if (values.all !== true && values.only === undefined)
    console.log(
      `\nNot run: ${LONG.map(({ name }) => name).join(', ')}. \`npm test -- --all\` runs them too.`,
    );
  if (isNothing) console.log('\nNo suite ran: the table says what each one needs.');
  // The total must be the last line.
  console.log(`\n${passed} passed, ${failed} failed`);
  if (failed > 0 || isNothing) process.exitCode = 1;
}

function rowOf(outcome: Outcome): Row {
  const {
    suite,
    passed,
    failed,
    seconds,
    cpu = '',
    needs = [],
    missing = '',
    leftOut = false,
    again: since = [],
  } = outcome;
  const counts = leftOut ? ['', '', '', ''] : [passed, failed, seconds.toFixed(1), cpu].map(String);
  const lacks = needs.length === 0 ? missing : `${leftOut ? 'left out: ' : ''}needs ${needs.join(', ')}`;
  const remark = since.length === 0 ? lacks : `passed by itself only: ${since.join(', ')}`;
  return {
    cells: [suite, ...counts, remark],
    style: failed > 0 ? 'red' : leftOut || since.length > 0 ? 'yellow' : undefined,
  };
}

/** Runs the suite and counts its tests. A check counts as one test. */
async function runSuite(suite: Suite, named: boolean): Promise<Omit<Outcome, 'suite' | 'seconds'>> {
  console.error(`\n== ${suite.name}: ${suite.about} (usually ${suite.usually} s)`);
  const missing = (suite.needs ?? []).filter((needed) => !isInstalled(needed));
  for (const { program, from } of missing)
    console.error(`${program} is not on PATH: install it from ${from}`);
  if (missing.length > 0) {
    const leftOut = values['require-all'] !== true && missing.every(({ optional }) => optional === true);
    if (leftOut) console.error(`${suite.name} left out`);
    const needs = missing.map(({ program, from }) => `${program} (${from})`);
    return { passed: 0, failed: leftOut ? 0 : 1, needs, ...(leftOut && { leftOut }) };
  }
  const { code, output, cpu } = await run(suite, named);
  return { ...countsOf(suite, code, output), ...(cpu !== undefined && { cpu }) };
}

function countsOf(
  { name, reporter }: Suite,
  code: number | null,
  output: string,
): Pick<Outcome, keyof Counts | 'failures' | 'files'> {
  const failures = failuresIn(output);
  if (reporter === 'check') return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, failures };
  const counts = countTests(reporter, output);
  // A runner that crashed or ran no test counts as failed.
  const broke = (code !== 0 && counts.failed === 0) || counts.passed + counts.failed === 0;
  const all = broke ? { ...counts, failed: counts.failed + 1 } : counts;
  if (all.failed === 0) return all;
  // A suite of cargo is one file: it has no other parts that could run by themselves.
  const files = reporter === 'cargo' ? [{ path: name, ...all }] : failedFiles(output);
  return { ...all, failures, files };
}

function run(
  { name, command, args, env, usesSurfpool, yields }: Suite,
  named: boolean,
): Promise<{ code: number | null; output: string; cpu: number | undefined }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...(usesSurfpool === true && allocatorEnvironment()), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // What it starts inherits the priority.
    if (yields === true && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    let output = '';
    const silence = setTimeout(() => {
      const told = `${name} has printed nothing for ${SILENCE_MS / 1_000} s: ended`;
      console.error(told);
      output += `\nfailures:\n${told}\n`;
      // mocha runs in a child of its command, which is stopped first so that it starts none meanwhile. What it has started ends
      // with it.
      child.kill('SIGSTOP');
      spawnSync('pkill', ['-KILL', '-P', String(child.pid)]);
      child.kill('SIGKILL');
    }, SILENCE_MS);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        silence.refresh();
        if (!named) process.stderr.write(chunk);
      });
      if (named) showLines(stream, name);
    }
    child.on('error', reject);
    let cpu: number | undefined;
    child.on('exit', () => (cpu = cpuOfEnded()));
    child.on('close', (code) => {
      clearTimeout(silence);
      resolve({ code, output, cpu });
    });
  });
}

let cpuSoFar = 0;

/** Seconds of CPU time of the suite that has just ended, with the programs that it waited for: of Linux's `/proc`. */
function cpuOfEnded(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  // cutime and cstime, in hundredths.
  const [user, system] = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ').slice(13);
  const before = cpuSoFar;
  cpuSoFar = (Number(user) + Number(system)) / 100;
  return Math.round(cpuSoFar - before);
}

/** Prints whole lines with the suite's name before each, because suites run in parallel. */
function showLines(stream: Readable, name: string): void {
  createInterface({ input: stream.pipe(new PassThrough()) }).on('line', (line) => {
    process.stderr.write(`${name.padEnd(NAME_WIDTH)} | ${line}\n`);
  });
}
