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

export const costWords = {
  fee: (percent: string) => `Fee (${percent})`,
  poolFee: 'Fee of the pool',
  network: 'Network fee, at most',
  rent: 'Rent of your token account',
} as const;
