// Texts of a wallet's page.
export const walletWords = {
  title: 'Wallet',
  holdings: 'Holdings',
  created: 'Launched',
  trades: 'Trades',
  value: 'Value',
  cost: 'Paid',
  received: 'Received',
  profit: 'Profit',
  amount: 'Amount',
  token: 'Token',
  noHoldings: 'This wallet holds no token of this launchpad',
  noCreated: 'This wallet has launched no token',
  noTrades: 'This wallet has not traded here',
  failed: 'The wallet cannot be shown',
  total: 'Worth now',
  address: 'the wallet’s address',
} as const;
