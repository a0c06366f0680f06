// The launch form's inputs and their validation. Lengths are in bytes, because the program stores UTF-8.
import { isVisible, quoteBuy } from '@curvekit/sdk/quotes';
import { exactSol, percent } from '../format.js';
import type { Risk } from '../form-store.js';
import type { MarketConfig } from '../market/types.js';
import { parseAmount, SOL_DECIMALS, whyNoAmount } from '../trade/amount-text.js';
import { words } from '../words/words.js';
import { launchWords } from '../words/launch.js';
import { completedLink, LINKS } from './link-text.js';

export interface LaunchWords {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  readonly website: string;
  readonly x: string;
  readonly telegram: string;
  readonly discord: string;
}

export interface LaunchForm extends LaunchWords {
  readonly uri: string;
  readonly feeBps: number;
  /** Whole percent of the community's share. The rest is the creator's. */
  readonly burn: number;
  readonly holders: number;
  readonly lp: number;
  /** Who earns the creator's share of the fees. */
  readonly earns: (typeof EARNERS)[number];
  /** Of a split: a wallet with its percent in each line, as typed. */
  readonly earners: string;
  /** Whether these lines are a split. The editor sets it, which is loaded when it is opened. */
  readonly earnersFit: boolean;
  /** SOL, as typed. */
  readonly firstBuy: string;
}

export const EARNERS = ['creator', 'traders', 'split'] as const;

export const EMPTY: LaunchForm = {
  name: '',
  symbol: '',
  description: '',
  website: '',
  x: '',
  telegram: '',
  discord: '',
  uri: '',
  feeBps: 100,
  burn: 20,
  holders: 40,
  lp: 10,
  earns: 'creator',
  earners: '',
  earnersFit: false,
  firstBuy: '',
};

export const LIMITS = { name: 32, symbol: 10, description: 1_000, uri: 200, link: 200 } as const;
const WHOLE_BPS = 10_000;
/** The first buy is the first trade. Its price changes only when the operator changes the properties before it. */
const FIRST_BUY_SLIPPAGE_BPS = 100;

export const bytesOf = (text: string) => new TextEncoder().encode(text.trim()).length;

export type Problems = Partial<Record<keyof LaunchForm, string>>;

function isHttps(text: string): boolean {
  try {
    return new URL(text).protocol === 'https:' && text.startsWith('https://');
  } catch {
    return false;
  }
}

export function problemsOf(form: LaunchForm, config: MarketConfig): Problems {
  const copy = launchWords;
  const problems: { -readonly [Key in keyof Problems]: Problems[Key] } = {};
  for (const field of ['name', 'symbol', 'description', 'uri'] as const) {
    const over = bytesOf(form[field]) - LIMITS[field];
    if (over > 0) problems[field] = copy.tooLong(over);
  }
  for (const field of ['name', 'symbol'] as const) {
    if (form[field].trim() === '') problems[field] = copy.required;
    else if (!isVisible(form[field])) problems[field] = copy.notVisible;
  }
  if (!config.uploads && !/^https:\/\/\S+$/.test(form.uri)) problems.uri = copy.notHttps;
  for (const link of LINKS) {
    const url = completedLink(link, form[link]);
    if (url !== '' && !isHttps(url)) problems[link] = copy.notHttps;
  }
  if (config.creatorShareBps > 0 && form.earns === 'split' && !form.earnersFit)
    problems.earners = copy.feeShare.wrong;
  if (form.firstBuy !== '') {
    const { problem } = firstBuyOf(form, config);
    if (problem !== undefined) problems.firstBuy = problem;
  }
  return problems;
}

/** What the creator has of the community's share, in percent. */
export const creatorsOf = ({ burn, holders, lp }: LaunchForm) => 100 - burn - holders - lp;

/** From this part of the supply on, buyers see a creator who can sell the price down. */
export const LARGE_BPS = 1_000;

/** What a creator must know of the first buy before it is made. Undefined when there is nothing to say. */
export function riskOf(form: LaunchForm, config: MarketConfig): Risk | undefined {
  const { quote } = firstBuyOf(form, config);
  if (quote === undefined) return undefined;
  const bps = shareOf(quote.tokenOut, config);
  if (bps <= LARGE_BPS && !quote.graduates) return undefined;
  const unspent = quote.solToSpend - quote.solSpent;
  const what = [
    launchWords.largeBuy(percent(bps)),
    ...(quote.graduates ? [launchWords.graduatesAtOnce] : []),
    ...(quote.clipped && unspent > 0n ? [launchWords.unspent(`${exactSol(unspent)} SOL`)] : []),
  ].join(' ');
  return { what, bps };
}

/** Basis points of the supply. */
export const shareOf = (units: bigint, { supply }: MarketConfig) =>
  Number((units * BigInt(WHOLE_BPS)) / BigInt(supply));

/** The quote of the first buy, from the initial state of the curve. */
export function firstBuyOf({ firstBuy }: LaunchForm, config: MarketConfig) {
  if (firstBuy === '') return {};
  const lamports = parseAmount(firstBuy, SOL_DECIMALS);
  if (lamports === undefined) return { problem: whyNoAmount(firstBuy) };
  if (lamports === 0n) return {};
  const curve = {
    virtualSol: BigInt(config.initialVirtualSol),
    virtualToken: BigInt(config.initialVirtualToken),
    platformFeeBps: config.platformFeeBps,
  };
  try {
    return { quote: quoteBuy(curve, lamports, FIRST_BUY_SLIPPAGE_BPS) };
  } catch {
    return { problem: words.trade.moreThanExists };
  }
}
