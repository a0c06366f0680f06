/** The suites of `npm test`, in this order. */
import { spawnSync } from 'node:child_process';
import { testBrowserPath } from '#tests/browser/chromium-path.js';
import { FOREIGN_BUILDS } from '#tests/graduation/foreign-builds.js';
import { leftOut } from '#tests/outsiders/languages.js';
import { IDL_BUILD_ENVIRONMENT } from '../program/toolchain.js';
import { PACK_CRATES } from '../release/crates.js';
import { missingCargoDeny } from '../supply-chain.js';

interface Requirement {
  readonly program: string;
  /** Where to get it. */
  readonly from: string;
  /** When it is missing, the suite is left out (with `--require-all` it fails). Otherwise it fails. */
  readonly optional?: boolean;
}

export interface Suite {
  readonly name: string;
  /** What it tests, for `--help`. */
  readonly about: string;
  /** Seconds that it usually takes on two cores, beside other suites. */
  readonly usually: number;
  /** Only `--all` runs it. */
  readonly isLong?: boolean;
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
  /** It gets only the time that others leave. */
  readonly yields?: boolean;
  /** It mostly waits for a validator's slots. One such suite runs at a time, beside others. */
  readonly waits?: boolean;
  /** It sends many transactions to Surfpool. */
  readonly usesSurfpool?: boolean;
}

type More = Omit<Partial<Suite>, 'name' | 'usually' | 'about'>;

/** Whether the program is on PATH. */
export function isInstalled({ program }: Requirement): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

const optional = (program: string, from: string): Requirement => ({ program, from, optional: true });
const SOLANA = 'https://solana.com/docs/intro/installation';
const RUST: Requirement = { program: 'cargo', from: 'https://rustup.rs' };
const VALIDATOR = optional('solana-test-validator', SOLANA);
const SBF = optional('cargo-build-sbf', SOLANA);
const POSTGRES = optional('redis-server', 'your package manager (postgresql and redis-server)');
const CHROMIUM = optional(
  testBrowserPath(),
  'your package manager (chromium or chromium-headless-shell), or name it in CHROMIUM',
);
const COQ = optional('coqc', 'your package manager (coq and libzarith-ocaml-dev)');

export const MOCHA = ['--forbid-only', '--forbid-pending', '--reporter', 'scripts/test/reporter.cjs'];

const mocha = (
  name: string,
  usually: number,
  about: string,
  files: readonly string[],
  more: More = {},
): Suite => ({
  ...{ name, usually, about, command: 'mocha', args: [...MOCHA, ...files], reporter: 'mocha' },
  ...more,
});
const check = (name: string, usually: number, about: string, command: string, more: More = {}): Suite => {
  const [program, ...args] = command.split(' ');
  return { ...{ name, usually, about, command: program!, args, reporter: 'check' }, ...more };
};
const cargo = (
  name: string,
  usually: number,
  about: string,
  commands: readonly string[],
  more: More = {},
): Suite => ({
  ...{ name, usually, about, command: 'sh', args: ['-c', commands.join(' && ')], reporter: 'cargo' },
  ...{ needs: [RUST], ...more },
});

/** clippy is the compiler of our own crates. `cargo clippy` would compile all their dependencies apart from the tests'. */
const CLIPPY_WHILE_BUILDING = {
  RUSTC_WORKSPACE_WRAPPER: 'clippy-driver',
  CLIPPY_ARGS: '-Dwarnings__CLIPPY_HACKERY__',
};
const LINTED_BUILD = { ...IDL_BUILD_ENVIRONMENT, ...CLIPPY_WHILE_BUILDING };
const LONG = { isLong: true } as const;
const ON_SURFPOOL = { usesSurfpool: true } as const;
const ON_POSTGRES = { needs: [POSTGRES], env: { DATABASE: 'postgres' } } as const;
const ON_PGLITE = { env: { DATABASE: 'pglite' } } as const;

