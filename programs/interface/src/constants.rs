//! Limits, states, seeds of addresses, and the AMM. The tests compare each value with the committed IDLs.

use solana_address::Address;

/// 100 % in basis points.
pub const BASIS_POINTS: u16 = 10_000;
/// Decimals of every token.
pub const TOKEN_DECIMALS: u8 = 6;
/// Supply of every token in base units: 1,000,000,000 tokens.
pub const TOKEN_SUPPLY: u64 = 1_000_000_000_000_000;
/// The virtual token reserve at which a curve graduates, in base units: 280,000,000 tokens.
pub const GRADUATION_VIRTUAL_TOKEN: u64 = 280_000_000_000_000;
/// The highest platform fee, in basis points.
pub const MAX_PLATFORM_FEE_BPS: u16 = 1_000;
/// The allowed values of `after_migration_fee`, in basis points.
pub const AFTER_MIGRATION_FEES: [u16; 6] = [0, 25, 50, 100, 200, 500];
/// Longest name in bytes.
pub const MAX_NAME_LENGTH: u8 = 32;
/// Longest symbol in bytes.
pub const MAX_SYMBOL_LENGTH: u8 = 10;
/// Longest uri in bytes.
pub const MAX_URI_LENGTH: u8 = 200;
/// Status of a trading curve.
pub const STATUS_TRADING: u8 = 1;
/// Status of a graduated curve: no trades, not yet migrated.
pub const STATUS_FINALIZED: u8 = 2;
/// Status of a migrated curve.
pub const STATUS_MIGRATED: u8 = 3;

/// Seed of the global settings account.
pub const SETTINGS_SEED: &[u8] = b"settings";
/// Seed of a token's curve account, followed by the mint.
pub const TOKEN_OWNER_SEED: &[u8] = b"token_owner";
/// Seed of the PDA that signs log records.
pub const LOGGING_AUTHORITY_SEED: &[u8] = b"logging_authority";
/// Seed of a token's WSOL community storage, followed by the mint.
pub const COMMUNITY_WSOL_SEED: &[u8] = b"community_wsol";
/// Seed of a token's community storage for the token itself, followed by the mint.
pub const COMMUNITY_TOKEN_SEED: &[u8] = b"community_token";

/// Seed of the graduation program's fee receiver.
pub const FEE_RECEIVER_SEED: &[u8] = b"fee_receiver";
/// Seed of the address that opens pools.
pub const POOL_CREATOR_SEED: &[u8] = b"pool_creator";
/// Seed of the temporary account for migrated tokens, followed by the mint.
pub const TOKENS_SEED: &[u8] = b"tokens";
/// Seed of the temporary account for migrated wrapped SOL, followed by the mint.
pub const WRAPPED_SOL_SEED: &[u8] = b"wsol";
/// Seed of a token's pool, followed by the mint.
pub const POOL_SEED: &[u8] = b"pool";

/// Raydium's CPMM, where graduated tokens trade.
pub const AMM_PROGRAM: Address = Address::from_str_const("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C");
/// The AMM's fee tier 0.
pub const AMM_CONFIG: Address = Address::from_str_const("D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2");
