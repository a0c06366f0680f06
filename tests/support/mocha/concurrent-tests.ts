/** A test with its title. */
export type NamedTest = readonly [title: string, run: () => Promise<unknown>];

/**
 * Declares tests that all start before the first one and run concurrently, for tests that change nothing. Where a
 * transaction
 * takes half a second, this turns minutes into seconds.
 */
export function concurrentTests(tests: readonly NamedTest[]): void {
  let outcomes: readonly Promise<unknown>[] = [];
  before('start all of them', () => {
    outcomes = tests.map(([, run]) => run());
    // Each failure belongs to its own test, which may come much later.
    for (const outcome of outcomes) outcome.catch(() => undefined);
  });
  for (const [index, [title]] of tests.entries()) it(title, () => outcomes[index]!);
}
