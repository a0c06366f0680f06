/** One call to trade or to launch over @solana/kit: `@curvekit/sdk/kit/trade`. */
export type { SendingRpc, TradeRpc } from './connection.js';
export * from './errors.js';
export { launch, type LaunchParams, type LaunchResult } from './launch.js';
export type { SendingOptions } from './options.js';
export type { TradeAmount } from '../../trade/order.js';
export type { BalanceChange, PreviewOutcome, TradeOutcome, TradeRules } from '../../trade/result.js';
export { sendAndConfirm, type ConfirmOptions } from './send-and-confirm.js';
export {
  DEFAULT_SLIPPAGE_BPS,
  type FirstBuyRules,
  type SendingRules,
  type SendingSteps,
} from '../../trade/rules.js';
export { previewTransaction, type PreviewTerms, type TransactionPreview } from './preview.js';
export { lookUpRemembered } from './remembered.js';
export { trade, type TradeParams, type TradeResult } from './trade.js';
export {
  forgetTransaction,
  rememberedTransaction,
  type RememberedOutcome,
  type TextStore,
  type TransactionMemory,
} from '../../trade/unfinished.js';
