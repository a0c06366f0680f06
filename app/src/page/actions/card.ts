// The card that a feed shows for a link to a token: text, picture and buttons.
import { LAMPORTS_PER_SOL } from '@solana/web3.js';
import { plainWords } from '../head.js';
import type { Token } from '../../market/reads/token.js';
import { wordsOf } from '../token-words.js';

/** Amounts of the buttons, in SOL. */
const AMOUNTS = ['0.1', '0.5', '1'] as const;
export const LEAST_SOL = '0.001';
export const MOST_SOL = '1000';
/** The amount of which a card tells the price, in SOL. */
const LARGE = 10;

/** @param origin public origin of this service */
export function cardOf(token: Token, origin: string) {
  const symbol = plainWords(token.symbol);
  const path = `/actions/t/${token.mint}`;
  const { venue } = token;
  const closed = venue === 'curve' || venue === 'pool' ? undefined : closedBecause(venue);
  const { title, description } = wordsOf(token);
  return {
    type: 'action' as const,
    icon: `${origin}/og/${token.mint}.png`,
    title,
    description: closed === undefined ? `${description} ${priceOfLarge(token)}` : description,
    label: `Buy ${symbol}`,
    ...(closed === undefined ? {} : { disabled: true, error: { message: closed } }),
    links: {
      actions: [
        ...AMOUNTS.map((amount) => ({
          type: 'transaction' as const,
          label: `${amount} SOL`,
          href: `${path}?amount=${amount}`,
        })),
        {
          type: 'transaction' as const,
          label: `Buy ${symbol}`,
          href: `${path}?amount={amount}`,
          parameters: [
            {
              type: 'number' as const,
              name: 'amount' as const,
              label: 'SOL to spend',
              required: true as const,
              min: Number(LEAST_SOL),
              max: Number(MOST_SOL),
            },
          ],
        },
      ],
    },
  };
}

/** On a curve and in a pool, a buy of as much SOL as the reserve has doubles the average price. Most clients show the message of a buy after it. */
function priceOfLarge({ virtualSol }: Token): string {
  const percent = Math.round((100 * LARGE * LAMPORTS_PER_SOL) / Number(virtualSol));
  return `A buy moves the price: for ${LARGE} SOL, each token costs ${percent} % more than now.`;
}

/** The reason why a token does not trade. */
export function closedBecause(venue: 'graduating' | 'unknown'): string {
  return venue === 'graduating'
    ? 'The curve has sold out and its pool is being opened; try again in a minute'
    : 'The operator has moved this token elsewhere; it does not trade here';
}
