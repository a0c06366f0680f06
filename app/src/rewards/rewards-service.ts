import { formatSol, formatTokens } from '@curvekit/sdk';
import type { WalletBalances } from '../ledger/balances.js';
import type { Page, PageRequest } from './pages.js';
import { RewardJson } from './reward-json.js';
import type { RewardsRepository } from './rewards-repository.js';
import type { SolPrice } from './sol-price.js';

/** Lamports and token base units, each also in decimal form. */
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

export class RewardsService {
  readonly #json = new RewardJson();

  constructor(
    private readonly repository: RewardsRepository,
    private readonly solPrice: SolPrice,
  ) {}

  /** A page of the tokens that ever had a reward, ordered by token address. Each entry is JSON text. */
  async page(wallet: string, request: PageRequest): Promise<Page<string>> {
    const { entries, next } = await this.repository.rewards(wallet, request);
    const solPrice = this.solPrice.current();
    return { entries: entries.map(({ reward, token }) => this.#json.entry(reward, token, solPrice)), next };
  }

  /** Rewards of one token; undefined when the token does not exist. */
  async ofToken(wallet: string, mint: string): Promise<TokenRewards | undefined> {
    const balance = await this.repository.balance(wallet, mint);
    if (balance !== undefined) return rewardsOf(balance);
    return (await this.repository.tokenExists(mint)) ? NO_REWARDS : undefined;
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
