//! Seeds and limits, which the IDL takes from here, and the addresses that are fixed when the program is built.

use anchor_lang::prelude::*;
use const_crypto::ed25519::derive_program_address;
use curvekit_interface::constants as interface;

/// Seed of the one settings account.
#[constant]
pub const SETTINGS_SEED: &[u8] = interface::SETTINGS_SEED;
/// Seed of a token's curve account, followed by the mint.
#[constant]
pub const TOKEN_OWNER_SEED: &[u8] = interface::TOKEN_OWNER_SEED;
/// Seed of the PDA that signs log records.
#[constant]
pub const LOGGING_AUTHORITY_SEED: &[u8] = interface::LOGGING_AUTHORITY_SEED;
/// Seed of a token's WSOL community storage, followed by the mint.
#[constant]
pub const COMMUNITY_WSOL_SEED: &[u8] = interface::COMMUNITY_WSOL_SEED;
/// Seed of a token's own community storage, followed by the mint.
#[constant]
pub const COMMUNITY_TOKEN_SEED: &[u8] = interface::COMMUNITY_TOKEN_SEED;

/// Decimals of every token.
#[constant]
pub const TOKEN_DECIMALS: u8 = interface::TOKEN_DECIMALS;
/// Supply of every token in its smallest units: 1,000,000,000 tokens.
#[constant]
pub const TOKEN_SUPPLY: u64 = interface::TOKEN_SUPPLY;
/// The virtual token reserve, in smallest units, at which a curve graduates: 280,000,000 tokens.
#[constant]
pub const GRADUATION_VIRTUAL_TOKEN: u64 = interface::GRADUATION_VIRTUAL_TOKEN;
/// A whole in basis points.
#[constant]
pub const BASIS_POINTS: u16 = interface::BASIS_POINTS;
/// The highest platform fee, in basis points.
#[constant]
pub const MAX_PLATFORM_FEE_BPS: u16 = interface::MAX_PLATFORM_FEE_BPS;
/// The values that `after_migration_fee` may take, in basis points.
#[constant]
pub const AFTER_MIGRATION_FEES: [u16; 6] = interface::AFTER_MIGRATION_FEES;
/// `TokenOwnerData.initialized` of a curve that trades.
#[constant]
pub const STATUS_TRADING: u8 = interface::STATUS_TRADING;
/// `TokenOwnerData.initialized` of a graduated curve: no trades, not yet migrated.
#[constant]
pub const STATUS_FINALIZED: u8 = interface::STATUS_FINALIZED;
/// `TokenOwnerData.initialized` of a migrated curve.
#[constant]
pub const STATUS_MIGRATED: u8 = interface::STATUS_MIGRATED;
/// Longest name in bytes, as in Metaplex Token Metadata.
#[constant]
pub const MAX_NAME_LENGTH: u8 = interface::MAX_NAME_LENGTH;
/// Longest symbol in bytes, as in Metaplex Token Metadata.
#[constant]
pub const MAX_SYMBOL_LENGTH: u8 = interface::MAX_SYMBOL_LENGTH;
/// Longest uri in bytes, as in Metaplex Token Metadata.
#[constant]
pub const MAX_URI_LENGTH: u8 = interface::MAX_URI_LENGTH;

// The development keys in keys/localnet: their secrets are public.
const DEVELOPMENT_PROGRAM: &str = "Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH";
const DEVELOPMENT_ADMIN: &str = "2JtnRdG7nsPDvBRq4FfuzNLY7xoCaX9kD4bGutPHjH4Q";
/// A PDA of the graduation program in its development build, so no key can take what a curve holds.
const DEVELOPMENT_FEE_RECEIVER: &str = "4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv";
/// The key for builds in which a key migrates the curves.
const DEVELOPMENT_FEE_RECEIVER_KEY: &str = "39WhRCfYH2JsB9c6BN5YP2VCQq6GpDgusxLBuRTarEnj";
const DEVELOPMENT_DEX_OWNER: &str = "BGHj9CCz7bfm36DPikjs7TpV8tkLC7j4ys7U9qWrJ4Qy";

