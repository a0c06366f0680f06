// The table of pages, in the order of the navigation. A page is its entry here, what a shared link to it says (below), and its
// component in NAME.tsx beside this file: the router, the navigation and the service (app/src/page) read the table.

interface PageEntry {
  /** `:address` stands for an address of Solana, `:signature` for the signature of a transaction. */
  readonly path: string;
  /** In the window's title. A page without one sets it itself. */
  readonly title?: string;
  /** Its name in the navigation. A page without one is not there. */
  readonly link?: string;
}

export const PAGES = {
  board: { path: '/', title: 'Board', link: 'Board' },
  launch: { path: '/launch', title: 'Launch a token', link: 'Launch' },
  rewards: { path: '/rewards', title: 'Rewards', link: 'Rewards' },
  token: { path: '/t/:address' },
  wallet: { path: '/w/:address', title: 'Wallet' },
  receipt: { path: '/r/:signature', title: 'Receipt' },
  terms: { path: '/terms', title: 'Terms' },
} as const satisfies Readonly<Record<string, PageEntry>>;

export type PageName = keyof typeof PAGES;

export const pageEntry = (name: PageName): PageEntry => PAGES[name];
export const PAGE_NAMES = Object.keys(PAGES) as PageName[];

/** The links of the navigation, in order. */
export const NAVIGATION = PAGE_NAMES.flatMap((name) => {
  const { path, link } = pageEntry(name);
  return link === undefined ? [] : [{ name, path, link }];
});

/** The page of any other path. */
export const NOT_FOUND = 'not-found';

/**
 * What a shared link to a page says, with the page's title unless it has its own. The links of a token and of a
 * receipt say what it is. A table of its own, because only the service reads it: the page is smaller without.
 */
const SHARED: Readonly<Record<OfNothing, { readonly title?: string; readonly description: string }>> = {
  board: {
    title: 'Launch and trade tokens',
    description: 'Launch and trade tokens on Solana, on a bonding curve that ends in a pool.',
  },
  launch: { description: 'A name, a picture, and it trades: no code, no deposit.' },
  wallet: { description: 'What a wallet holds, has launched and has traded.' },
  rewards: { description: 'See what your wallet has earned, and claim it.' },
  terms: { description: 'What this launchpad does, what it costs and what can go wrong.' },
};

/** Pages of no token and of no trade. */
type OfNothing = Exclude<PageName, 'token' | 'receipt'>;

interface SharedLink {
  readonly title: string;
  readonly description: string;
}

export const NO_PAGE: SharedLink = { title: 'Not found', description: 'There is no such page.' };

export function sharedLink(name: OfNothing): SharedLink {
  return { title: PAGES[name].title, ...SHARED[name] };
}
