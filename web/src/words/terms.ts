// Texts of the terms page.
interface Facts {
  readonly serviceName: string;
  readonly fee: string;
  /** In SOL. */
  readonly start: string;
  readonly graduation: 'pool' | 'key';
}

interface Section {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

export const termsText = ({ serviceName, fee, start, graduation }: Facts): readonly Section[] => [
  {
    title: 'What this is',
    paragraphs: [
      `${serviceName} shows tokens that anyone can launch, and builds transactions that your own wallet signs. It holds no money and no keys of yours.`,
      'Names, pictures, descriptions and links are written by the creators of the tokens. Nobody has checked them. Two tokens can have the same name: compare addresses.',
    ],
  },
  {
    title: 'How the price is made',
    paragraphs: [
      `Each token has a fixed supply of one billion. A program on chain sells it along a curve that begins with ${start} virtual SOL. Each buy raises the price, each sell lowers it.`,
      graduation === 'pool'
        ? 'When the curve is sold out, its SOL and the tokens left go to a pool, and the liquidity is burnt: nobody can take it back.'
        : 'When the curve is sold out, the operator’s key takes its SOL and the tokens left. The operator decides where the token trades then.',
    ],
  },
  {
    title: 'What it costs',
    paragraphs: [
      `The platform’s fee is ${fee} of each trade on the curve. A pool has fees of its own. Solana’s network takes a fee for each transaction, and rent for each account that is opened.`,
    ],
  },
  {
    title: 'What can go wrong',
    paragraphs: [
      'Most tokens lose most of their price. You can lose all that you pay. Trade only what you can lose.',
      'The price can move between the quote and the trade. Your slippage limits how far. A trade beyond the limit fails, and costs the network fee at most.',
      'A confirmed transaction can be lost by a fork of the chain, which is rare. About 13 seconds later it is final.',
    ],
  },
];
