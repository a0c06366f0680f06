// Texts of the wallet list and the account dialog.
export const dialogWords = {
  fund: 'Get 10 test SOL',
  funding: 'Asking for test SOL…',
  connectTitle: 'Connect a wallet',
  none: 'No wallet was found in this browser. Install one and reload the page.',
  noneOnPhone: 'Wallets on phones are apps. Open this page in the one that you have, or get one.',
  open: (name: string) => `Open in ${name}`,
  get: (name: string) => `Get ${name}`,
  noAccount: 'The wallet shared no account. Unlock it, and allow this page.',
  look: 'The wallet has not answered yet. Look at it, or choose it again.',
  insecure:
    'The burner wallet needs https, or a page on localhost, to keep its key. Use another wallet here.',
  account: 'Your wallet',
  disconnect: 'Disconnect',
  mine: 'My tokens and trades',
  faucetDone: 'Test SOL has arrived.',
} as const;
