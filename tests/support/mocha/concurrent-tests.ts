/** A test by its title. */
export type NamedTest = readonly [title: string, run: () => Promise<unknown>];

/**
 * Declares tests that are all under way at once, from before the first of them: for those that change nothing and so
 * need not wait for each other. Where a transaction takes half a second it makes minutes into seconds.
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
