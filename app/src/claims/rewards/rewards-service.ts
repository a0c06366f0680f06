import { formatPrice, formatSol, formatTokens } from '@curvekit/sdk';
import type { WalletBalances } from '../../ledger/balances.js';
import type { RewardEntry, RewardsRepository, Page, PageRequest } from './rewards-repository.js';
import type { TokenRow } from './reward-queries.js';
import type { SolPrice } from './sol-price.js';

/** What the answers' schemas want, which check it. */
type RewardsOfToken = ReturnType<typeof entryOf>;
type TokenRewards = ReturnType<typeof rewardsOf>;

/** Decimals of a price. Enough for the cheapest possible token, whose whole supply costs one lamport. */
const PRICE_DIGITS = 24;

export class RewardsService {
  constructor(
    private readonly repository: RewardsRepository,
    private readonly solPrice: SolPrice,
  ) {}

  /** A page of the tokens that ever had a reward, ordered by token address. */
  async page(wallet: string, request: PageRequest): Promise<Page<RewardsOfToken>> {
    const { entries, next } = await this.repository.rewards(wallet, request);
    const solPrice = this.solPrice.current();
    return { entries: entries.map((entry) => entryOf(entry, solPrice)), next };
  }

  /** Rewards of one token; undefined when the token does not exist. */
  async ofToken(wallet: string, mint: string): Promise<TokenRewards | undefined> {
    const balance = await this.repository.balance(wallet, mint);
    if (balance !== undefined) return rewardsOf(balance);
    return (await this.repository.tokenExists(mint)) ? NO_REWARDS : undefined;
  }
}

function entryOf({ reward, token }: RewardEntry, solPrice: number | undefined) {
  return {
    unclaimedRewards: amounts(BigInt(reward.unclaimedSol), BigInt(reward.unclaimedToken)),
    allTimeRewards: amounts(BigInt(reward.allSol), BigInt(reward.allToken)),
    tokenInfo: {
      address: token.mint,
      symbol: token.symbol ?? '',
      name: token.name ?? '',
      image: token.image ?? '',
      price: priceOf(token, solPrice),
    },
  };
}

/** Of one token: in USD where the service has a source for SOL's price, else in SOL; 0 when unknown. */
function priceOf({ virtualSol, virtualToken }: TokenRow, solPrice: number | undefined): number {
  const [lamports, tokenUnits] = [BigInt(virtualSol ?? 0), BigInt(virtualToken ?? 0)];
  if (solPrice === undefined || !lamports || !tokenUnits) return 0;
  return Number(formatPrice({ lamports, tokenUnits }, PRICE_DIGITS)) * solPrice;
}

function rewardsOf(balances: WalletBalances) {
  return {
    unclaimedRewards: amounts(balances.unclaimedSol, balances.unclaimedToken),
    allTimeRewards: amounts(balances.allTimeSol, balances.allTimeToken),
  };
}

/** Lamports and token base units, each also in decimal form. */
function amounts(sol: bigint, token: bigint) {
  return { sol, solUi: formatSol(sol), token, tokenUi: formatTokens(token) };
}

const NO_REWARDS = { unclaimedRewards: amounts(0n, 0n), allTimeRewards: amounts(0n, 0n) };
