// Texts about a graduated token.
export const graduationWords = {
  title: 'It has graduated',
  graduating: {
    pool: 'The curve is sold out. Its pool opens in a moment, and trading goes on there.',
    key: 'The curve is sold out. The operator’s key takes its SOL and the tokens left to a market.',
  },
  poolOpen: (name: string) => `${name} trades in its pool now. The liquidity is burnt: nobody can take it.`,
  movedUnknown: 'The operator has moved this token to a market of their choice.',
  share: 'Copy its link',
  market: 'Open its market',
} as const;
