/** The suites of `npm test`, in this order. */
import { spawnSync } from 'node:child_process';
import { testBrowserPath } from '#tests/browser/chromium-path.js';
import { FOREIGN_BUILDS } from '#tests/graduation/foreign-builds.js';
import { IDL_BUILD_ENVIRONMENT } from '../program/toolchain.js';

export interface Suite {
  readonly name: string;
  /** What it tests, for `--help`. */
  readonly about: string;
  /** Seconds that it usually takes on two cores, beside other suites. */
  readonly usually: number;
  /** Only `--all` runs it. */
  readonly isLong?: boolean;
  /** Another suite has its tests on this machine. */
  readonly isLeftOut?: boolean;
  /** What it could not test on this machine, and how to get that. Undefined if nothing. */
  readonly missing?: () => string | undefined;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The runner whose output has the counts. A check has only an exit code. */
  readonly reporter: 'cargo' | 'mocha' | 'check';
  /** Programs that must be on PATH. */
  readonly needs?: readonly Requirement[];
  /** No other suite runs at the same time, because it uses all cores or must not be delayed. */
  readonly alone?: boolean;
  /** The `alone` suite before it, with which it runs all the same, because neither uses more than a core. Takes no longer than that one. */
  readonly beside?: string;
  /** It mostly waits for a validator's slots. One such suite runs at a time, beside others. */
  readonly waits?: boolean;
  /** It sends many transactions to Surfpool. */
  readonly usesSurfpool?: boolean;
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

const COQ: Requirement = {
  program: 'coqc',
  from: 'your package manager (coq and libzarith-ocaml-dev)',
  optional: true,
};

/** clippy is the compiler of our own crates. `cargo clippy` would compile all their dependencies apart from the tests'. */
const CLIPPY_WHILE_BUILDING = {
  RUSTC_WORKSPACE_WRAPPER: 'clippy-driver',
  CLIPPY_ARGS: '-Dwarnings__CLIPPY_HACKERY__',
};
const LINTED_BUILD = { ...IDL_BUILD_ENVIRONMENT, ...CLIPPY_WHILE_BUILDING };

/** How mocha runs files. */
export const MOCHA = ['--forbid-only', '--forbid-pending', '--reporter', 'scripts/test/reporter.cjs'];

function mocha(...files: string[]): Pick<Suite, 'command' | 'args' | 'reporter'> {
  return { command: 'mocha', args: [...MOCHA, ...files], reporter: 'mocha' };
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
  'new-database',
  'production',
  'reused-database',
  'start',
  'start-refused',
  'start-wrong-build',
);
/** Processes that are killed again and again. */
const KILLS = service('settlement-crash', 'indexer-crash');
/** Tests in which the database makes a difference: locks, crashes, restores, the ledger. They run on both. */
const ON_BOTH_DATABASES = service(
  'claims',
  'claims-database',
  'claims-treasury',
  'database',
  'database-check',
  'instances',
  'ledger',
  'ledger-model',
  'lost-connections',
  'market-books',
  'migrate',
  'restore',
  'rewards-api',
  'settlement-booking',
  'story',
);
/** What runs on PostgreSQL with a validator, where one is installed, and on Surfpool with the embedded database. */
const ON_VALIDATOR = service('story');
/** What is built and published. */
const BUILDS = [
  'tests/dev.test.ts',
  'tests/foreign-clients.test.ts',
  'tests/frameworks.test.ts',
  'tests/mainnet-feature.test.ts',
  'tests/node-versions.test.ts',
  'tests/operator-keys.test.ts',
  'tests/package.test.ts',
  'tests/package-bundles.test.ts',
  'tests/package-types.test.ts',
  'tests/platforms.test.ts',
  'tests/readme.test.ts',
];

/** A browser is idle for half of the time, so it has two suites at once. */
const TRADES_IN_A_BROWSER = [
  'device',
  'hard-times',
  'mobile-wallets',
  'story',
  'trading',
  'wallet-shapes',
].map((name) => `tests/browser/${name}.test.ts`);

const without = (files: readonly string[]): string[] => files.flatMap((file) => ['--ignore', file]);

/** Without Raydium's program the suite runs on the stand-in alone. */
function raydium(): string | undefined {
  return FOREIGN_BUILDS.length > 0
    ? undefined
    : "without Raydium's CPMM: `npm run fetch:fixtures` gets it from an RPC node";
}

/** First those on clusters of their own, then those on the default build, then those on the key-held one. */
const PROGRAM_TESTS = [
  'tests/admin-set-properties-first.test.ts',
  'tests/substitution.test.ts',
  'tests/create-token.test.ts',
  'tests/admin-set-properties.test.ts',
  'tests/buy-token.test.ts',
  'tests/create-token-accounts.test.ts',
  'tests/create-token-arguments.test.ts',
  'tests/donations.test.ts',
  'tests/graduation/graduate.test.ts',
  'tests/graduation/griefing.test.ts',
  'tests/graduation/substitution.test.ts',
  'tests/graduation/sweep.test.ts',
  'tests/sdk.test.ts',
  'tests/sell-token.test.ts',
  'tests/validate-log-record.test.ts',
  'tests/errors.test.ts',
  'tests/invariants.test.ts',
  'tests/malformed-instructions.test.ts',
  'tests/migrate.test.ts',
  'tests/state-machine.test.ts',
  'tests/trade-accounts.test.ts',
];

export const SUITES: readonly Suite[] = [
  {
    name: 'clippy',
    usually: 165,
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
    usually: 17,
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
    usually: 280,
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
  // Then the longest first.
  {
    name: 'validator',
    usually: 370,
    isLong: true,
    about: 'the program and the SDK on solana-test-validator',
    waits: true,
    needs: [VALIDATOR],
    // `anchor test` sets CLUSTER to its own cluster.
    env: { CLUSTER: process.env['CLUSTER'] ?? 'validator' },
    ...mocha(...PROGRAM_TESTS),
  },
  {
    name: 'story-validator',
    usually: 320,
    isLong: true,
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
    usually: 105,
    isLong: true,
    about: 'the indexer on a solana-test-validator that restarts and prunes its ledger',
    waits: true,
    needs: [VALIDATOR],
    env: { DATABASE: 'pglite' },
    ...mocha('tests/validator/*.test.ts'),
  },
  {
    name: 'service-postgres',
    usually: 1200,
    isLong: true,
    usesSurfpool: true,
    about: 'the service on PostgreSQL and Redis',
    needs: [POSTGRES],
    env: { DATABASE: 'postgres' },
    ...mocha(
      ...SERVICE_TESTS,
      ...without([...ONLY_EMBEDDED, ...(isInstalled(VALIDATOR) ? ON_VALIDATOR : [])]),
    ),
  },
  {
    name: 'hostile',
    usually: 90,
    isLong: true,
    about:
      'strangers attack the service while others read it, and every field gets hostile values, on PostgreSQL',
    needs: [POSTGRES],
    // It measures the time of reads.
    alone: true,
    env: { DATABASE: 'postgres' },
    ...mocha('tests/hostile/*.test.ts'),
  },
  {
    name: 'stories',
    usually: 400,
    usesSurfpool: true,
    about: 'everything on a local cluster',
    ...mocha('tests/*.test.ts', ...without(BUILDS)),
  },
  {
    name: 'schedules',
    usually: 170,
    isLong: true,
    about: 'what trades and claims say is what the chain says: 20,000 random faults of nodes and wallets',
    ...mocha('tests/schedules/*.test.ts'),
  },
  {
    name: 'builds',
    usually: 330,
    isLong: true,
    about:
      "the packed packages, their types and bundles, Node 20, 22 and 24, frameworks, the program's features, an operator's keys, `npm run dev`",
    env: { DATABASE: 'pglite' },
    ...mocha(...BUILDS),
  },
  {
    name: 'readme',
    usually: 460,
    isLong: true,
    about:
      'every command and snippet of the READMEs, typed into a terminal of a fresh clone with an empty home',
    needs: [RUST],
    ...mocha('tests/readme/*.test.ts'),
  },
  {
    name: 'service',
    usually: 300,
    usesSurfpool: true,
    about: 'the service on the embedded database: its ledger, its payments, restores, the whole story',
    env: { DATABASE: 'pglite' },
    ...mocha(...ONLY_EMBEDDED, ...ON_BOTH_DATABASES),
  },
  {
    name: 'service-kills',
    usually: 160,
    isLong: true,
    usesSurfpool: true,
    about: 'settlements and indexing in processes that are killed again and again, on the embedded database',
    env: { DATABASE: 'pglite' },
    ...mocha(...KILLS),
  },
  {
    name: 'chaos',
    usually: 180,
    isLong: true,
    usesSurfpool: true,
    about:
      'the service is killed 30 times while databases, disks and nodes fail (`npm run chaos` does more), and each time chain and ledger agree',
    needs: [POSTGRES],
    env: { DATABASE: 'postgres' },
    ...mocha('tests/chaos/*.test.ts'),
  },
  {
    name: 'service-embedded',
    usually: 1500,
    isLong: true,
    usesSurfpool: true,
    about: 'the rest of the service on the embedded database, where `service-postgres` cannot run',
    isLeftOut: isInstalled(POSTGRES),
    env: { DATABASE: 'pglite' },
    ...mocha(...SERVICE_TESTS, ...without([...ONLY_EMBEDDED, ...ON_BOTH_DATABASES, ...KILLS])),
  },
  {
    name: 'graduation',
    usually: 160,
    usesSurfpool: true,
    about: 'curves that graduate by themselves, on every build of the AMM that is here',
    missing: raydium,
    ...mocha('tests/graduation/*.test.ts'),
  },
  {
    name: 'differential',
    usually: 270,
    isLong: true,
    about: 'the shipped program against its reference build, 50,000 steps',
    needs: [SBF],
    ...mocha('tests/differential/*.test.ts'),
  },
  {
    name: 'fuzz',
    usually: 90,
    isLong: true,
    about:
      'the shipped programs take 200,000 random steps, with AMMs that cheat; programs with known bugs are found',
    missing: raydium,
    needs: [SBF],
    ...mocha('tests/fuzz/*.test.ts'),
  },
  {
    name: 'rust-client',
    usually: 145,
    isLong: true,
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
    name: 'proofs',
    usually: 40,
    isLong: true,
    about:
      'the theorems of proofs/README.md, proved by Coq from the sources as they are; what the translator refuses',
    needs: [RUST, COQ],
    command: 'sh',
    args: [
      '-c',
      [
        'cargo fmt --all --check --manifest-path proofs/Cargo.toml',
        'cargo test --locked --quiet --manifest-path proofs/Cargo.toml',
        'tsx scripts/prove/main.ts --vectors 100000',
      ].join(' && '),
    ],
    env: CLIPPY_WHILE_BUILDING,
    reporter: 'cargo',
  },
  {
    name: 'supply-chain',
    usually: 15,
    isLong: true,
    about:
      'bills of materials, licences and sources of all packages and crates; cargo-deny, where it is on PATH',
    needs: [RUST],
    ...mocha('tests/supply-chain/*.test.ts'),
  },
  {
    name: 'trade-cli',
    usually: 60,
    usesSurfpool: true,
    about: "the traders' command line as it is published, on a local cluster and the service",
    env: { DATABASE: 'pglite' },
    ...mocha('tests/trade-cli/*.test.ts'),
  },
  {
    name: 'compute-units',
    usually: 20,
    usesSurfpool: true,
    about: 'compute units of every instruction: no median more than 1 % above the committed one',
    ...check('tsx', 'bench/compute-units.ts', '--check'),
  },
  {
    name: 'graduation-limits',
    usually: 30,
    usesSurfpool: true,
    about: 'compute units, bytes, cost and price of a graduation within their limits',
    ...check('tsx', 'bench/graduation.ts', '--check'),
  },
  { name: 'sdk', usually: 15, about: "the SDK's unit and property tests", ...mocha('sdk/test/**/*.test.ts') },
];
