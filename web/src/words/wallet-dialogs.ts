// Texts of the wallet list and the account dialog.
export const dialogWords = {
  connectTitle: 'Connect a wallet',
  none: 'No wallet was found in this browser. Install one and reload the page.',
  get: (name: string) => `Get ${name}`,
  noAccount: 'The wallet shared no account. Unlock it, and allow this page.',
  account: 'Your wallet',
  disconnect: 'Disconnect',
  mine: 'My tokens and trades',
  faucetDone: 'Test SOL has arrived.',
} as const;
