// Registers the service worker of public/offline.js. Browsers have service workers on https and localhost only.
import { offlineWords } from './words/offline.js';
import { words } from './words/words.js';

/** The part of Trusted Types that browsers without it do not have. */
export interface Policies {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (text: string) => string },
  ) => { readonly createScriptURL: (text: string) => string };
}

export function registerOffline(): void {
  const name = document.querySelector('[property="og:site_name"]')?.getAttribute('content') ?? '';
  const said = { name, lang: document.documentElement.lang, retry: words.retry, ...offlineWords };
  const url = `/offline.js?${new URLSearchParams(said).toString()}`;
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies };
  const policy = trustedTypes?.createPolicy('offline', { createScriptURL: () => url });
  // A private window may refuse it. Then the browser's own page says it.
  navigator.serviceWorker?.register(policy?.createScriptURL('') ?? url).catch(console.warn);
}
