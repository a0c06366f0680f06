// What a stranger needs to know. The service reads this table too: the text is in the document.
export const introWords = {
  title: 'How it works',
  steps: (goal: string, graduation: 'pool' | 'key') =>
    [
      ['Anyone launches.', 'One billion tokens, and nobody can mint more.'],
      ['The curve sells.', 'Each buy moves the price. Until it is sold out, you can sell back to it.'],
      graduation === 'pool'
        ? [`At ${goal} SOL a pool opens.`, 'Its liquidity is burnt: nobody can withdraw it.']
        : [`At ${goal} SOL it is sold out.`, 'The operator’s key takes its SOL and tokens to a market.'],
    ] as const,
  launch: 'Launch a token',
  about: (cost: string) => `about ${cost} SOL`,
  proofs: 'Proofs',
} as const;
