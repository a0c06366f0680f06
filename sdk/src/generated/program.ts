// Generated from programs/artifacts/bonding_curve.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

import { PublicKey } from '../chain/keys.js';

/** Address of the program. */
export const PROGRAM_ADDRESS = /* @__PURE__ */ new PublicKey('Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH');

export * from './constants.js';

/** The only key that may change the settings. */
export const ADMIN = /* @__PURE__ */ new PublicKey('2JtnRdG7nsPDvBRq4FfuzNLY7xoCaX9kD4bGutPHjH4Q');

/** Seed of a token's own community storage, followed by the mint. */
export const COMMUNITY_TOKEN_SEED: Uint8Array = /* @__PURE__ */ new Uint8Array([
  99, 111, 109, 109, 117, 110, 105, 116, 121, 95, 116, 111, 107, 101, 110,
]);

/** Seed of a token's WSOL community storage, followed by the mint. */
export const COMMUNITY_WSOL_SEED: Uint8Array = /* @__PURE__ */ new Uint8Array([
  99, 111, 109, 109, 117, 110, 105, 116, 121, 95, 119, 115, 111, 108,
]);

/** Owns the two community storages of every token. */
export const DEX_OWNER = /* @__PURE__ */ new PublicKey('BGHj9CCz7bfm36DPikjs7TpV8tkLC7j4ys7U9qWrJ4Qy');

/** Receives the platform fee of every trade, and what a curve holds when it is migrated. */
export const FEE_RECEIVER = /* @__PURE__ */ new PublicKey('4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv');

/** The PDA that signs log records. */
export const LOGGING_AUTHORITY_ADDRESS = /* @__PURE__ */ new PublicKey(
  'EQ5yiFbab8GYLr8FojEnWrXYebKEKHNqEarwRzSAhgHA',
);

/** Seed of the PDA that signs log records. */
export const LOGGING_AUTHORITY_SEED: Uint8Array = /* @__PURE__ */ new Uint8Array([
  108, 111, 103, 103, 105, 110, 103, 95, 97, 117, 116, 104, 111, 114, 105, 116, 121,
]);

/** The settings account. */
export const PROPERTIES_ADDRESS = /* @__PURE__ */ new PublicKey(
  '72UttUvzV6rs1QbAvW1C71USdmTrqe17fkeYF9apazCo',
);

/** Seed of the one settings account. */
export const SETTINGS_SEED: Uint8Array = /* @__PURE__ */ new Uint8Array([
  115, 101, 116, 116, 105, 110, 103, 115,
]);

/** Seed of a token's curve account, followed by the mint. */
export const TOKEN_OWNER_SEED: Uint8Array = /* @__PURE__ */ new Uint8Array([
  116, 111, 107, 101, 110, 95, 111, 119, 110, 101, 114,
]);

/** The account `ataProgram` of every instruction. */
export const ATA_PROGRAM_ADDRESS = /* @__PURE__ */ new PublicKey(
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
);

/** The account `nativeMint` of every instruction. */
export const NATIVE_MINT_ADDRESS = /* @__PURE__ */ new PublicKey(
  'So11111111111111111111111111111111111111112',
);

/** The account `rentSysvar` of every instruction. */
export const RENT_SYSVAR_ADDRESS = /* @__PURE__ */ new PublicKey(
  'SysvarRent111111111111111111111111111111111',
);

/** The account `systemProgram` of every instruction. */
export const SYSTEM_PROGRAM_ADDRESS = /* @__PURE__ */ new PublicKey('11111111111111111111111111111111');

/** The account `tokenMetadataProgram` of every instruction. */
export const TOKEN_METADATA_PROGRAM_ADDRESS = /* @__PURE__ */ new PublicKey(
  'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s',
);

/** The account `tokenProgram` of every instruction. */
export const TOKEN_PROGRAM_ADDRESS = /* @__PURE__ */ new PublicKey(
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
);
