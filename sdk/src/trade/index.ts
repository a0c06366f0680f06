/** One call to trade or to launch: `@curvekit/sdk/trade`. */
export * from './errors.js';
export { launch, type LaunchParams, type LaunchResult } from './launch.js';
export {
  DEFAULT_SLIPPAGE_BPS,
  type SendingOptions,
  type SendingWallet,
  type SigningWallet,
  type TraderWallet,
} from './options.js';
export type { TradeAmount } from './order.js';
export { trade, type TradeParams, type TradeResult } from './trade.js';
