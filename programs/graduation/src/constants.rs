//! Seeds, which the IDL takes from here, and the addresses that are fixed when the program is built.

use anchor_lang::prelude::*;
use const_crypto::ed25519::derive_program_address;
use curvekit_interface::constants as interface;

/// Seed of the fee receiver.
#[constant]
pub const FEE_RECEIVER_SEED: &[u8] = interface::FEE_RECEIVER_SEED;
/// Seed of the address that opens pools.
#[constant]
pub const POOL_CREATOR_SEED: &[u8] = interface::POOL_CREATOR_SEED;
/// Seed of the token account that takes a migration's tokens, followed by the mint.
#[constant]
pub const TOKENS_SEED: &[u8] = interface::TOKENS_SEED;
/// Seed of the token account that takes a migration's SOL, wrapped, followed by the mint.
#[constant]
pub const WRAPPED_SOL_SEED: &[u8] = interface::WRAPPED_SOL_SEED;
/// Seed of a token's pool, followed by the mint.
#[constant]
pub const POOL_SEED: &[u8] = interface::POOL_SEED;

// The development keys in keys/localnet: their secrets are public.
const DEVELOPMENT_PROGRAM: &str = "Gra4YMZe4AN78Zu4qL8hyqZJAJyTNo3Anfo5vthUDeDt";
const DEVELOPMENT_CURVE_PROGRAM: &str = "Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH";
const DEVELOPMENT_ADMIN: &str = "2JtnRdG7nsPDvBRq4FfuzNLY7xoCaX9kD4bGutPHjH4Q";
const DEVELOPMENT_TREASURY: &str = "39WhRCfYH2JsB9c6BN5YP2VCQq6GpDgusxLBuRTarEnj";

/// The bonding-curve program, in a build whose fee receiver is `FEE_RECEIVER`.
#[constant]
pub const CURVE_PROGRAM: Pubkey = configured(option_env!("CURVE_PROGRAM"), DEVELOPMENT_CURVE_PROGRAM);
/// The only key that may sweep.
#[constant]
pub const ADMIN: Pubkey = configured(option_env!("CURVE_ADMIN"), DEVELOPMENT_ADMIN);
/// The only address that platform fees can be swept to.
#[constant]
pub const TREASURY: Pubkey = configured(option_env!("CURVE_TREASURY"), DEVELOPMENT_TREASURY);

const fn configured(configured: Option<&str>, development: &str) -> Pubkey {
    match configured {
        Some(key) => Pubkey::from_str_const(key),
        None => Pubkey::from_str_const(development),
    }
}

/// The fee receiver of the bonding-curve program: takes the platform fees and signs `migrate`. It also signs log records.
#[constant]
pub const FEE_RECEIVER: Pubkey = program_address(FEE_RECEIVER_SEED).0;
/// Canonical bump of the fee receiver.
#[constant]
pub const FEE_RECEIVER_BUMP: u8 = program_address(FEE_RECEIVER_SEED).1;
/// Opens pools. It holds lamports and tokens only while `graduate` runs, so its signature, which the AMM gets, is worth
/// nothing but this migration's money.
#[constant]
pub const POOL_CREATOR: Pubkey = program_address(POOL_CREATOR_SEED).0;
/// Canonical bump of the address that opens pools.
#[constant]
pub const POOL_CREATOR_BUMP: u8 = program_address(POOL_CREATOR_SEED).1;

const fn program_address(seed: &[u8]) -> (Pubkey, u8) {
    let (address, bump) = derive_program_address(&[seed], crate::ID.as_array());
    (Pubkey::new_from_array(address), bump)
}

/// A build for a real cluster must name its own addresses: everyone has the development keys.
#[cfg(feature = "mainnet")]
const _: () = {
    assert!(
        option_env!("CURVE_PROGRAM").is_some(),
        "feature mainnet: set CURVE_PROGRAM to the bonding curve's program id"
    );
    assert!(option_env!("CURVE_ADMIN").is_some(), "feature mainnet: set CURVE_ADMIN to the admin's public key");
    assert!(option_env!("CURVE_TREASURY").is_some(), "feature mainnet: set CURVE_TREASURY to the treasury's address");
    assert!(
        !is_development_key(&crate::ID),
        "feature mainnet: declare_id! still names the development program; run `anchor keys sync` with your own keypair"
    );
    assert!(!is_development_key(&CURVE_PROGRAM), "feature mainnet: CURVE_PROGRAM is a development key");
    assert!(!is_development_key(&ADMIN), "feature mainnet: CURVE_ADMIN is a development key");
    assert!(!is_development_key(&TREASURY), "feature mainnet: CURVE_TREASURY is a development key");
};

/// Whether a key is one of the four development keys, whose secrets are public.
pub const fn is_development_key(key: &Pubkey) -> bool {
    same_key(key, &Pubkey::from_str_const(DEVELOPMENT_PROGRAM))
        || same_key(key, &Pubkey::from_str_const(DEVELOPMENT_CURVE_PROGRAM))
        || same_key(key, &Pubkey::from_str_const(DEVELOPMENT_ADMIN))
        || same_key(key, &Pubkey::from_str_const(DEVELOPMENT_TREASURY))
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
        assert_eq!((FEE_RECEIVER, FEE_RECEIVER_BUMP), canonical(FEE_RECEIVER_SEED));
        assert_eq!((POOL_CREATOR, POOL_CREATOR_BUMP), canonical(POOL_CREATOR_SEED));
    }

    #[test]
    fn development_keys_are_known_as_such() {
        for key in [crate::ID, CURVE_PROGRAM, ADMIN, TREASURY] {
            assert!(is_development_key(&key));
        }
        assert!(!is_development_key(&FEE_RECEIVER));
    }
}
