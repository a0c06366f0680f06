// Back and Forward show a page where it was left. The browser itself scrolls before the page has its rows.
const LONGEST_MS = 3_000;
/** How long the page must stay there, while parts of it arrive. */
const SETTLED_MS = 300;
const left = new Map<string, number>();

interface EntryState {
  readonly entry?: string;
}
const entryNow = () => (history.state as EntryState | null)?.entry ?? '';
let shown = entryNow();

/** Call it before a new entry of the history is made. @returns the entry's state */
export function leaveEntry(): EntryState {
  history.scrollRestoration = 'manual';
  left.set(shown, scrollY);
  shown = `${Date.now()} ${Math.random()}`;
  return { entry: shown };
}

addEventListener('popstate', ({ isTrusted }) => {
  // The others are the router's own.
  if (!isTrusted) return;
  left.set(shown, scrollY);
  shown = entryNow();
  scrollSoon(left.get(shown) ?? 0);
});
// A reload is the browser's: it knows the place.
addEventListener('pagehide', () => (history.scrollRestoration = 'auto'));

/** Scrolls as soon as the page is long enough, unless the user does something meanwhile. */
function scrollSoon(to: number): void {
  const start = performance.now();
  let reached = start;
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = () => stopping.abort();
  for (const type of ['wheel', 'touchstart', 'mousedown', 'keydown', 'popstate'])
    addEventListener(type, stop, { signal });
  const step = (now: number) => {
    if (signal.aborted) return;
    if (Math.abs(scrollY - to) > 1) {
      scrollTo(0, to);
      reached = now;
    }
    if (now - reached > SETTLED_MS || now - start > LONGEST_MS) stop();
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
