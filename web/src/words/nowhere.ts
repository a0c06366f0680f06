// Texts about pages and tokens that do not exist.
export const nowhereWords = {
  page: 'The link is old, or a letter is missing.',
  token: 'There is no such token here',
  tokenHint: 'Check the address, or search for the name.',
  asWallet: 'See it as a wallet',
  toBoard: 'To the board',
} as const;