const service = (...names: string[]): string[] => names.map((name) => `tests/service/${name}.test.ts`);
const SERVICE_TESTS = service('**/*');

/** Tests of the embedded database itself, and of programs that open one. */
const ONLY_EMBEDDED = service(
  'db/checkpoints',
  'db/folder-lock',
  'operator/local-market',
  'db/new-database',
  'operator/production',
  'operator/start',
  'operator/start-refused',
);
/** Tests in which the database makes a difference: locks, restores, the ledger. They run on both. */
const ON_BOTH_DATABASES = service(
  'claims/claims',
  'claims/database',
  'db/database',
  'ledger/ledger',
  'ledger/model',
  'db/migrate',
  'instances/restore',
  'instances/story',
  'db/upgrade',
);
/** What takes long on the embedded database: only `--all` runs it. The first are processes that are killed between steps. */
const LONG_EMBEDDED = service(
  'graduation/settlement/crash',
  'db/checkpoints',
  'db/database',
  'db/new-database',
  'db/upgrade',
  'instances/restore',
  'ledger/model',
  'operator/production',
  'operator/start-refused',
);
/** What runs on PostgreSQL with a validator, where one is installed, and on Surfpool with the embedded database. */
const ON_VALIDATOR = service('instances/restore', 'instances/story');
/** What needs a cluster, or nothing, but no service: the program, the clients, and the rules of this repository. */
const STORIES = [
  'sdk/test/cluster/*.test.ts',
  ...['program', 'packages', 'web', 'repository'].map((folder) => `tests/${folder}/*.test.ts`),
];
/** Streams, kinds of nodes, and clusters: only `--all` runs them. */
const LONG_CLIENTS = [
  ...['feed', 'kit', 'kit-feed', 'preview', 'subscription', 'trade-nodes'].map(
    (name) => `sdk/test/cluster/${name}.test.ts`,
  ),
  'tests/testing/*.test.ts',
];
/** What is built and published. */
const BUILDS = [
  'tests/repository/dev.test.ts',
  'tests/packages/frameworks.test.ts',
  'tests/program/mainnet-feature.test.ts',
  'tests/packages/node-versions.test.ts',
  'tests/program/operator-keys.test.ts',
  'tests/packages/package.test.ts',
  'tests/packages/package-bundles.test.ts',
  'tests/packages/package-types.test.ts',
  'tests/packages/platforms.test.ts',
  'tests/repository/readme.test.ts',
];

/** A browser is idle for half of the time, so it has two suites at once. */
const TRADES_IN_A_BROWSER = [
  'device',
  'hard-times',
  'mobile-wallets',
  'story',
  'trading',
  'trading-trouble',
  'wallet-shapes',
].map((name) => `tests/browser/${name}.test.ts`);

const without = (files: readonly string[]): string[] => files.flatMap((file) => ['--ignore', file]);

/** First those on the default build, then those on the key-held one. */
export const PROGRAM_TESTS = [
  'tests/program/create-token.test.ts',
  'tests/program/trades.test.ts',
  'tests/program/admin-set-properties.test.ts',
  'tests/graduation/graduate.test.ts',
  'tests/graduation/griefing.test.ts',
  'tests/graduation/substitution.test.ts',
  'tests/graduation/sweep.test.ts',
  'sdk/test/cluster/sdk.test.ts',
  'tests/program/validate-log-record.test.ts',
  'tests/program/errors.test.ts',
  'tests/program/migrate.test.ts',
];

/** Without Raydium's program the suite runs on the stand-in alone. */
const raydium = (): string | undefined =>
  FOREIGN_BUILDS.length > 0
    ? undefined
    : "without Raydium's CPMM: `npm run fetch:fixtures` gets it from an RPC node";

/** Checks of the sources, in the time that `hostile` leaves while it waits. */
const SOURCE = { ...LONG, alone: true, beside: 'hostile', yields: true } as const;

