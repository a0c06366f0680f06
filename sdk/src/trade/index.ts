/** One call to trade or to launch: `@curvekit/sdk/trade`. */
export { bytesWallet } from './bytes-wallet.js';
export { RpcError } from '../rpc/rpc-error.js';
export * from './errors.js';
export { launch, type LaunchParams, type LaunchResult } from './launch.js';
export { whenOpen } from './opening.js';
export type { SendingOptions, SendingRoute, SendingWallet, SigningWallet, TraderWallet } from './options.js';
export type { TradeAmount } from './order.js';
export { previewTransaction, type PreviewTerms, type TransactionPreview } from './preview.js';
export type { BalanceChange, PreviewOutcome, TradeOutcome, TradeRules } from './result.js';
export { DEFAULT_SLIPPAGE_BPS, type FirstBuyRules, type SendingRules, type SendingSteps } from './rules.js';
export type { LaunchOutcome, LaunchTerms } from './run-launch.js';
export type { TradeResult, TradeTerms } from './run-trade.js';
export { trade, type TradeParams } from './trade.js';
export {
  forgetTransaction,
  lookUpRemembered,
  rememberedTransaction,
  type RememberedOutcome,
  type TextStore,
  type TransactionMemory,
} from './unfinished.js';
