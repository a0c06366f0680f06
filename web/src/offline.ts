// Registers the worker that says "offline" where a page cannot be loaded. Without https there is none.
import { offlineWords } from './words/offline.js';
import { words } from './words/words.js';
import { workerUrl } from './worker-url.js';

export function registerOffline(name: string): void {
  const said = { name, lang: document.documentElement.lang, retry: words.retry, ...offlineWords };
  const url = workerUrl(`/offline.js?${new URLSearchParams(said).toString()}`);
  // A private window may refuse it. Then the browser's own page says it.
  navigator.serviceWorker?.register(url).catch((error: unknown) => console.warn(error));
}
