/** The SDK over @solana/kit: `@curvekit/sdk/kit`. The same core as the main entry, without web3.js. */
export * from './accounts/addresses.js';
export {
  createDeployment,
  DEFAULT_DEPLOYMENT,
  KEY_HELD_DEPLOYMENT,
  type AddressWithBump,
  type Deployment,
  type DeploymentOverrides,
  type GraduationDeployment,
} from './accounts/deployment.js';
export * from './errors/index.js';
export * from './accounts/fetch.js';
export * from './instructions.js';
export * from './venue.js';
export * from './records.js';
export type { SignableInstruction } from './convert.js';
export { MessageNotSignedError, signerWallet, type ClaimingSigner, type MessageSigner } from './wallet.js';
export type { ClaimingWallet, MessageWallet } from '../http/wallets.js';
export type { SignedMessage } from '../http/signed-message.js';
export type { CreateRecord, GraduateRecord, MigrateRecord, TradeRecord } from '../generated/kit/records.js';
export {
  decodeProperties,
  decodeTokenOwnerData,
  type Properties,
  type TokenOwnerData,
} from '../generated/accounts.js';
export * from '../generated/constants.js';
export { GRADUATE_COMPUTE_UNITS } from '../instructions/graduate.js';
export { COMMUNITY_TERMS, type CommunityTerms } from '../instructions/community-terms.js';
export { quoteFirstBuy, type FirstBuyQuote } from '../launch/first-buy.js';
export type { PoolBuyQuote, PoolSellQuote } from '../venue/quoting.js';
export type { PoolState } from '../amm/maths.js';
export type { PositionResult, TradedSums } from '../venue/position.js';
export type { BuyQuote, SellQuote } from '../venue/quotes.js';
export { isVisible } from '../checks/text.js';
export * from '../curve/price.js';
export { maximumAfterSlippage, minimumAfterSlippage } from '../curve/slippage.js';
export { CurveStatus } from '../curve/status.js';
