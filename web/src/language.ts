// The language of this document. A build has the words of one language, so another choice loads another document.
import { LANGUAGE_KEY } from './languages.js';
import { withParameter } from './router.js';

export const language = () => document.documentElement.lang;

export function chooseLanguage(code: string): void {
  setCookie(`${LANGUAGE_KEY}=${code}`);
  history.replaceState(history.state, '', withParameter(LANGUAGE_KEY));
  location.reload();
}

/** A link with a language is a choice too. */
export function keepAskedLanguage(): void {
  if (new URLSearchParams(location.search).has(LANGUAGE_KEY)) setCookie(`${LANGUAGE_KEY}=${language()}`);
}

/** For the service too, which makes the document by it. */
export function setCookie(pair: string): void {
  document.cookie = `${pair}; path=/; max-age=31536000; samesite=lax`;
}
