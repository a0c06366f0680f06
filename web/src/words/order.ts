// Texts about a trade in progress.
export const orderWords = {
  impactSecond: (percent: string) => `The impact is ${percent}. Press once more to trade anyway.`,
  button: { buy: (symbol: string) => `Buy ${symbol}`, sell: (symbol: string) => `Sell ${symbol}` },
  again: { buy: 'Buy anyway', sell: 'Sell anyway' },
  preparing: 'Simulating the trade…',
  signing: 'Sign it in your wallet…',
  look: 'Look at your wallet: it waits for your answer.',
  sending: 'Sent. Waiting for the network…',
  bought: (amount: string) => `Bought ${amount}`,
  sold: (amount: string) => `Sold ${amount}`,
  confirmed: 'confirmed',
  finalized: 'final',
  newQuote: 'Trade at the new price',
  unknown: 'Looking up your last trade…',
  unknownHint: (signature: string) =>
    `Its outcome is not known yet (${signature}). Trading this token waits, so that nothing is bought twice.`,
  forget: 'I have looked it up: trade again',
  resolvedOk: 'Your last trade went through.',
  resolvedFailed: 'Your last trade failed. Nothing was spent except the network fee.',
  resolvedExpired: 'Your last trade never reached the network. Nothing was spent.',
} as const;