export const SUITES: readonly Suite[] = [
  // Those that need the machine for themselves. `rust` compiles for two minutes in a fresh clone.
  // Two builds, because in one the oracle's features would remove the program's entry point. The second names graduation
  // for the features of its test dependencies: with them it finds the first one's crates compiled.
  {
    ...cargo(
      'clippy',
      110,
      'clippy, with unchecked arithmetic denied',
      [
        'cargo build --quiet --profile test --all-targets',
        // Nothing runs these: to optimise them would double their time.
        'cargo build --quiet --profile test --all-targets -p oracle -p caller -p amm-stand-in -p graduation --config profile.test.opt-level=0',
      ],
      { ...LONG, alone: true, env: LINTED_BUILD },
    ),
    reporter: 'check',
  },
  // Not quiet: a slow compilation must not look like silence.
  {
    ...cargo(
      'rust',
      20,
      "the curve's invariants as property tests, byte layouts (250,000 cases each unless PROPTEST_CASES says otherwise); a fresh clone compiles for two minutes first",
      [],
      { alone: true, env: { PROPTEST_CASES: process.env['PROPTEST_CASES'] ?? '250000', ...LINTED_BUILD } },
    ),
    ...{ command: 'cargo', args: ['test', '--lib'] },
  },
  // Alone, because the AMM's stand-in, which suites build as they start, finds most of its crates compiled then.
  check(
    'artifacts',
    170,
    'the committed programs, IDLs and generated SDK are what the sources make',
    'tsx scripts/program/check.ts',
    { ...LONG, alone: true },
  ),
  // Its tests wait for what a page shows, which other suites would delay.
  mocha(
    'browser',
    250,
    'the web page in Chromium, on a local cluster and the service: wallets, trades, launches',
    TRADES_IN_A_BROWSER,
    { ...LONG, needs: [CHROMIUM], alone: true },
  ),
  mocha(
    'browser-pages',
    160,
    'the rest of the web page: its pages, screens, sizes, and what a browser forbids',
    ['tests/browser/*.test.ts', ...without(TRADES_IN_A_BROWSER)],
    { ...LONG, needs: [CHROMIUM], alone: true, beside: 'browser' },
  ),
  // It measures the time of reads.
  mocha(
    'hostile',
    90,
    'attackers attack the service while others read it, and every field gets hostile values, on PostgreSQL',
    ['tests/hostile/*.test.ts'],
    { ...LONG, ...ON_POSTGRES, alone: true },
  ),
  check('format', 47, 'prettier', 'prettier --check --log-level=warn .', SOURCE),
  check('rustfmt', 1, 'rustfmt', 'cargo fmt --all --check', { ...SOURCE, needs: [RUST] }),
  check('types', 27, 'the TypeScript compiler, strict', 'npm run --silent types', SOURCE),
  check('lint', 27, 'oxlint with typed rules', 'npm run --silent lint', SOURCE),
  check(
    'docs',
    20,
    'every public name of the SDK has a doc comment, and the links of comments and guides lead somewhere',
    'typedoc --options docs/typedoc.mjs --emit none',
    SOURCE,
  ),

  // Then the longest first. `anchor test` sets CLUSTER to its own cluster.
  mocha('validator', 110, 'the program and the SDK on solana-test-validator', PROGRAM_TESTS, {
    ...LONG,
    waits: true,
    needs: [VALIDATOR],
    env: { CLUSTER: process.env['CLUSTER'] ?? 'validator' },
  }),
  // The validator of the story runs until the suite ends; that of the restore ends with it.
  mocha(
    'story-validator',
    200,
    'the whole story, and a restored backup, on solana-test-validator, PostgreSQL and Redis',
    ON_VALIDATOR,
    {
      ...LONG,
      waits: true,
      needs: [VALIDATOR, POSTGRES],
      env: { CLUSTER: 'validator', DATABASE: 'postgres' },
    },
  ),
  mocha(
    'pruned-node',
    125,
    'the indexer on a solana-test-validator that restarts and prunes its ledger',
    ['tests/validator/*.test.ts'],
    { ...LONG, ...ON_PGLITE, waits: true, needs: [VALIDATOR] },
  ),
  mocha(
    'service-postgres',
    1500,
    'the service on PostgreSQL and Redis',
    [...SERVICE_TESTS, ...without([...ONLY_EMBEDDED, ...(isInstalled(VALIDATOR) ? ON_VALIDATOR : [])])],
    { ...LONG, ...ON_SURFPOOL, ...ON_POSTGRES },
  ),
  mocha(
    'stories',
    200,
    'the clients, the page and the rules of this repository, on a local cluster',
    [...STORIES, ...without([...BUILDS, ...PROGRAM_TESTS, ...LONG_CLIENTS])],
    ON_SURFPOOL,
  ),
  mocha(
    'clients',
    120,
    'streams of trades, nodes that fail, Kit, and the local cluster itself',
    LONG_CLIENTS,
    { ...LONG, ...ON_SURFPOOL },
  ),
  mocha(
    'program',
    150,
    'the program and the SDK on a local cluster; with --all on solana-test-validator, where it is installed',
    PROGRAM_TESTS,
    { ...ON_SURFPOOL, isLeftOut: isInstalled(VALIDATOR) },
  ),
  mocha(
    'schedules',
    40,
    'what trades and claims say is what the chain says: 20,000 random faults of nodes and wallets',
    ['tests/schedules/*.test.ts'],
    LONG,
  ),
  mocha(
    'builds',
    430,
    "the packed packages, their types and bundles, Node 20, 22 and 24, frameworks, the program's features, an operator's keys, `npm run dev`",
    BUILDS,
    { ...LONG, ...ON_PGLITE },
  ),
  mocha(
    'readme',
    550,
    'every command and snippet of the READMEs, typed into a terminal of a fresh clone with an empty home',
    ['tests/readme/*.test.ts'],
    { ...LONG, needs: [RUST] },
  ),
  mocha(
    'outsiders',
    600,
    'published clients on a launchpad: blinks, the clients in sdk/python and sdk/go, clients that generators make from /openapi.json in Java, Python and TypeScript, Schemathesis; the SDK in workerd, Jest, beside Kit 6 to 8, behind a proxy; Anchor 0.30 to 1.2 and Codama; PostgreSQL over TLS, as psql connects',
    ['tests/outsiders/*.test.ts'],
    { ...LONG, ...ON_SURFPOOL, missing: leftOut },
  ),
  mocha(
    'service',
    130,
    'the service on the embedded database: its ledger, its payments, its start, the whole story',
    [...ONLY_EMBEDDED, ...ON_BOTH_DATABASES].filter((file) => !LONG_EMBEDDED.includes(file)),
    { ...ON_SURFPOOL, ...ON_PGLITE },
  ),
  mocha(
    'service-long',
    240,
    'on the embedded database: settlements in processes that are killed between steps, starts, restores, upgrades',
    LONG_EMBEDDED,
    { ...LONG, ...ON_SURFPOOL, ...ON_PGLITE },
  ),
  mocha(
    'chaos',
    180,
    'the service is killed 30 times while databases, disks and nodes fail (`npm run chaos` does more), and each time chain and ledger agree',
    ['tests/chaos/*.test.ts'],
    { ...LONG, ...ON_SURFPOOL, ...ON_POSTGRES },
  ),
  mocha(
    'service-embedded',
    1500,
    'the rest of the service on the embedded database, where `service-postgres` cannot run',
    [...SERVICE_TESTS, ...without([...ONLY_EMBEDDED, ...ON_BOTH_DATABASES, ...LONG_EMBEDDED])],
    { ...LONG, ...ON_SURFPOOL, ...ON_PGLITE, isLeftOut: isInstalled(POSTGRES) },
  ),
  mocha(
    'graduation',
    160,
    'curves that graduate by themselves, on every build of the AMM that is here',
    ['tests/graduation/*.test.ts'],
    { ...ON_SURFPOOL, missing: raydium },
  ),
  mocha(
    'differential',
    125,
    "the shipped program against its reference build: each single fault, and 50,000 random steps; 10,000 swaps by Jupiter's adapter",
    ['tests/differential/*.test.ts'],
    { ...LONG, needs: [SBF] },
  ),
  mocha(
    'fuzz',
    145,
    'the shipped programs take 200,000 random steps, with AMMs that cheat; programs with known bugs are found; 1,000 lives of positions',
    ['tests/fuzz/*.test.ts'],
    { ...LONG, needs: [SBF], missing: raydium },
  ),
  cargo(
    'rust-client',
    145,
    'the Rust client: its format and lints, parity with the IDLs and the SDK, its package',
    [
      // Of all programs, for the features with which suite `rust` has compiled their crates.
      'cargo test --locked --quiet --doc',
      ...PACK_CRATES,
      'cargo fmt --all --check',
      'cargo test --locked --quiet --all-features',
    ],
    { ...LONG, env: LINTED_BUILD, alone: true, beside: 'browser', yields: true },
  ),
  cargo(
    'proofs',
    40,
    'the theorems of proofs/README.md, proved by Coq from the sources as they are; what the translator refuses',
    [
      'cargo fmt --all --check --manifest-path proofs/Cargo.toml',
      'cargo test --locked --quiet --manifest-path proofs/Cargo.toml',
      'tsx scripts/prove/main.ts --vectors 100000',
    ],
    { ...LONG, needs: [RUST, COQ], env: CLIPPY_WHILE_BUILDING },
  ),
  mocha(
    'proofs-notice',
    30,
    'what the check of the proofs notices: a wrong rounding, an axiom, a stale translation, a wrong quote',
    ['tests/proofs/*.test.ts'],
    { ...LONG, needs: [RUST, COQ] },
  ),
  mocha(
    'supply-chain',
    15,
    'licences, sources and hashes of all packages and crates; cargo-deny, where it is on PATH',
    ['tests/supply-chain/*.test.ts'],
    { ...LONG, missing: missingCargoDeny, needs: [RUST] },
  ),
  mocha(
    'trade',
    60,
    "the traders' command line as it is published, on a local cluster and the service",
    ['tests/trade/*.test.ts'],
    { ...ON_SURFPOOL, ...ON_PGLITE },
  ),
  check(
    'compute-units',
    20,
    'compute units of every instruction: no median more than 1 % above the committed one',
    'tsx scripts/bench/program/compute-units.ts --check',
    ON_SURFPOOL,
  ),
  check(
    'overload',
    40,
    'twice the trades that count as the capacity, a kill, and 20 s without PostgreSQL: the index is exact afterwards',
    'tsx scripts/bench/indexer/overload.ts --check --capacity 1000 --only 2 --seconds 14 --faults both',
    { ...LONG, needs: [POSTGRES] },
  ),
  mocha('sdk', 15, "the SDK's unit and property tests", ['sdk/test/*.test.ts']),
];

/** Debian's redis-server depends on it, so it is there with the databases of the tests. */
const LIBRARY = 'libjemalloc.so.2';

/**
 * Surfpool copies all its state for each instruction of a transaction, to profile it. Most of that is the system's
 * allocator: with jemalloc a trade takes half the CPU time. Empty where jemalloc is not installed.
 */
export function allocatorEnvironment(): Record<string, string> {
  if (process.platform !== 'linux') return {};
  const preloaded = { LD_PRELOAD: LIBRARY };
  // The dynamic linker reports a library that it does not find, and starts the program all the same.
  const { status, stderr } = spawnSync('true', { env: { ...process.env, ...preloaded }, encoding: 'utf8' });
  return status === 0 && stderr === '' ? preloaded : {};
}
