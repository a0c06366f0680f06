/** `npm run mutants:service`: alters the service's money code in every place that Stryker knows, and runs the tests that reach it. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { CommandError, runCommand, wholeNumber } from '../../command-line.js';
import { inParallel } from '../../prove/run.js';
import { choice } from '../choice.js';
import { refusedByCompiler } from './compile.js';
import { FOLDERS, instrument, type Mutant } from './instrument.js';
import { runTests } from './run-tests.js';
import { Tests } from './tests.js';
import { forgetOthers, remember, triedKeys } from './tried.js';

const HELP = `npm run mutants:service [-- --only TEXT] [-- --shard K/N] [-- --seconds N] [-- --jobs N] [-- --again]
                        [-- --record] [-- --json] [-- --list]

Alters the service's money code (app/src/${FOLDERS.join(', app/src/')}), one place at a time, as Stryker lists the places.
Leaves out texts: messages, names, help. First the compiler checks all alterations, in some minutes. For each that compiles, it
runs the test files that run the place, the quickest and narrowest first, until a test fails. An alteration that nothing notices
is a survivor: a test is missing, or the altered service does the same.

Each test file first runs once on the unaltered service, to learn which places it runs: 10 min. That is kept in target/mutants
until an altered source or the test file changes. Needs Node 22.15. DATABASE=postgres takes PostgreSQL.

  --only TEXT     only alterations whose name contains the text, for example a file's name
  --shard K/N     the K-th of N parts, to divide a night's work
  --seconds N     test files for an alteration: as many as take N seconds together (120)
  --jobs N        alterations at a time (as many as there are cores)
  --again         also the alterations that an earlier run has recorded (tried.txt) and whose functions are still the same
  --record        records what is noticed, refused or hangs in tried.txt; a survivor is tried again each time, until docs/mutants.md
                  explains it and somebody writes its key (--json) there, as "explained"
  --json          one line of JSON for each alteration
  --list          prints the alterations' names, and runs nothing

Exit code 1 when there are survivors.`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    shard: { type: 'string', default: '1/1' },
    seconds: { type: 'string', default: '120' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    again: { type: 'boolean' },
    record: { type: 'boolean' },
    json: { type: 'boolean' },
    list: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});

/** `unbuilt`: the compiler refuses it. `timeout`: a test hangs. `unreached`: no test runs the place. */
type End = 'unbuilt' | 'noticed' | 'timeout' | 'unreached' | 'survived';

interface Outcome {
  readonly end: End;
  readonly name: string;
  readonly key: string;
  readonly seconds: number;
  /** The test that failed, and with what. */
  readonly by?: string;
  readonly message?: string;
}

runCommand(HELP, async () => {
  if (values.help === true) return console.log(HELP);
  const [budget, jobs] = [
    wholeNumber('--seconds', values.seconds, 1, 3_600),
    wholeNumber('--jobs', values.jobs, 1, 64),
  ];
  const chosen = choice(values);
  const instrumented = await instrument();
  const known = values.again === true ? new Set<string>() : triedKeys();
  const mutants = chosen(instrumented.mutants, ({ name }) => name).filter(({ key }) => !known.has(key));
  if (values.list === true) return console.log(mutants.map(({ name }) => name).join('\n'));
  if (values.record === true) forgetOthers(new Set(instrumented.mutants.map(({ key }) => key)));
  const started = performance.now();
  const refused = refusedByCompiler(mutants);
  const counts: Record<End, number> = { unbuilt: 0, noticed: 0, timeout: 0, unreached: 0, survived: 0 };
  const report = (outcome: Outcome): void => {
    counts[outcome.end] += 1;
    if (values.record === true && outcome.end !== 'survived' && outcome.end !== 'unreached')
      remember(outcome.key, outcome.end);
    console.log(values.json === true ? JSON.stringify(outcome) : `${outcome.end.padEnd(9)}  ${outcome.name}`);
  };
  for (const { id, name, key } of mutants)
    if (refused.has(id)) report({ end: 'unbuilt', name, key, seconds: 0 });
  const built = mutants.filter(({ id }) => !refused.has(id));
  if (built.length > 0) {
    const tests = await Tests.of(instrumented, jobs);
    await inParallel(built, jobs, async (mutant) => report(await tried(mutant, tests, budget)));
  }
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.error(
    `${mutants.length} alterations in ${minutes} min: the tests notice ${counts.noticed + counts.timeout}, ${counts.timeout} of ` +
      `them because a test hangs, the compiler refuses ${counts.unbuilt}, no test runs ${counts.unreached}, ${counts.survived} survive`,
  );
  const survivors = counts.survived + counts.unreached;
  if (survivors > 0) throw new CommandError(`nothing notices ${survivors} alterations`);
});

async function tried(mutant: Mutant, tests: Tests, budget: number): Promise<Outcome> {
  const { id, name, key } = mutant;
  const { files, silence } = tests.plan(mutant, budget);
  if (files.length === 0) return { end: 'unreached', name, key, seconds: 0 };
  const { end, failed, seconds } = await runTests(files, { mutant: id, silence });
  const rounded = Math.round(seconds * 10) / 10;
  if (end === 'passed') return { end: 'survived', name, key, seconds: rounded };
  tests.noticed(mutant, failed?.file);
  if (end === 'timeout') return { end, name, key, seconds: rounded };
  const by = failed === undefined ? 'the process ended' : `${failed.file ?? 'all files'}: ${failed.title}`;
  return { end: 'noticed', name, key, seconds: rounded, by, message: failed?.message.slice(0, 200) ?? '' };
}
