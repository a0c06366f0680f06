// The reader's language, and the words of the documents that the service makes in it.
import type { Request, Response } from 'express';
import { LANGUAGE_KEY, type Language } from '../../../web/src/languages.js';
import * as englishIntro from '../../../web/src/words/intro.js';
import * as english from '../../../web/src/words/pages.js';
import type { Translation } from '../../../web/src/words/translation.js';
import * as chineseIntro from '../../../web/src/words/zh/intro.js';
import * as chinese from '../../../web/src/words/zh/pages.js';

export type PageWords = Translation<
  Pick<typeof english, 'pageLinks' | 'pageTitles' | 'sharedWords'> & typeof englishIntro
>;

export const PAGE_WORDS: Readonly<Record<Language, PageWords>> = {
  en: { ...english, ...englishIntro },
  zh: { ...chinese, ...chineseIntro },
};

const COOKIE = new RegExp(`(?:^|;\\s*)${LANGUAGE_KEY}=(\\w+)`);

/** What the address names, else what the reader has chosen before, else what the browser asks for. */
export function languageOf(request: Request, response: Response, offered: readonly Language[]): Language {
  response.vary('Accept-Language, Cookie');
  const named = request.query[LANGUAGE_KEY];
  const chosen = COOKIE.exec(request.headers.cookie ?? '')?.[1];
  const known = [named, chosen].flatMap((asked) => offered.filter((code) => code === asked));
  return known[0] ?? ((request.acceptsLanguages([...offered]) || 'en') as Language);
}
