/** Quotes of curves and pools: `@curvekit/sdk/quotes`. The same as in the main entry, without web3.js. */
export { poolTrade } from './amm/checked-maths.js';
export type { PoolState } from './amm/maths.js';
export { InvalidArgumentError, ProgramError, TradingMovedError } from './errors.js';
export { GRADUATION_VIRTUAL_TOKEN, TOKEN_DECIMALS, TOKEN_SUPPLY } from './generated/constants.js';
export type { PoolBuyQuote, PoolSellQuote } from './market/pool-quotes.js';
export {
  formatPrice,
  formatSol,
  formatTokens,
  graduationProgress,
  marketCap,
  parseSol,
  parseTokens,
  priceOf,
  SOL_DECIMALS,
  type GraduationProgress,
  type Price,
  type Reserves,
} from './price.js';
export {
  quoteBuy,
  quoteBuyExactOut,
  quoteSell,
  quoteSellExactOut,
  type BuyQuote,
  type CurveState,
  type SellQuote,
} from './quotes.js';
export { maximumAfterSlippage, minimumAfterSlippage } from './slippage.js';
export { CurveStatus } from './status.js';
