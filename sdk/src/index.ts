/** SDK of the Curvekit bonding-curve program: addresses, exact quotes, instruction builders, log records. */
export * from './accounts/decode.js';
export * from './accounts/addresses.js';
export * from './amm/index.js';
export * from './time/backoff.js';
export {
  fetchCurveState,
  fetchManyTokenOwnerData,
  fetchProperties,
  fetchTokenOwnerData,
  type FetchOptions,
} from './venue/fetch-curve.js';
export {
  fetchTransaction,
  NEWEST_KNOWN_VERSION,
  NEWEST_TRANSACTION_VERSION,
  parseTransaction,
  unsupportedVersion,
} from './records/fetch.js';
export * from './curve/curve.js';
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
export * from './generated/accounts.js';
export * from './generated/errors.js';
export * from './generated/instructions.js';
export * from './generated/program.js';
export * from './generated/records.js';
export {
  PROGRAM_ERRORS as GRADUATION_ERRORS,
  type ProgramErrorCode as GraduationErrorCode,
  type ProgramErrorName as GraduationErrorName,
} from './generated/graduation/errors.js';
export {
  decodeGraduateArgs,
  GRADUATE_ACCOUNTS,
  graduateInstruction,
  sweepInstruction,
  type GraduateAccounts,
  type GraduateArgs,
  type SweepAccounts,
} from './generated/graduation/instructions.js';
export {
  decodeGraduateRecord,
  encodeGraduateRecord,
  GRADUATE_RECORD_DISCRIMINATOR,
  type GraduateRecord,
} from './generated/graduation/records.js';
export * from './graduation/addresses.js';
export * from './graduation/properties.js';
export * from './instructions/index.js';
export * from './landing/expiry-proof.js';
export * from './landing/landing.js';
export { nonceProof } from './landing/nonce-proof.js';
export {
  lookForLanding,
  lookForRecentLandings,
  type LandingLook,
  type LandingLookOptions,
} from './landing/look.js';
export type { Retry } from './landing/requests.js';
export { sendAndConfirm, type ConfirmOptions } from './landing/send-and-confirm.js';
export { landingLook, trackLanding, type TrackOptions } from './landing/track.js';
export { fetchMarket } from './venue/fetch-market.js';
export * from './venue/market.js';
export type { PoolBuyQuote, PoolSellQuote } from './venue/quoting.js';
export * from './venue/position.js';
export { isVisible } from './checks/text.js';
export * from './curve/price.js';
export * from './venue/quotes.js';
export * from './records/decode.js';
export {
  addTrade,
  foldRecord,
  NO_TRADES,
  type CurveReserves,
  type FoldStep,
  type TradeTotals,
} from './records/fold.js';
export * from './records/history.js';
export * from './records/record.js';
export * from './records/transaction.js';
export { signatureOf } from './transactions/signature.js';
export * from './curve/slippage.js';
export * from './curve/status.js';
export * from './feed/subscribe.js';
export type { RpcOptions } from './rpc/ask.js';
export { readNode } from './rpc/reading.js';
export { fetchRentExemption } from './rpc/rent.js';
export { RpcError, type RpcFailure } from './rpc/rpc-error.js';
export { TimeoutError, withTimeout } from './time/timeout.js';
export * from './instructions/token.js';
export * from './transactions/errors.js';
export type { DurableNonce } from './transactions/nonce.js';
export * from './transactions/prepare.js';
export { adapterWallet, keypairWallet, type KeypairWallet, type WalletAdapter } from './http/web3-wallets.js';
export type { ClaimingWallet, MessageWallet } from './http/wallets.js';
export type { SignedMessage } from './http/signed-message.js';
