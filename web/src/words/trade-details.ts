// Texts that the trade box shows when a part of it is opened.
export const slippageWords = {
  hint: 'The trade fails when the price is worse by more.',
  own: 'Own, in %',
  high: 'Above 5 %: others may trade before you at your cost.',
} as const;

export const holdingWords = {
  hold: 'You hold',
  sells: 'sells for',
  sellAll: 'Sell all',
  paid: 'paid',
  received: 'received',
} as const;

export const whatIfWords = {
  reading: 'Reading who holds it…',
  unread: 'The RPC node does not say who holds it. Try again later.',
  nobody: 'Nobody else holds it.',
  creator: 'the creator sells',
  largest: (count: number) =>
    count === 1 ? 'the largest other holder sells' : `the ${count} largest other holders sell`,
  yours: (who: string, fall: string, amount: string, worth: string) =>
    `If ${who} all of it now, the price falls by ${fall}: your ${amount} would then sell for ${worth} SOL.`,
  theirs: (who: string, fall: string, paid: string) =>
    `If ${who} all of it now, the price falls by ${fall}, and the sale pays ${paid} SOL.`,
} as const;

export const costWords = {
  fee: (percent: string) => `Fee (${percent})`,
  poolFee: 'Fee of the pool',
  network: 'Network fee, at most',
  rent: 'Rent of your token account',
} as const;
