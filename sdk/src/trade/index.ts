/** One call to trade or to launch: `@curvekit/sdk/trade`. */
export { bytesWallet } from './wallet.js';
export { RpcError } from '../rpc/rpc-error.js';
export { compose, type Composed } from './compose.js';
export * from './errors.js';
export { whenOpen } from './opening.js';
export {
  DEFAULT_SLIPPAGE_BPS,
  type Composition,
  type FeeShareRules,
  type FirstBuyRules,
  type LaunchOrder,
  type LaunchParams,
  type LaunchTerms,
  type PrepareLaunchParams,
  type PrepareTradeParams,
  type PreparingRules,
  type PreviewTerms,
  type SendingOptions,
  type SendingRoute,
  type SendingRules,
  type SendingSteps,
  type SendingWallet,
  type SigningWallet,
  type TextStore,
  type TokenTerms,
  type Tip,
  type TradeAmount,
  type TradeParams,
  type TradeRules,
  type TraderWallet,
  type TradeTerms,
  type TransactionMemory,
} from './options.js';
export { previewTransaction } from './preview.js';
export type {
  BalanceChange,
  LaunchOutcome,
  LaunchResult,
  PreviewOutcome,
  RememberedOutcome,
  TradeOutcome,
  TradeResult,
  TransactionPreview,
} from './result.js';
export { prepareTrade, trade } from './trade.js';
export { forgetTransaction, lookUpRemembered, rememberedTransaction } from './unfinished.js';
export { launch, prepareLaunch } from './launch.js';
