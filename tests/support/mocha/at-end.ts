const ends: (() => unknown)[] = [];

// At the top level of a module this hook applies to all tests of the run. It comes after the hooks of their `describe`.
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Does this when the test that calls it has ended, however it ends; what was given last comes first. */
export const atEnd = (end: () => unknown): void => void ends.push(end);
