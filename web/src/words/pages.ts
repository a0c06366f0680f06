// The names of the pages, and what shared links to them say. The service reads this table too (app/src/page): it serves a
// document in each language.

export const pageTitles = {
  board: 'Board',
  launch: 'Launch a token',
  rewards: 'Rewards',
  wallet: 'Wallet',
  receipt: 'Receipt',
  terms: 'Terms',
} as const;

/** The links of the navigation. */
export const pageLinks = { board: 'Board', launch: 'Launch', rewards: 'Rewards' } as const;

/** Only the service reads it, so the page is smaller without. */
export const sharedWords = {
  pages: 'Pages',
  search: 'Search',
  board: 'Launch and trade tokens',
  tokens: 'Tokens',
  descriptions: {
    board: 'Launch and trade tokens on Solana, on a bonding curve that ends in a pool.',
    launch: 'A name, a picture, and it trades: no code, no deposit.',
    wallet: 'What a wallet holds, has created and has traded.',
    rewards: 'See what your wallet has earned, and claim it.',
    terms: 'What this launchpad does, what it costs and what can go wrong.',
  },
  token: (cap: string, place: string) => `Market cap ${cap} SOL, ${place}.`,
  bought: (amount: string) => `Bought ${amount}`,
  sold: (amount: string) => `Sold ${amount}`,
  price: (sol: string) => `for ${sol} SOL`,
  receipt: (name: string, place: string, all: string, slot: string) =>
    `${name}: trade ${place} of ${all} of this token in slot ${slot}.`,
  onItsWay: (percent: string) => `${percent} of the way to graduation`,
  inPool: 'trading in its pool',
  graduated: 'graduated',
  missing: ['Not found', 'There is no such page.'],
  noScript: 'This page needs JavaScript: it draws live prices and talks to your wallet.',
} as const;
