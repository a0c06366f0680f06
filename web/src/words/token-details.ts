// Texts of a token's holders, description and terms.
export const detailWords = {
  chartColumns: ['Time', 'Open', 'High', 'Low', 'Close', 'Volume'],
  noHolders: 'Nobody holds it yet',
  firstHold: (count: number, share: string) =>
    count === 1 ? `The largest holder has ${share}.` : `The ${count} largest holders have ${share} together.`,
  wallet: 'Wallet',
  amount: 'Amount',
  share: 'Share',
  is: { curve: 'bonding curve', pool: 'pool', creator: 'creator', operator: 'the launchpad’s operator' },
  byCreator: 'Written by the creator. Nobody has checked it.',
  noDescription: 'The creator has not described the token.',
  creator: 'Creator',
  created: 'Created',
  mint: 'Address',
  metadata: 'Metadata',
  notFetched: 'The service has not read the metadata yet.',
  incomplete: (problem: string) => `Something is missing: ${problem}.`,
  again: (time: string) => `The service tries again: ${time}.`,
  termsIntro:
    'When the curve is sold out, its SOL and the tokens left go to a pool, and the liquidity is burnt. The creator chose what happens to the community’s share. It is written on chain and cannot be changed.',
  community: 'Community’s share of the liquidity',
  burn: 'of it burnt',
  toHolders: 'of it for holders',
  toLp: 'of it for liquidity',
  toCreator: 'of it for the creator',
  fee: 'Fee of each trade on the curve',
} as const;
