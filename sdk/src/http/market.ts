/** Client of the Market API: `@curvekit/sdk/market`. For browsers and servers, without web3.js. */
export { MarketClient } from './market/client.js';
export { openMarketStream } from './market/stream.js';
export type {
  IndexProgress,
  MarketStream,
  MarketStreamOptions,
  MarketStreamState,
  MarketTopic,
} from './market/stream.js';
export type { MarketEvent, MarketEventType, TokenUpdate } from './market/events.js';
export { chooseFeeShare, feeShareMessage, type FeeShare, type FeeShareTerms } from './market/fee-share.js';
export { uploadPicture } from './market/upload.js';
export type { PictureUpload, UploadedPicture, UploadOptions } from './market/upload.js';
export type {
  CandleOptions,
  ListOptions,
  NamesOptions,
  PricesOptions,
  RequestOptions,
  TokenListOptions,
  TokenTradesOptions,
  TradesOptions,
} from './market/client.js';
export type {
  Candles,
  Holder,
  Holders,
  MarketConfig,
  MarketErrorCode,
  Position,
  Prices,
  Receipt,
  SameNames,
  TokenDetail,
  TokenPage,
  TokenPrices,
  TokenSummary,
  Trade,
  TradePage,
  Wallet,
} from '../generated/api/market.js';
export { ApiError, ConnectionError, type FieldProblem } from './errors.js';
export type { TransportOptions } from './transport.js';
export { OtherMessageSignedError, type SignedMessage } from './signed-message.js';
export type { MessageWallet } from './wallets.js';
