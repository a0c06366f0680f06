/** Quotes of curves and pools: `@curvekit/sdk/quotes`. The same as in the main entry, without web3.js. */
export { poolAfterSwap, poolTrade } from './amm/checked-maths.js';
export type { PoolSwap } from './amm/trade.js';
export { buyExactIn, sellExactIn } from './curve/curve.js';
export type { PoolState } from './amm/maths.js';
export { InvalidArgumentError, ProgramError, TradingMovedError } from './errors/index.js';
export { GRADUATION_VIRTUAL_TOKEN, TOKEN_DECIMALS, TOKEN_SUPPLY } from './generated/constants.js';
export type { PoolBuyQuote, PoolSellQuote } from './venue/quoting.js';
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
} from './curve/price.js';
export { isVisible } from './checks/text.js';
export { positionOf, type PositionResult, type TradedSums } from './venue/position.js';
export { maximumAfterSlippage, minimumAfterSlippage } from './curve/slippage.js';
export { CurveStatus } from './curve/status.js';
export {
  quoteBuy,
  quoteBuyExactOut,
  quoteSell,
  quoteSellExactOut,
  type BuyQuote,
  type CurveState,
  type SellQuote,
} from './venue/quotes.js';
