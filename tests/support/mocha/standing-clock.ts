/** `performance.now()` stands during each test of the surrounding `describe`, until the test moves it. */
export function useStandingClock(): { ms: number } {
  const now = performance.now.bind(performance);
  const clock = { ms: 0 };
  beforeEach(() => {
    clock.ms = 10_000;
    performance.now = () => clock.ms;
  });
  afterEach(() => (performance.now = now));
  return clock;
}
