// The table of pages. A page is its path here, its title and what a shared link to it says in ../words/pages.ts, and its
// component in NAME.tsx beside this file: the router, the navigation and the service (app/src/page) read the table.

/** `:address` stands for an address of Solana, `:signature` for a transaction's signature. */
export const PAGES = {
  board: '/',
  launch: '/launch',
  rewards: '/rewards',
  token: '/t/:address',
  wallet: '/w/:address',
  receipt: '/r/:signature',
  terms: '/terms',
} as const satisfies Readonly<Record<string, string>>;

export type PageName = keyof typeof PAGES;

export const PAGE_NAMES = Object.keys(PAGES) as PageName[];

/** Cookie of a reader who has closed the board's introduction. The service then leaves it out of the document. */
export const INTRO_CLOSED = 'intro=closed';

/** The page of any other path. */
export const NOT_FOUND = 'not-found';
