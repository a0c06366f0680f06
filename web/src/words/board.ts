// Texts of the board.
import { plural } from './words.js';

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
} as const;

export const boardWords = {
  soon: 'About to graduate',
  closest: 'Closest to graduation',
  tokens: 'Tokens',
  tabs: {
    new: 'New',
    trending: 'Trending',
    top: 'Top',
    active: 'Active',
    graduated: 'Graduated',
    watched: 'Watched',
  },
  sortedBy: 'Which tokens',
  columns: {
    token: 'Token',
    curve: 'Curve',
    cap: 'Market cap',
    change: '24 h',
    volume: 'Volume 24 h',
    last: 'Last trade',
  },
  marketCap: 'market cap',
  toGraduation: 'to graduation',
  sold: 'sold',
  by: 'by',
  trades: (count: number, shown: string) => `${shown} ${plural(count, 'trade', 'trades')}`,
  fresh: (count: number) => `${count} new ${plural(count, 'token', 'tokens')} ↑`,
  trade: 'Trade',
  sinceLaunch: 'since launch',
  tellMe: 'Tell me at 50 %, at graduation, and at ±20 %',
  told: {
    half: (name: string) => `${name}: half of the curve is sold`,
    graduated: (name: string) => `${name} has graduated`,
    moved: (name: string, change: string) => `${name}: ${change}`,
  },
  noTelling: 'This browser does not let the page tell you. Allow notifications for it.',
  graduated: 'Graduated',
  graduating: 'Graduating',
  pool: 'In its pool',
  never: 'not yet',
  failed: 'The tokens cannot be shown',
  empty: 'Nobody has created a token yet',
  emptyHint: 'The first one could be yours: it takes a name, a picture and a minute.',
  emptyGraduated: 'No token has graduated yet',
  emptyGraduatedHint:
    'A token graduates when its curve has sold all its tokens. Those closest to it are on the board.',
  emptyWatched: 'You watch no token yet',
  emptyWatchedHint: 'Press the star beside a name. This browser remembers up to 50.',
  noMatch: (query: string) => `No token matches “${query}”`,
  noMatchHint: 'Search by the beginning of a name, a symbol or an address, or by the address of a creator.',
  launchOne: introWords.launch,
  searchFor: (query: string) => `Results for “${query}”`,
  clear: 'Clear the search',
} as const;
