// Generated from programs/artifacts/graduation.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

/** Canonical bump of the fee receiver. */
export const FEE_RECEIVER_BUMP = 254;

/** Canonical bump of the address that opens pools. */
export const POOL_CREATOR_BUMP = 254;
