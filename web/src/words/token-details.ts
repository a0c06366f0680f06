// Texts of a token's holders, description and terms.
export const detailWords = {
  noHolders: 'Nobody holds it yet',
  wallet: 'Wallet',
  amount: 'Amount',
  share: 'Share',
  is: { curve: 'bonding curve', pool: 'pool', creator: 'creator' },
  byCreator: 'Written by the creator. Nobody has checked it.',
  noDescription: 'The creator has not described the token.',
  creator: 'Creator',
  created: 'Created',
  mint: 'Address',
  metadata: 'Metadata',
  termsIntro:
    'When the curve is sold out, its SOL and the tokens left go to a pool, and the liquidity is burnt. The creator chose what happens to the community’s share. It is written on chain and cannot be changed.',
  community: 'Community’s share of the liquidity',
  burn: 'of it burnt',
  toHolders: 'of it for holders',
  toLp: 'of it for liquidity',
  toCreator: 'of it for the creator',
  fee: 'Fee of each trade on the curve',
} as const;
