// Texts of the slippage choices.
export const slippageWords = {
  hint: 'The trade fails when the price is worse by more.',
  own: 'Own, in %',
  high: 'Above 5 %: others may trade before you at your cost.',
} as const;
