/** `npm test`: every suite, and at the end how many tests passed and failed in all of them. */
import { spawn, spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

import { renderTable, showsColour, type Column } from '../table.js';
import { countTests, type Counts } from './counts.js';
import { SUITES, type Suite } from './suites.js';

const HELP = `npm test [-- --only NAME,NAME] [-- --without NAME,NAME] [-- --json]

Runs every suite against the real thing and ends with the sum of what they reported. Suites:

${SUITES.map(({ name, about }) => `  ${name.padEnd(16)} ${about}`).join('\n')}`;

const COLUMNS: readonly Column[] = [
  { title: 'suite' },
  { title: 'passed', align: 'right' },
  { title: 'failed', align: 'right' },
  { title: 'time', unit: 's', align: 'right' },
];

interface Outcome extends Counts {
  readonly suite: string;
  readonly seconds: number;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    without: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) console.log(HELP);
else await runSuites(chosen());

function chosen(): Suite[] {
  const names = (list: string | undefined): string[] => list?.split(',').filter((name) => name !== '') ?? [];
  const [only, without] = [names(values.only), names(values.without)];
  for (const name of [...only, ...without]) {
    if (!SUITES.some((suite) => suite.name === name)) {
      throw new Error(
        `there is no suite '${name}'; they are: ${SUITES.map((suite) => suite.name).join(', ')}`,
      );
    }
  }
  return SUITES.filter(({ name }) => (only.length === 0 || only.includes(name)) && !without.includes(name));
}

async function runSuites(suites: readonly Suite[]): Promise<void> {
  const outcomes: Outcome[] = [];
  for (const suite of suites) {
    const started = performance.now();
    const counts = await runSuite(suite);
    if (counts === undefined) continue;
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    outcomes.push({ suite: suite.name, ...counts, seconds });
  }
  const total = (of: keyof Counts): number => outcomes.reduce((sum, outcome) => sum + outcome[of], 0);
  if (values.json)
    console.log(JSON.stringify({ suites: outcomes, passed: total('passed'), failed: total('failed') }));
  else {
    const rows = outcomes.map(({ suite, passed, failed, seconds }) => ({
      cells: [suite, String(passed), String(failed), seconds.toFixed(1)],
      style: failed > 0 ? ('red' as const) : undefined,
    }));
    console.log(`\n${renderTable(COLUMNS, rows, showsColour(process.stdout))}`);
    console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
  }
  if (total('failed') > 0) process.exitCode = 1;
}

/** The suite's counts; a check counts as one. Undefined for an optional suite whose program is not installed. */
async function runSuite(suite: Suite): Promise<Counts | undefined> {
  console.error(`\n== ${suite.name}: ${suite.about}`);
  const missing = (suite.needs ?? []).filter(({ program }) => !isOnPath(program));
  for (const { program, from } of missing)
    console.error(`${program} is not on PATH: install it from ${from}`);
  if (missing.some(({ optional }) => optional !== true)) return { passed: 0, failed: 1 };
  if (missing.length > 0) {
    console.error(`${suite.name} left out`);
    return undefined;
  }
  const { code, output } = await run(suite);
  if (suite.reporter === 'check') return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  const counts = countTests(suite.reporter, output);
  // A runner that broke down, or ran nothing, has not passed.
  const broke = (code !== 0 && counts.failed === 0) || counts.passed + counts.failed === 0;
  return broke ? { passed: counts.passed, failed: counts.failed + 1 } : counts;
}

function run({ command, args, env }: Suite): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        process.stderr.write(chunk);
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

function isOnPath(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}
