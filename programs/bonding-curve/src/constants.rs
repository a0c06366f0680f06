//! Seeds and limits, which the IDL takes from here, and the addresses that are fixed when the program is built.

use anchor_lang::prelude::*;
use const_crypto::ed25519::derive_program_address;
use curvekit_interface::{constants as interface, development};

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

/// The only key that may change the settings.
#[constant]
pub const ADMIN: Pubkey = authority(option_env!("CURVE_ADMIN"), development::ADMIN);
/// Receives the platform fee of every trade, and what a curve holds when it is migrated.
#[constant]
pub const FEE_RECEIVER: Pubkey = authority(option_env!("CURVE_FEE_RECEIVER"), development::FEE_RECEIVER);
/// Owns the two community storages of every token.
#[constant]
pub const DEX_OWNER: Pubkey = authority(option_env!("CURVE_DEX_OWNER"), development::DEX_OWNER);

const fn authority(configured: Option<&str>, development: Pubkey) -> Pubkey {
    match configured {
        Some(key) => Pubkey::from_str_const(key),
        None => development,
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
    macro_rules! require_own {
        ($address:expr, $variable:literal, $what:literal) => {
            assert!(option_env!($variable).is_some(), concat!("feature mainnet: set ", $variable, " to ", $what));
            assert!(
                development::is_usable(&$address)
                    && !development::is_one_of(&$address, &[crate::ID, PROPERTIES_ADDRESS, LOGGING_AUTHORITY_ADDRESS]),
                concat!(
                    "feature mainnet: ",
                    $variable,
                    " is a development key, or an address that nobody can sign for"
                )
            );
        };
    }
    assert!(
        development::is_usable(&crate::ID),
        "feature mainnet: declare_id! still names the development program; run `anchor keys sync` with your own keypair"
    );
    require_own!(ADMIN, "CURVE_ADMIN", "the admin's public key");
    require_own!(FEE_RECEIVER, "CURVE_FEE_RECEIVER", "the fee receiver's public key");
    require_own!(DEX_OWNER, "CURVE_DEX_OWNER", "the DEX owner's public key");
};

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
    fn a_real_build_refuses_every_development_address() {
        for address in [crate::ID, ADMIN, FEE_RECEIVER, development::FEE_RECEIVER_KEY, DEX_OWNER] {
            assert!(!development::is_usable(&address));
        }
        assert!(development::is_usable(&PROPERTIES_ADDRESS));
    }
}
