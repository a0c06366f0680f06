// Texts for all pages. Texts for single pages are in the other files of this folder, loaded with their page. A translation is
// a folder in this one with the same files (translation.ts); see docs/decisions/languages.md.
import type { RequestError } from '../market/api.js';

/** The form of a noun that fits a number: `plural(3, 'token', 'tokens')`. */
export const plural = (count: number, one: string, other: string) => (count === 1 ? one : other);

export const words = {
  // Shell
  skip: 'Skip to content',
  skipToTrading: 'Skip to trading',
  pages: 'Pages',
  search: 'Search tokens by name, symbol or address',
  searchHint: 'Search name, symbol or address',
  live: 'Live',
  reconnecting: 'Reconnecting…',
  late: (seconds: number) => (seconds > 0 ? `${seconds} s behind` : 'Behind'),
  lateHint: 'The launchpad’s index is behind the chain. Prices and trades here can be old.',
  retry: 'Try again',
  more: 'Show more',
  reload: 'Reload the page',
  close: 'Close',
  up: 'up',
  down: 'down',
  you: 'you',
  copied: 'Copied',
  copy: (what: string) => `Copy ${what}`,
  ago: (age: string) => `${age} ago`,
  watch: (name: string) => `Watch ${name}`,
  watchesMost: (most: number) => `You watch ${most} tokens, as many as this page remembers.`,
  loading: 'Loading…',
  broken: 'This part of the page cannot be shown.',
  notLoaded: 'A part of the page cannot be loaded. Check your connection.',
  newVersion: 'There is a new version of this page. Reload it.',
  theme: { label: 'Theme', system: 'System', dark: 'Dark', light: 'Light' },
  language: 'Language',
  dollars: { title: 'Dollars', rate: (usd: string) => `1 SOL = $${usd}` },
  shortcuts: (on: boolean) => (on ? 'Keyboard shortcuts: on' : 'Keyboard shortcuts: off'),
  requestProblem: ({ status, message }: RequestError) => {
    if (status === 0) return 'The service does not answer. Check your connection.';
    if (status === 429) return 'Too many requests from your network. The page tries again by itself.';
    if (status >= 500) return 'The service has a problem. Nothing of yours is affected. Try again soon.';
    return `The service refused: ${message}.`;
  },

  curve: {
    sold: (percent: string) => `${percent} of the curve sold`,
    mine: 'You, if you sold all',
    pool: 'Pool price, for a range from 50 % more tokens in the pool to 50 % fewer',
  },

  tokenPage: {
    marketCap: 'Market cap',
    change: '24 hours',
    volume: 'Volume 24 h',
    holders: 'Holders',
    sameNames: (others: number, name: string) =>
      others === 1 ? `1 other is named ${name}` : `${others} others are named ${name}`,
    sameSymbols: (others: number, symbol: string) =>
      others === 1 ? `1 other has the symbol ${symbol}` : `${others} others have the symbol ${symbol}`,
    sameHint: 'Or a name that looks the same. Compare the address with that of the token you mean.',
    safety: {
      supply: 'Supply fixed',
      freeze: 'Nobody can freeze',
      liquidity: {
        pool: '✓ Liquidity burnt at graduation',
        key: 'The operator takes the liquidity at graduation',
      },
      largest: (share: string) => `Ten largest ${share}`,
      creator: (share: string, sold: string) => `Creator holds ${share}, sold ${sold}`,
      launchSlot: (share: string) => `Bought in the launch’s slot ${share}`,
    },
    address: 'the token’s address',
    failed: 'The token cannot be shown',
    chart: {
      titles: { cap: 'Market cap in SOL', price: 'Price in SOL' },
      axes: { cap: 'Market cap', price: 'Price' },
      label: (symbol: string, title: string) => `Candles of ${symbol}: ${title}`,
      interval: 'Candle length',
      intervals: { 1: '1 s', 15: '15 s', 60: '1 min', 300: '5 min', 3600: '1 h', 86400: '1 d' },
      legend: ([open, high, low, close, volume]: readonly string[]) =>
        `O ${open} · H ${high} · L ${low} · C ${close} · Vol ${volume}`,
      even: 'you are even',
      withEven: (label: string, cap: string) => `${label}. You are even at ${cap} SOL`,
      asTable: 'Table',
      asChart: 'Chart',
      fullScreen: 'Full screen',
      marks: 'Whose trades are marked',
      empty: 'No trade yet: the chart begins with the first one.',
      failed: 'The chart cannot be shown',
      credit: 'Chart by TradingView',
    },
    tabs: { trades: 'Trades', holders: 'Holders', about: 'About', terms: 'Graduation' },
    details: 'Details of the token',
    side: 'Side',
    trader: 'Trader',
    when: 'When',
    buy: 'Buy',
    sell: 'Sell',
    whichTrades: 'Which trades',
    filters: { all: 'All', mine: 'Mine', creator: 'Creator', large: '≥ 1 SOL' },
    orders: { newest: 'Newest first', oldest: 'Oldest first' },
    noSuchTrades: 'No such trade',
    noTrades: 'Nobody has traded it yet',
    noTradesHint: 'The first buy moves the price from the start of the curve.',
    links: { website: 'Website', x: 'X', telegram: 'Telegram', discord: 'Discord' },
    explorer: 'Explorer',
  },

  trade: {
    title: 'Trade',
    side: 'Buy or sell',
    buy: 'Buy',
    sell: 'Sell',
    youPay: 'You pay',
    youSell: 'You sell',
    youGet: 'You get',
    unit: 'Unit of the amount',
    balance: (amount: string) => `Balance ${amount}`,
    max: 'Max',
    share: (percent: number) => `${percent} %`,
    place: { buy: 'Your buy on the curve', sell: 'Your sell on the curve', none: 'Its place on the curve' },
    poolPlace: { buy: 'Your buy in the pool', sell: 'Your sell in the pool', none: 'The pool’s price' },
    ofSol: (goal: string) => `of ${goal} SOL`,
    then: { pool: 'then a pool, liquidity burnt', key: 'then the operator takes it' },
    back: 'Of the fee, {back} comes back to you.',
    graduates: 'This buy sells out the curve: it graduates.',
    stays: 'The curve has no more to sell: {rest} stays yours.',
    poolFoot: 'constant product, liquidity burnt',
    fees: 'Fees',
    /** By side, and by the unit of the typed amount. */
    line: {
      buy: { sol: '→ {out}, at least {least}', token: '→ costs {out}, for at least {least} {symbol}' },
      sell: { sol: '→ sells {out}, for at least {least}', token: '→ {out}, at least {least}' },
    },
    impact: {
      buy: '; you pay {worse} more than the price now and move it by {move}',
      sell: '; you get {worse} less than the price now and move it by {move}',
    },
    whatIf: 'What if they sell?',
    slippage: 'Slippage',
    slippageTooHigh: 'At most 50 %.',
    notANumber: 'Enter a number, such as 0.5',
    twoMeanings: (text: string) => `Do you mean ${text.replace(',', '')} or ${text.replace(',', '.')}?`,
    moreThanExists: 'More than exists.',
    noAmount: 'The amount is too small, or more than there is.',
    soldOut: 'The token has graduated.',
    tooMuchSol: 'More than you have. Some SOL must stay for fees.',
    tooMuchTokens: (symbol: string) => `More ${symbol} than you have.`,
    connect: 'Connect a wallet to trade',
    wrongNetwork: (network: string) => `This wallet is not on ${network}. Switch its network.`,
    promise: 'Simulated before you sign. A price past your limit costs the network fee at most.',
    loadingPool: 'Reading the pool…',
    stale: {
      away: 'Prices are old: the page is reconnecting.',
      late: 'Prices can be old: the launchpad’s index is behind the chain.',
    },
  },

  wallet: {
    connect: 'Connect wallet',
    button: (address: string) => `Your wallet ${address}`,
  },

  notFound: 'There is no such page',
  away: {
    title: 'The service does not answer',
    text: 'The launchpad is away for a moment. Your tokens are safe on chain.',
  },
} as const;
