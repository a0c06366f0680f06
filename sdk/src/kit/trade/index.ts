/** One call to trade or to launch over @solana/kit: `@curvekit/sdk/kit/trade`. */
export { bytesSigner } from './wallet.js';
export type { SendingRpc, TradeRpc } from './connection.js';
export * from './errors.js';
export {
  launch,
  prepareLaunch,
  type LaunchParams,
  type LaunchResult,
  type PrepareLaunchParams,
} from './launch.js';
export { compose, type Composed, type Composition, type Tip } from './composition.js';
export type { SendingOptions } from './options.js';
export { previewTransaction, type PreviewTerms, type TransactionPreview } from './preview.js';
export { lookUpRemembered, sendAndConfirm, type ConfirmOptions } from './send-and-confirm.js';
export { prepareTrade, trade, type PrepareTradeParams, type TradeParams, type TradeResult } from './trade.js';
export {
  DEFAULT_SLIPPAGE_BPS,
  type FeeShareRules,
  type FirstBuyRules,
  type PreparingRules,
  type SendingRules,
  type SendingSteps,
  type TextStore,
  type TokenTerms,
  type TradeAmount,
  type TradeRules,
  type TransactionMemory,
} from '../../trade/options.js';
export type { BalanceChange, PreviewOutcome, RememberedOutcome, TradeOutcome } from '../../trade/result.js';
export { forgetTransaction, rememberedTransaction } from '../../trade/unfinished.js';
