//! Seeds, which the IDL takes from here, and the addresses that are fixed when the program is built.

use anchor_lang::prelude::*;
use const_crypto::ed25519::derive_program_address;
use curvekit_interface::{constants as interface, development};

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

/// The bonding-curve program, in a build whose fee receiver is `FEE_RECEIVER`.
#[constant]
pub const CURVE_PROGRAM: Pubkey = configured(option_env!("CURVE_PROGRAM"), development::CURVE_PROGRAM);
/// The only key that may sweep.
#[constant]
pub const ADMIN: Pubkey = configured(option_env!("CURVE_ADMIN"), development::ADMIN);
/// The only address that platform fees can be swept to.
#[constant]
pub const TREASURY: Pubkey = configured(option_env!("CURVE_TREASURY"), development::FEE_RECEIVER_KEY);

const fn configured(configured: Option<&str>, development: Pubkey) -> Pubkey {
    match configured {
        Some(key) => Pubkey::from_str_const(key),
        None => development,
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
    macro_rules! require_own {
        ($address:expr, $variable:literal, $what:literal) => {
            assert!(option_env!($variable).is_some(), concat!("feature mainnet: set ", $variable, " to ", $what));
            assert!(
                development::is_usable(&$address) && !development::is_one_of(&$address, &[crate::ID]),
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
    require_own!(CURVE_PROGRAM, "CURVE_PROGRAM", "the bonding curve's program id");
    require_own!(ADMIN, "CURVE_ADMIN", "the admin's public key");
    require_own!(TREASURY, "CURVE_TREASURY", "the treasury's address");
    let own = [CURVE_PROGRAM, FEE_RECEIVER, POOL_CREATOR];
    assert!(!development::is_one_of(&ADMIN, &own), "feature mainnet: CURVE_ADMIN is a program's address");
    assert!(!development::is_one_of(&TREASURY, &own), "feature mainnet: CURVE_TREASURY is a program's address");
};

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
    fn a_real_build_refuses_every_development_address() {
        for address in [crate::ID, CURVE_PROGRAM, ADMIN, TREASURY, FEE_RECEIVER] {
            assert!(!development::is_usable(&address));
        }
        assert!(development::is_usable(&POOL_CREATOR));
    }
}
