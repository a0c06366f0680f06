// Texts of the list under the search.
export const searchWords = {
  found: 'Tokens found',
  none: 'No token is called like this',
  all: (query: string) => `All results for “${query}”`,
  wallet: (address: string) => `Wallet ${address}: its tokens and trades`,
} as const;
