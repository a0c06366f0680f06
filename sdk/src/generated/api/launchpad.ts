// Generated from the service's OpenAPI document by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

import {
  type Reader,
  readBoolean,
  readNullable,
  readObject,
  readOneOf,
  readString,
} from '../../http/readers.js';

/** Codes of the errors of this API: `code` of an `ApiError`. */
export type LaunchpadErrorCode =
  | 'INTERNAL_ERROR'
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_FOUND'
  | 'RATE_LIMIT_EXCEEDED'
  | 'SERVICE_UNAVAILABLE'
  | 'VALIDATION_ERROR';

/** A launchpad as its clients have to know it */
export interface LaunchpadInfo {
  readonly serviceName: string;
  /** Version of the service */
  readonly version: string;
  /** Identifies the cluster */
  readonly genesisHash: string;
  readonly deployment: {
    /** The program: 32 bytes in base58 */
    readonly programId: string;
    /** The admin: 32 bytes in base58 */
    readonly admin: string;
    /** The fee receiver: 32 bytes in base58 */
    readonly feeReceiver: string;
    /** The owner of the community storages: 32 bytes in base58 */
    readonly dexOwner: string;
    readonly graduation: {
      /** The graduation program: 32 bytes in base58 */
      readonly programId: string;
      /** The treasury of its fees: 32 bytes in base58 */
      readonly treasury: string;
    };
  };
  /** Whether this is the development program, whose keys are public: local clusters only */
  readonly isDevelopment: boolean;
  /** What becomes of a sold-out curve: `pool`: anyone can take it into a pool; `key`: the holder of the fee receiver’s key migrates it */
  readonly graduation: 'pool' | 'key';
  /** Where pools are */
  readonly amm: {
    /** The AMM: 32 bytes in base58 */
    readonly programId: string;
    /** The AMM's fee tier of new pools: 32 bytes in base58 */
    readonly config: string;
  };
  /** RPC node for programs and wallets (`CLIENT_RPC_URL`). Browsers of this launchpad’s page use that of `/v1/market/config`. Null: `POST /rpc` of this service */
  readonly rpcUrl: string | null;
  /** The node's websocket; null without an RPC node */
  readonly wsUrl: string | null;
}

/** @throws ConnectionError unless it is one */
export const readLaunchpadInfo: Reader<LaunchpadInfo> = /* @__PURE__ */ readObject({
  serviceName: readString,
  version: readString,
  genesisHash: readString,
  deployment: readObject({
    programId: readString,
    admin: readString,
    feeReceiver: readString,
    dexOwner: readString,
    graduation: readObject({ programId: readString, treasury: readString }),
  }),
  isDevelopment: readBoolean,
  graduation: readOneOf('pool', 'key'),
  amm: readObject({ programId: readString, config: readString }),
  rpcUrl: readNullable(readString),
  wsUrl: readNullable(readString),
});
