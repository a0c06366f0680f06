// Generated from programs/artifacts/graduation.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

import { PublicKey } from '../../chain/keys.js';

/** Address of the program. */
export const PROGRAM_ADDRESS = /* @__PURE__ */ new PublicKey('Gra4YMZe4AN78Zu4qL8hyqZJAJyTNo3Anfo5vthUDeDt');

export * from './constants.js';

/** The only key that may sweep. */
export const ADMIN = /* @__PURE__ */ new PublicKey('2JtnRdG7nsPDvBRq4FfuzNLY7xoCaX9kD4bGutPHjH4Q');

/** Its fee tier 0: trades cost 0.25 %. Fixed, else the caller of `graduate` would choose the fees of the market. */
export const AMM_CONFIG = /* @__PURE__ */ new PublicKey('D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2');

/** Raydium's CPMM. */
export const AMM_PROGRAM = /* @__PURE__ */ new PublicKey('CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C');

/** The bonding-curve program, in a build whose fee receiver is `FEE_RECEIVER`. */
export const CURVE_PROGRAM = /* @__PURE__ */ new PublicKey('Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH');

/** The fee receiver of the bonding-curve program: takes the platform fees and signs `migrate`. It also signs log records. */
export const FEE_RECEIVER = /* @__PURE__ */ new PublicKey('4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv');

/** Seed of the fee receiver. */
export const FEE_RECEIVER_SEED: Uint8Array = /* @__PURE__ */ new Uint8Array([
  102, 101, 101, 95, 114, 101, 99, 101, 105, 118, 101, 114,
]);

/**
 * Opens pools. It holds lamports and tokens only while `graduate` runs, so its signature, which the AMM gets, is worth
 * nothing but this migration's money.
 */
export const POOL_CREATOR = /* @__PURE__ */ new PublicKey('22xNruGSYGsikED8zBivSUVvmW3bqfF6b3iJDJ6kT6xr');

/** Seed of the address that opens pools. */
export const POOL_CREATOR_SEED: Uint8Array = /* @__PURE__ */ new Uint8Array([
  112, 111, 111, 108, 95, 99, 114, 101, 97, 116, 111, 114,
]);

/** Seed of a token's pool, followed by the mint. */
export const POOL_SEED: Uint8Array = /* @__PURE__ */ new Uint8Array([112, 111, 111, 108]);

/** Seed of the token account that takes a migration's tokens, followed by the mint. */
export const TOKENS_SEED: Uint8Array = /* @__PURE__ */ new Uint8Array([116, 111, 107, 101, 110, 115]);

/** The only address that platform fees can be swept to. */
export const TREASURY = /* @__PURE__ */ new PublicKey('39WhRCfYH2JsB9c6BN5YP2VCQq6GpDgusxLBuRTarEnj');

/** Seed of the token account that takes a migration's SOL, wrapped, followed by the mint. */
export const WRAPPED_SOL_SEED: Uint8Array = /* @__PURE__ */ new Uint8Array([119, 115, 111, 108]);

/** The account `ammAuthority` of every instruction. */
export const AMM_AUTHORITY_ADDRESS = /* @__PURE__ */ new PublicKey(
  'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL',
);

/** The account `poolFeeReceiver` of every instruction. */
export const POOL_FEE_RECEIVER_ADDRESS = /* @__PURE__ */ new PublicKey(
  'DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8',
);
