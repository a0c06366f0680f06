// Generated from programs/artifacts/bonding_curve.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

/** The values that `afterMigrationFee` may take, in basis points. */
export const AFTER_MIGRATION_FEES = [0, 25, 50, 100, 200, 500] as const;

/** A whole in basis points. */
export const BASIS_POINTS = 10_000;

/** The virtual token reserve, in smallest units, at which a curve graduates: 280,000,000 tokens. */
export const GRADUATION_VIRTUAL_TOKEN = 280_000_000_000_000n;

/** Canonical bump of the PDA that signs log records. */
export const LOGGING_AUTHORITY_BUMP = 255;

/** Longest name in bytes, as in Metaplex Token Metadata. */
export const MAX_NAME_LENGTH = 32;

/** The highest platform fee, in basis points. */
export const MAX_PLATFORM_FEE_BPS = 1_000;

/** Longest symbol in bytes, as in Metaplex Token Metadata. */
export const MAX_SYMBOL_LENGTH = 10;

/** Longest uri in bytes, as in Metaplex Token Metadata. */
export const MAX_URI_LENGTH = 200;

/** Canonical bump of the settings account. */
export const PROPERTIES_BUMP = 255;

/** `TokenOwnerData.initialized` of a graduated curve: no trades, not yet migrated. */
export const STATUS_FINALIZED = 2;

/** `TokenOwnerData.initialized` of a migrated curve. */
export const STATUS_MIGRATED = 3;

/** `TokenOwnerData.initialized` of a curve that trades. */
export const STATUS_TRADING = 1;

/** Decimals of every token. */
export const TOKEN_DECIMALS = 6;

/** Supply of every token in its smallest units: 1,000,000,000 tokens. */
export const TOKEN_SUPPLY = 1_000_000_000_000_000n;
