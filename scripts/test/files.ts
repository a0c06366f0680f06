/** Which test files belong together. */
const service = (...names: string[]): string[] => names.map((name) => `tests/service/${name}.test.ts`);
export const SERVICE_TESTS = service('**/*');

/** Tests of the embedded database itself, and of programs that open one. */
export const ONLY_EMBEDDED = service(
  'database/checkpoints',
  'database/folder-lock',
  'cli/local-market',
  'database/new-database',
  'cli/production',
  'database/reused-database',
  'cli/start',
  'cli/start-refused',
  'cli/start-wrong-build',
);
/** Processes that are killed again and again. */
export const KILLS = service('settlement/crash', 'indexer/crash');
/** Tests in which the database makes a difference: locks, restores, the ledger. They run on both. */
export const ON_BOTH_DATABASES = service(
  'claims/claims',
  'claims/database',
  'database/database',
  'database/check',
  'ledger/ledger',
  'ledger/check',
  'ledger/model',
  'database/migrate',
  'instances/restore',
  'instances/story',
  'database/upgrade',
);
/** What runs on PostgreSQL with a validator, where one is installed, and on Surfpool with the embedded database. */
export const ON_VALIDATOR = service('instances/story');
/** What needs a cluster, or nothing, but no service: the program, the clients, and the rules of this repository. */
export const STORIES = ['program', 'sdk', 'testing', 'packages', 'web', 'repository'].map(
  (folder) => `tests/${folder}/*.test.ts`,
);
/** What is built and published. */
export const BUILDS = [
  'tests/repository/dev.test.ts',
  'tests/packages/foreign-clients.test.ts',
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
  'tests/program/admin-set-properties-first.test.ts',
  'tests/program/substitution.test.ts',
  'tests/program/create-token.test.ts',
  'tests/program/admin-set-properties.test.ts',
  'tests/program/buy-token.test.ts',
  'tests/program/create-token-accounts.test.ts',
  'tests/program/create-token-arguments.test.ts',
  'tests/program/donations.test.ts',
  'tests/graduation/graduate.test.ts',
  'tests/graduation/griefing.test.ts',
  'tests/graduation/substitution.test.ts',
  'tests/graduation/sweep.test.ts',
  'tests/sdk/sdk.test.ts',
  'tests/program/sell-token.test.ts',
  'tests/program/validate-log-record.test.ts',
  'tests/program/errors.test.ts',
  'tests/program/invariants.test.ts',
  'tests/program/malformed-instructions.test.ts',
  'tests/program/migrate.test.ts',
  'tests/program/migrate-refused.test.ts',
  'tests/program/state-machine.test.ts',
  'tests/program/trade-accounts.test.ts',
];
