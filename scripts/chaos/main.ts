/** `npm run chaos`: kills the service again and again while it works and things around it fail. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, runCommand, UsageError, wholeNumber } from '../command-line.js';
import { ROOT } from '../program/paths.js';

const HELP = `npm run chaos -- --kills N [--seed S] [--minutes M] [--database postgres|pglite] [--json]

Kills the service N times with SIGKILL, in a process of its own, on a local cluster: in the middle of claims, settlements,
graduations, indexing and shutdown. In most cases something else fails too: the database restarts or its disk is full, Redis is
gone or frozen, the RPC node is down, hangs, lags, forks or lies. After each kill

  - the ledger is exact, entry by entry
  - the chain and the database agree: each wallet has what its claims paid, each settlement was paid once, no claim that was
    returned is missing
  - the next process goes on: a claim is paid, and a trade appears

At the end everything finishes: all gifts are settled, all sold-out curves have a pool, the index is the chain's history, and
\`curvekit ledger check\` finds nothing. Exit code 1 names the kill, what was killed, and the fault.

  --kills N      100 unless said otherwise; ten to twenty a minute on two cores. After each 200 everything finishes, and a new
                 cluster and database follow, with the next seed
  --seed S       decides what is killed, when, and the faults. Times on a machine differ, so a run is similar, not equal
  --minutes M    stops killing after M minutes
  --database D   postgres (with Redis; needs both installed) or pglite, the embedded one; postgres unless said otherwise
  --json         prints the result as one line of JSON

A full disk is a limit on the size of files (\`prlimit\`, util-linux): the kernel refuses every write to a file of the database. That
needs no rights.`;

const MOST_KILLS = 100_000;
const MOST_SEED = 2 ** 32 - 1;
const MOST_MINUTES = 10_000;
const DATABASES = ['postgres', 'pglite'];

interface Result {
  readonly seed: number;
  readonly kills: number;
  readonly seconds: number;
}

runCommand(HELP, () => {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '100' },
      seed: { type: 'string' },
      minutes: { type: 'string' },
      database: { type: 'string', default: 'postgres' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return console.log(HELP);
  const kills = wholeNumber('--kills', values.kills, 1, MOST_KILLS);
  const seed = wholeNumber('--seed', values.seed ?? String(Date.now() % MOST_SEED), 0, MOST_SEED);
  const minutes =
    values.minutes === undefined ? undefined : wholeNumber('--minutes', values.minutes, 1, MOST_MINUTES);
  if (!DATABASES.includes(values.database))
    throw new UsageError(`--database is '${values.database}'; it must be ${DATABASES.join(' or ')}`);

  const { database } = values;
  const result = run({ kills, seed, database, ...(minutes !== undefined && { minutes }) });
  const killsPerMinute = Math.round((600 * result.kills) / result.seconds) / 10;
  if (values.json === true) console.log(JSON.stringify({ database, ...result, killsPerMinute }));
  else
    console.log(
      `${result.kills} kills on ${database}, ${killsPerMinute} a minute; seed ${seed}: nothing paid twice, nothing lost\n` +
        JSON.stringify(result),
    );
});

/** The run is a mocha file, so that it shares the tests' cluster and databases. */
function run(options: { kills: number; seed: number; database: string; minutes?: number }): Result {
  const folder = mkdtempSync(join(tmpdir(), 'curvekit-chaos-report-'));
  const report = join(folder, 'report.json');
  try {
    const mocha = join(ROOT, 'node_modules', 'mocha', 'bin', 'mocha.js');
    const { status } = spawnSync(process.execPath, [mocha, 'tests/chaos/kills.test.ts'], {
      cwd: ROOT,
      // The result is printed here. mocha prints the progress and what is wrong.
      stdio: ['ignore', 2, 2],
      env: {
        ...process.env,
        DATABASE: options.database,
        CHAOS_KILLS: String(options.kills),
        CHAOS_SEED: String(options.seed),
        CHAOS_REPORT: report,
        ...(options.minutes !== undefined && { CHAOS_MINUTES: String(options.minutes) }),
      },
    });
    if (status !== 0) throw new CommandError(`see above; again with --seed ${options.seed}`);
    return JSON.parse(readFileSync(report, 'utf8')) as Result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
