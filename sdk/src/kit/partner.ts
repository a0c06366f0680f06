/**
 * Client of the Partner API over @solana/kit: `@curvekit/sdk/kit/partner`. For servers: the API key is a secret, never ship
 * it to a browser.
 */
export type { PartnerErrorCode, PartnerStats, RegistrationMessage } from '../generated/api/partner.js';
export { ApiError, ConnectionError, type FieldProblem } from '../http/errors.js';
export { isRefusal, type PartnerClientOptions } from '../http/partner.js';
export type { TransportOptions } from '../http/transport.js';
export {
  PartnerClient,
  type PartnerUser,
  type PartnerUserPage,
  type SignedRegistration,
} from './http/partner.js';
export { MessageNotSignedError, type MessageSigner } from './http/signers.js';
