// The languages of the page, by the codes of their documents. The service reads the table too: it serves the document of the
// reader's language, and each is a build of its own (web/vite.config.ts), so that nobody loads the words of another one.
export const LANGUAGES = { en: 'English', zh: '简体中文' } as const;

export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

/** Parameter of the address and cookie with the reader's choice, which the service reads. */
export const LANGUAGE_KEY = 'lang';
