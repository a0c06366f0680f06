/** Which test files belong together. */
const service = (...names: string[]): string[] => names.map((name) => `tests/service/${name}.test.ts`);
export const SERVICE_TESTS = service('**/*');

/** Tests of the embedded database itself, and of programs that open one. */
export const ONLY_EMBEDDED = service(
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
export const KILLS = service('settlement-crash', 'indexer-crash');
/** Tests in which the database makes a difference: locks, crashes, restores, the ledger. They run on both. */
export const ON_BOTH_DATABASES = service(
  'claims',
  'claims-database',
  'claims-treasury',
  'database',
  'database-check',
  'instances',
  'ledger',
  'ledger-check',
  'ledger-model',
  'lost-connections',
  'market-books',
  'migrate',
  'restore',
  'rewards-api',
  'settlement-booking',
  'story',
  'upgrade',
);
/** What runs on PostgreSQL with a validator, where one is installed, and on Surfpool with the embedded database. */
export const ON_VALIDATOR = service('story');
/** What is built and published. */
export const BUILDS = [
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
export const TRADES_IN_A_BROWSER = [
  'device',
  'hard-times',
  'mobile-wallets',
  'story',
  'trading',
  'trading-trouble',
  'wallet-shapes',
].map((name) => `tests/browser/${name}.test.ts`);

export const without = (files: readonly string[]): string[] => files.flatMap((file) => ['--ignore', file]);

/** First those on clusters of their own, then those on the default build, then those on the key-held one. */
export const PROGRAM_TESTS = [
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
  'tests/migrate-refused.test.ts',
  'tests/state-machine.test.ts',
  'tests/trade-accounts.test.ts',
];
