import { formatPrice, formatSol, formatTokens } from '@curvekit/sdk';
import type { WalletBalances } from '../db/ledger.js';
import type { RewardsRepository, TokenRow } from './rewards-repository.js';
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

  /** Every token with any reward ever, ordered by token address. */
  async all(wallet: string): Promise<RewardEntry[]> {
    const balances = await this.repository.balances(wallet);
    const tokens = await Promise.all(balances.map(({ mint }) => this.repository.token(mint)));
    return balances.map((balance, index) => ({
      ...rewardsOf(balance),
      tokenInfo: this.#tokenInfo(balance.mint, tokens[index]),
    }));
  }

  /** Rewards of one token, or undefined when there is no such token. */
  async ofToken(wallet: string, mint: string): Promise<TokenRewards | undefined> {
    const balance = await this.repository.balance(wallet, mint);
    if (balance !== undefined) return rewardsOf(balance);
    return (await this.repository.tokenExists(mint)) ? NO_REWARDS : undefined;
  }

  /** While the index is rebuilt a token may be missing whose rewards are booked. */
  #tokenInfo(address: string, token: TokenRow | undefined): TokenInfo {
    return {
      address,
      symbol: token?.symbol ?? '',
      name: token?.name ?? '',
      image: token?.image ?? '',
      price: this.#price(token),
    };
  }

  #price(token: TokenRow | undefined): number {
    const solPrice = this.solPrice.current();
    if (solPrice === undefined || !token?.virtualSol || !token.virtualToken) return 0;
    const { virtualSol: lamports, virtualToken: tokenUnits } = token;
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
