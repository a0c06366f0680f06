/** The suites that `npm test` begins with. */
import { TRADES_IN_A_BROWSER, without } from './files.js';
import { CHROMIUM, POSTGRES, RUST } from './requirements.js';
import { check, LINTED_BUILD, mocha, type Suite } from './suite.js';

/** They need the machine for themselves. */
export const ALONE: readonly Suite[] = [
  {
    name: 'clippy',
    usually: 110,
    isLong: true,
    about: 'clippy, with unchecked arithmetic denied',
    needs: [RUST],
    alone: true,
    env: LINTED_BUILD,
    // Two builds, because in one the oracle's features would remove the program's entry point. The second names graduation
    // for the features of its test dependencies: with them it finds the first one's crates compiled.
    ...check(
      'sh',
      '-c',
      [
        'cargo build --quiet --profile test --all-targets',
        'cargo build --quiet --profile test --all-targets -p oracle -p caller -p amm-stand-in -p graduation',
      ].join(' && '),
    ),
  },
  {
    name: 'rust',
    usually: 20,
    about:
      "the curve's invariants as property tests, byte layouts (250,000 cases each unless PROPTEST_CASES says otherwise); a fresh clone compiles for two minutes first",
    needs: [RUST],
    command: 'cargo',
    // Not quiet: a slow compilation must not look like silence.
    args: ['test', '--lib'],
    env: { PROPTEST_CASES: process.env['PROPTEST_CASES'] ?? '250000', ...LINTED_BUILD },
    reporter: 'cargo',
    alone: true,
  },
  {
    name: 'artifacts',
    usually: 170,
    isLong: true,
    about: 'the committed programs, IDLs and generated SDK are what the sources make',
    // Alone, because the AMM's stand-in, which suites build as they start, finds most of its crates compiled then.
    alone: true,
    ...check('tsx', 'scripts/program/check.ts'),
  },
  {
    name: 'browser',
    usually: 190,
    isLong: true,
    about: 'the web page in Chromium, on a local cluster and the service: wallets, trades, launches',
    needs: [CHROMIUM],
    // Its tests wait for what a page shows, which other suites would delay.
    alone: true,
    ...mocha(...TRADES_IN_A_BROWSER),
  },
  {
    name: 'browser-pages',
    usually: 160,
    isLong: true,
    about: 'the rest of the web page: its pages, screens, sizes, and what a browser forbids',
    needs: [CHROMIUM],
    alone: true,
    beside: 'browser',
    ...mocha('tests/browser/*.test.ts', ...without(TRADES_IN_A_BROWSER)),
  },
  {
    name: 'hostile',
    usually: 90,
    isLong: true,
    about:
      'attackers attack the service while others read it, and every field gets hostile values, on PostgreSQL',
    needs: [POSTGRES],
    // It measures the time of reads.
    alone: true,
    env: { DATABASE: 'postgres' },
    ...mocha('tests/hostile/*.test.ts'),
  },
];

/** Checks of the sources, in the time that `hostile` leaves while it waits. */
const CHECKS: readonly Suite[] = [
  {
    name: 'format',
    usually: 47,
    isLong: true,
    about: 'prettier',
    ...check('prettier', '--check', '--log-level=warn', '.'),
  },
  {
    name: 'rustfmt',
    usually: 1,
    isLong: true,
    about: 'rustfmt',
    needs: [RUST],
    ...check('cargo', 'fmt', '--all', '--check'),
  },
  {
    name: 'types',
    usually: 27,
    isLong: true,
    about: 'the TypeScript compiler, strict',
    ...check('npm', 'run', '--silent', 'types'),
  },
  {
    name: 'lint',
    usually: 27,
    isLong: true,
    about: 'oxlint with typed rules',
    ...check('npm', 'run', '--silent', 'lint'),
  },
  {
    name: 'docs',
    usually: 20,
    isLong: true,
    about: "every public name of the SDK has a doc comment, and the comments' links lead somewhere",
    ...check('typedoc', '--options', 'sdk/typedoc.json', '--emit', 'none'),
  },
];

export const SOURCES: readonly Suite[] = CHECKS.map((suite) => ({
  ...suite,
  alone: true,
  beside: 'hostile',
  yields: true,
}));
