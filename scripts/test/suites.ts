/** The suites of `npm test`, in this order. */
import { leftOut } from '#tests/outsiders/languages.js';
import { FOREIGN_BUILDS } from '#tests/graduation/foreign-builds.js';
import {
  BUILDS,
  KILLS,
  ON_BOTH_DATABASES,
  ON_VALIDATOR,
  ONLY_EMBEDDED,
  PROGRAM_TESTS,
  SERVICE_TESTS,
  STORIES,
  without,
} from './files.js';
import { missingCargoDeny } from '../supply-chain.js';
import { ALONE, SOURCES } from './first.js';
import { COQ, isInstalled, POSTGRES, RUST, SBF, VALIDATOR } from './requirements.js';
import { check, CLIPPY_WHILE_BUILDING, mocha, type Suite } from './suite.js';

/** Without Raydium's program the suite runs on the stand-in alone. */
function raydium(): string | undefined {
  return FOREIGN_BUILDS.length > 0
    ? undefined
    : "without Raydium's CPMM: `npm run fetch:fixtures` gets it from an RPC node";
}

export const SUITES: readonly Suite[] = [
  ...ALONE,
  ...SOURCES,
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
      'the whole story, and the failures of two instances, on solana-test-validator, PostgreSQL and Redis',
    waits: true,
    needs: [VALIDATOR, POSTGRES],
    env: { CLUSTER: 'validator', DATABASE: 'postgres' },
    // The validator of the story runs until the suite ends; that of the two instances ends with it.
    ...mocha('tests/service/instances/two-instances.test.ts', 'tests/service/instances/story.test.ts'),
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
    name: 'stories',
    usually: 400,
    usesSurfpool: true,
    about: 'the clients, the page and the rules of this repository, on a local cluster',
    ...mocha(...STORIES, ...without([...BUILDS, ...PROGRAM_TESTS])),
  },
  {
    name: 'program',
    usually: 150,
    usesSurfpool: true,
    about:
      'the program and the SDK on a local cluster; with --all on solana-test-validator, where it is installed',
    isLeftOut: isInstalled(VALIDATOR),
    ...mocha(...PROGRAM_TESTS),
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
    name: 'outsiders',
    usually: 240,
    isLong: true,
    usesSurfpool: true,
    about:
      'published clients on a launchpad: blinks, clients that generators make from /openapi.json in Go, Java, Python and TypeScript, Schemathesis; the SDK in workerd, Jest, beside Kit 6 to 8, behind a proxy; Anchor 0.30 to 1.2 and Codama; PostgreSQL over TLS, as psql connects',
    missing: leftOut,
    ...mocha('tests/outsiders/*.test.ts'),
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
    about: 'the shipped program against its reference build: each single fault, and 50,000 random steps',
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
        'cargo test --locked --quiet --package curvekit-interface --doc',
        'cargo package --locked --quiet --allow-dirty --package curvekit-interface',
        'cd crates',
        'cargo fmt --all --check',
        'cargo test --locked --quiet --all-features',
        // The interface is on crates.io only when it is published.
        `cargo package --locked --quiet --allow-dirty --config 'patch.crates-io.curvekit-interface.path="../programs/interface"'`,
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
    name: 'proofs-notice',
    usually: 30,
    isLong: true,
    about:
      'what the check of the proofs notices: a wrong rounding, an axiom, a stale translation, a wrong quote',
    needs: [RUST, COQ],
    ...mocha('tests/proofs/*.test.ts'),
  },
  {
    name: 'supply-chain',
    usually: 15,
    isLong: true,
    about: 'licences, sources and hashes of all packages and crates; cargo-deny, where it is on PATH',
    missing: () => missingCargoDeny(),
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
    ...check('tsx', 'bench/program/compute-units.ts', '--check'),
  },
  {
    name: 'graduation-limits',
    usually: 30,
    usesSurfpool: true,
    about: 'compute units, bytes, cost and price of a graduation within their limits',
    ...check('tsx', 'bench/program/graduation.ts', '--check'),
  },
  { name: 'sdk', usually: 15, about: "the SDK's unit and property tests", ...mocha('sdk/test/**/*.test.ts') },
];