/// The only key that may change the settings.
#[constant]
pub const ADMIN: Pubkey = authority(option_env!("CURVE_ADMIN"), DEVELOPMENT_ADMIN);
/// Receives the platform fee of every trade, and what a curve holds when it is migrated.
#[constant]
pub const FEE_RECEIVER: Pubkey = authority(option_env!("CURVE_FEE_RECEIVER"), DEVELOPMENT_FEE_RECEIVER);
/// Owns the two community storages of every token.
#[constant]
pub const DEX_OWNER: Pubkey = authority(option_env!("CURVE_DEX_OWNER"), DEVELOPMENT_DEX_OWNER);

const fn authority(configured: Option<&str>, development: &str) -> Pubkey {
    match configured {
        Some(key) => Pubkey::from_str_const(key),
        None => Pubkey::from_str_const(development),
    }
}

/// The settings account.
#[constant]
pub const PROPERTIES_ADDRESS: Pubkey = program_address(SETTINGS_SEED).0;
/// Canonical bump of the settings account.
#[constant]
pub const PROPERTIES_BUMP: u8 = program_address(SETTINGS_SEED).1;
/// The PDA that signs log records.
#[constant]
pub const LOGGING_AUTHORITY_ADDRESS: Pubkey = program_address(LOGGING_AUTHORITY_SEED).0;
/// Canonical bump of the PDA that signs log records.
#[constant]
pub const LOGGING_AUTHORITY_BUMP: u8 = program_address(LOGGING_AUTHORITY_SEED).1;

const fn program_address(seed: &[u8]) -> (Pubkey, u8) {
    let (address, bump) = derive_program_address(&[seed], crate::ID.as_array());
    (Pubkey::new_from_array(address), bump)
}

/// A build for a real cluster must name its own authorities and program id: everyone has the development keys.
#[cfg(feature = "mainnet")]
const _: () = {
    assert!(option_env!("CURVE_ADMIN").is_some(), "feature mainnet: set CURVE_ADMIN to the admin's public key");
    assert!(
        option_env!("CURVE_FEE_RECEIVER").is_some(),
        "feature mainnet: set CURVE_FEE_RECEIVER to the fee receiver's public key"
    );
    assert!(
        option_env!("CURVE_DEX_OWNER").is_some(),
        "feature mainnet: set CURVE_DEX_OWNER to the DEX owner's public key"
    );
    assert!(
        !is_development_key(&crate::ID),
        "feature mainnet: declare_id! still names the development program; run `anchor keys sync` with your own keypair"
    );
    assert!(!is_development_key(&ADMIN), "feature mainnet: CURVE_ADMIN is a development key");
    assert!(!is_development_key(&FEE_RECEIVER), "feature mainnet: CURVE_FEE_RECEIVER is a development key");
    assert!(!is_development_key(&DEX_OWNER), "feature mainnet: CURVE_DEX_OWNER is a development key");
};

/// Whether an address belongs to the development builds, whose secrets are public.
pub const fn is_development_key(key: &Pubkey) -> bool {
    same_key(key, &Pubkey::from_str_const(DEVELOPMENT_PROGRAM))
        || same_key(key, &Pubkey::from_str_const(DEVELOPMENT_ADMIN))
        || same_key(key, &Pubkey::from_str_const(DEVELOPMENT_FEE_RECEIVER))
        || same_key(key, &Pubkey::from_str_const(DEVELOPMENT_FEE_RECEIVER_KEY))
        || same_key(key, &Pubkey::from_str_const(DEVELOPMENT_DEX_OWNER))
}

// `==` on keys is not const.
const fn same_key(a: &Pubkey, b: &Pubkey) -> bool {
    let (a, b) = (a.as_array(), b.as_array());
    let mut byte: usize = 0;
    while byte < a.len() {
        if a[byte] != b[byte] {
            return false;
        }
        byte = byte.saturating_add(1);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compile_time_addresses_are_the_canonical_ones() {
        let canonical = |seed| Pubkey::find_program_address(&[seed], &crate::ID);
        assert_eq!((PROPERTIES_ADDRESS, PROPERTIES_BUMP), canonical(SETTINGS_SEED));
        assert_eq!((LOGGING_AUTHORITY_ADDRESS, LOGGING_AUTHORITY_BUMP), canonical(LOGGING_AUTHORITY_SEED));
    }

    #[test]
    fn development_keys_are_known_as_such() {
        for key in [crate::ID, ADMIN, FEE_RECEIVER, Pubkey::from_str_const(DEVELOPMENT_FEE_RECEIVER_KEY), DEX_OWNER] {
            assert!(is_development_key(&key));
        }
        assert!(!is_development_key(&PROPERTIES_ADDRESS));
    }
}
