/** The suites of `npm test`, in this order. */
import { spawnSync } from 'node:child_process';
import { testBrowserPath } from '#tests/browser/chromium-path.js';
import { IDL_BUILD_ENVIRONMENT } from '../program/toolchain.js';

export interface Suite {
  readonly name: string;
  /** What it tests, for `--help`. */
  readonly about: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The runner whose output has the counts. A check has only an exit code. */
  readonly reporter: 'cargo' | 'mocha' | 'check';
  /** Programs that must be on PATH. */
  readonly needs?: readonly Requirement[];
  /** No other suite runs at the same time, because it uses all cores or must not be delayed. */
  readonly alone?: boolean;
  /** It mostly waits for a validator's slots. One such suite runs at a time, beside others. */
  readonly waits?: boolean;
}

export interface Requirement {
  readonly program: string;
  /** Where to get it. */
  readonly from: string;
  /** When an optional program is missing, the suite is left out (with `--require-all` it fails). Otherwise it fails. */
  readonly optional?: boolean;
}

/** Whether the program is on PATH. */
export function isInstalled({ program }: Requirement): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

const RUST: Requirement = { program: 'cargo', from: 'https://rustup.rs' };
const VALIDATOR: Requirement = {
  program: 'solana-test-validator',
  from: 'https://solana.com/docs/intro/installation',
  optional: true,
};

const POSTGRES: Requirement = {
  program: 'redis-server',
  from: 'your package manager (postgresql and redis-server)',
  optional: true,
};

const CHROMIUM: Requirement = {
  program: testBrowserPath(),
  from: 'your package manager (chromium or chromium-headless-shell), or name it in CHROMIUM',
  optional: true,
};

const SBF: Requirement = {
  program: 'cargo-build-sbf',
  from: 'https://solana.com/docs/intro/installation',
  optional: true,
};

/** clippy is the compiler of our own crates. `cargo clippy` would compile all their dependencies apart from the tests'. */
const CLIPPY_WHILE_BUILDING = {
  RUSTC_WORKSPACE_WRAPPER: 'clippy-driver',
  CLIPPY_ARGS: '-Dwarnings__CLIPPY_HACKERY__',
};
const LINTED_BUILD = { ...IDL_BUILD_ENVIRONMENT, ...CLIPPY_WHILE_BUILDING };

function mocha(...files: string[]): Pick<Suite, 'command' | 'args' | 'reporter'> {
  return { command: 'mocha', args: ['--forbid-only', '--forbid-pending', ...files], reporter: 'mocha' };
}

function check(command: string, ...args: string[]): Pick<Suite, 'command' | 'args' | 'reporter'> {
  return { command, args, reporter: 'check' };
}

const service = (...names: string[]): string[] => names.map((name) => `tests/service/${name}.test.ts`);
const SERVICE_TESTS = service('**/*');

/** Tests of the embedded database itself, and of programs that open one. */
const ONLY_EMBEDDED = service(
  'checkpoints',
  'folder-lock',
  'local-market',
  'production',
  'reused-database',
  'start',
);
/** Tests in which the database makes a difference: locks, crashes, restores, the ledger. They run on both. */
const ON_BOTH_DATABASES = service(
  'claims',
  'claims-database',
  'claims-treasury',
  'database',
  'database-check',
  'indexer-crash',
  'instances',
  'ledger',
  'ledger-model',
  'lost-connections',
  'market-books',
  'restore',
  'rewards-api',
  'settlement-booking',
  'settlement-crash',
  'story',
);
/** Both are PostgreSQL, so where it is installed the other tests run only there, where they take half the CPU time. */
const EMBEDDED_TESTS = isInstalled(POSTGRES) ? [...ONLY_EMBEDDED, ...ON_BOTH_DATABASES] : SERVICE_TESTS;

const PROGRAM_TESTS = [
  'tests/admin-set-properties.test.ts',
  'tests/admin-set-properties-first.test.ts',
  'tests/buy-token.test.ts',
  'tests/create-token.test.ts',
  'tests/create-token-accounts.test.ts',
  'tests/create-token-arguments.test.ts',
  'tests/donations.test.ts',
  'tests/errors.test.ts',
  'tests/graduation/graduate.test.ts',
  'tests/graduation/griefing.test.ts',
  'tests/graduation/substitution.test.ts',
  'tests/graduation/sweep.test.ts',
  'tests/invariants.test.ts',
  'tests/malformed-instructions.test.ts',
  'tests/migrate.test.ts',
  'tests/sdk.test.ts',
  'tests/sell-token.test.ts',
  'tests/state-machine.test.ts',
  'tests/substitution.test.ts',
  'tests/trade-accounts.test.ts',
  'tests/validate-log-record.test.ts',
];

