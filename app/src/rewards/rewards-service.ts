import { formatPrice, formatSol, formatTokens } from '@curvekit/sdk';
import type { WalletBalances } from '../ledger/balances.js';
import type { Page, PageRequest } from './pages.js';
import type { KnownToken, RewardsRepository } from './rewards-repository.js';
import type { SolPrice } from './sol-price.js';

/** Lamports and smallest token units, each with its decimal form. */
export interface Amounts {
  readonly sol: bigint;
  readonly solUi: string;
  readonly token: bigint;
  readonly tokenUi: string;
}

export interface TokenRewards {
  readonly unclaimedRewards: Amounts;
  readonly allTimeRewards: Amounts;
}

export interface TokenInfo {
  readonly address: string;
  readonly symbol: string;
  readonly name: string;
  /** URL; empty when there is none. */
  readonly image: string;
  /** Of one token, in USD or SOL as configured; 0 when unknown. */
  readonly price: number;
}

export type RewardEntry = TokenRewards & { readonly tokenInfo: TokenInfo };

/** Digits of a price after the point: the cheapest token there can be, at a lamport for the supply, still has one. */
const PRICE_DIGITS = 24;

export class RewardsService {
  constructor(
    private readonly repository: RewardsRepository,
    private readonly solPrice: SolPrice,
  ) {}

  /** A page of the tokens with any reward ever, ordered by token address. */
  async page(wallet: string, request: PageRequest): Promise<Page<RewardEntry>> {
    const { entries, next } = await this.repository.rewards(wallet, request);
    return {
      entries: entries.map((ofToken) => ({
        ...rewardsOf(ofToken),
        tokenInfo: this.#tokenInfo(ofToken.mint, ofToken.token),
      })),
      next,
    };
  }

  /** Rewards of one token, or undefined when there is no such token. */
  async ofToken(wallet: string, mint: string): Promise<TokenRewards | undefined> {
    const balance = await this.repository.balance(wallet, mint);
    if (balance !== undefined) return rewardsOf(balance);
    return (await this.repository.tokenExists(mint)) ? NO_REWARDS : undefined;
  }

  #tokenInfo(address: string, token: KnownToken): TokenInfo {
    return {
      address,
      symbol: token.symbol ?? '',
      name: token.name ?? '',
      image: token.image ?? '',
      price: this.#price(token),
    };
  }

  #price({ virtualSol: lamports, virtualToken: tokenUnits }: KnownToken): number {
    const solPrice = this.solPrice.current();
    if (solPrice === undefined || !lamports || !tokenUnits) return 0;
    return Number(formatPrice({ lamports, tokenUnits }, PRICE_DIGITS)) * solPrice;
  }
}

function rewardsOf(balances: WalletBalances): TokenRewards {
  return {
    unclaimedRewards: amounts(balances.unclaimedSol, balances.unclaimedToken),
    allTimeRewards: amounts(balances.allTimeSol, balances.allTimeToken),
  };
}

function amounts(sol: bigint, token: bigint): Amounts {
  return { sol, solUi: formatSol(sol), token, tokenUi: formatTokens(token) };
}

const NO_REWARDS: TokenRewards = { unclaimedRewards: amounts(0n, 0n), allTimeRewards: amounts(0n, 0n) };
