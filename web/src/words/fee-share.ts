// Texts of who earns the creator's share of the fees.
export const feeShareWords = {
  kinds: { creator: 'You', traders: 'Your traders', split: 'Several wallets' },
  hint: 'Your wallet signs it before the launch. It can never be changed.',
} as const;