export const SUITES: readonly Suite[] = [
  {
    name: 'clippy',
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
    about:
      "the curve's invariants as property tests, byte layouts (250,000 cases each unless PROPTEST_CASES says otherwise)",
    needs: [RUST],
    command: 'cargo',
    args: ['test', '--quiet', '--lib'],
    env: { PROPTEST_CASES: process.env['PROPTEST_CASES'] ?? '250000', ...LINTED_BUILD },
    reporter: 'cargo',
    alone: true,
  },
  {
    name: 'artifacts',
    about: 'the committed programs, IDLs and generated SDK are what the sources make',
    // Alone, because the AMM's stand-in, which suites build as they start, finds most of its crates compiled then.
    alone: true,
    ...check('tsx', 'scripts/program/check.ts'),
  },
  {
    name: 'browser',
    about: 'the web page in Chromium, on a local cluster and the service',
    needs: [CHROMIUM],
    // Its tests wait for what a page shows, which other suites would delay.
    alone: true,
    ...mocha('tests/browser/*.test.ts'),
  },
  { name: 'format', about: 'prettier', ...check('prettier', '--check', '--log-level=warn', '.') },
  { name: 'rustfmt', about: 'rustfmt', needs: [RUST], ...check('cargo', 'fmt', '--all', '--check') },
  {
    name: 'types',
    about: 'the TypeScript compiler, strict',
    ...check('npm', 'run', '--silent', 'types'),
  },
  { name: 'lint', about: 'oxlint with typed rules', ...check('npm', 'run', '--silent', 'lint') },
  {
    name: 'docs',
    about: "every public name of the SDK has a doc comment, and the comments' links lead somewhere",
    ...check('typedoc', '--options', 'sdk/typedoc.json', '--emit', 'none'),
  },
  // Then the longest first.
  {
    name: 'validator',
    about: 'the program and the SDK on solana-test-validator',
    waits: true,
    needs: [VALIDATOR],
    // `anchor test` sets CLUSTER to its own cluster.
    env: { CLUSTER: process.env['CLUSTER'] ?? 'validator' },
    ...mocha(...PROGRAM_TESTS),
  },
  {
    name: 'story-validator',
    about:
      'the whole story, and a bad night of two instances, on solana-test-validator, PostgreSQL and Redis',
    waits: true,
    needs: [VALIDATOR, POSTGRES],
    env: { CLUSTER: 'validator', DATABASE: 'postgres' },
    // The story's validator runs until the suite ends; the night's ends with it.
    ...mocha('tests/service/night.test.ts', 'tests/service/story.test.ts'),
  },
  {
    name: 'pruned-node',
    about: 'the indexer on a solana-test-validator that restarts and prunes its ledger',
    waits: true,
    needs: [VALIDATOR],
    env: { DATABASE: 'pglite' },
    ...mocha('tests/validator/*.test.ts'),
  },
  {
    name: 'service-postgres',
    about: 'the service on PostgreSQL and Redis',
    needs: [POSTGRES],
    env: { DATABASE: 'postgres' },
    ...mocha(...SERVICE_TESTS, ...ONLY_EMBEDDED.flatMap((file) => ['--ignore', file])),
  },
  { name: 'stories', about: 'everything on a local cluster', ...mocha('tests/*.test.ts') },
  {
    name: 'service',
    about: 'the service on the embedded database; less of it where PostgreSQL is installed',
    env: { DATABASE: 'pglite' },
    ...mocha(...EMBEDDED_TESTS),
  },
  {
    name: 'graduation',
    about: 'curves that graduate by themselves, on every build of the AMM that is here',
    ...mocha('tests/graduation/*.test.ts'),
  },
  {
    name: 'differential',
    about: 'the shipped program against its reference build, 50,000 steps',
    needs: [SBF],
    ...mocha('tests/differential/*.test.ts'),
  },
  {
    name: 'rust-client',
    about: 'the Rust client: its format and lints, parity with the IDLs and the SDK, its package',
    needs: [RUST],
    command: 'sh',
    args: [
      '-c',
      [
        'cd crates',
        'cargo fmt --all --check',
        'cargo test --locked --quiet --all-features',
        'cargo package --locked --quiet --allow-dirty',
      ].join(' && '),
    ],
    env: CLIPPY_WHILE_BUILDING,
    reporter: 'cargo',
  },
  {
    name: 'trade-cli',
    about: "the traders' command line as it is published, on a local cluster and the service",
    env: { DATABASE: 'pglite' },
    ...mocha('tests/trade-cli/*.test.ts'),
  },
  {
    name: 'compute-units',
    about: 'compute units of every instruction: no median more than 1 % above the committed one',
    ...check('tsx', 'bench/compute-units.ts', '--check'),
  },
  {
    name: 'graduation-limits',
    about: 'compute units, bytes, cost and price of a graduation within their limits',
    ...check('tsx', 'bench/graduation.ts', '--check'),
  },
  { name: 'sdk', about: "the SDK's unit and property tests", ...mocha('sdk/test/**/*.test.ts') },
];
