// Texts about a trade in progress.
export const orderWords = {
  button: { buy: (symbol: string) => `Buy ${symbol}`, sell: (symbol: string) => `Sell ${symbol}` },
  again: {
    buy: (more: string) => `Buy anyway, ${more} above`,
    sell: (less: string) => `Sell anyway, ${less} below`,
  },
  preparing: 'Simulating the trade…',
  signing: 'Sign it in your wallet…',
  look: 'Look at your wallet: it waits for your answer.',
  sending: 'Sent. Waiting for the network…',
  bought: (amount: string) => `Bought ${amount}`,
  sold: (amount: string) => `Sold ${amount}`,
  asQuoted: 'as quoted',
  better: (percent: string) => `${percent} better than quoted`,
  worse: (percent: string) => `${percent} worse than quoted`,
  confirmed: 'confirmed',
  finalized: 'final',
  receipt: 'Receipt',
  newQuote: 'Trade at the new price',
  unknown: 'Looking up your last trade…',
  unknownHint: (signature: string) =>
    `Its outcome is not known yet (${signature}). Trading this token waits, so that nothing is bought twice.`,
  forget: 'I have looked it up: trade again',
  resolvedOk: 'Your last trade went through.',
  resolvedFailed: 'Your last trade failed. Nothing was spent except the network fee.',
  resolvedExpired: 'Your last trade never reached the network. Nothing was spent.',
} as const;
