//! The addresses of the development builds, whose secrets are public, and addresses that nobody can sign for. A build for a
//! real cluster refuses both.

use solana_address::Address;

use crate::constants::{AMM_CONFIG, AMM_PROGRAM};

/// The bonding-curve program.
pub const CURVE_PROGRAM: Address = Address::from_str_const("Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH");
/// The graduation program.
pub const GRADUATION_PROGRAM: Address = Address::from_str_const("Gra4YMZe4AN78Zu4qL8hyqZJAJyTNo3Anfo5vthUDeDt");
/// The admin of both programs.
pub const ADMIN: Address = Address::from_str_const("2JtnRdG7nsPDvBRq4FfuzNLY7xoCaX9kD4bGutPHjH4Q");
/// A PDA of the graduation program, so no key can take what a curve holds.
pub const FEE_RECEIVER: Address = Address::from_str_const("4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv");
/// The fee receiver of builds in which a key migrates the curves. Also the graduation program's treasury.
pub const FEE_RECEIVER_KEY: Address = Address::from_str_const("39WhRCfYH2JsB9c6BN5YP2VCQq6GpDgusxLBuRTarEnj");
/// The owner of the community storages.
pub const DEX_OWNER: Address = Address::from_str_const("BGHj9CCz7bfm36DPikjs7TpV8tkLC7j4ys7U9qWrJ4Qy");

/// All development addresses.
pub const DEVELOPMENT: [Address; 6] =
    [CURVE_PROGRAM, GRADUATION_PROGRAM, ADMIN, FEE_RECEIVER, FEE_RECEIVER_KEY, DEX_OWNER];

/// Programs, sysvars and accounts of the cluster that stand in configurations: as an authority they lose what they get.
pub const NOBODY: [Address; 12] = [
    Address::from_str_const("11111111111111111111111111111111"),
    Address::from_str_const("1nc1nerator11111111111111111111111111111111"),
    Address::from_str_const("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"),
    Address::from_str_const("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"),
    Address::from_str_const("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"),
    Address::from_str_const("metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s"),
    Address::from_str_const("So11111111111111111111111111111111111111112"),
    Address::from_str_const("SysvarRent111111111111111111111111111111111"),
    Address::from_str_const("ComputeBudget111111111111111111111111111111"),
    Address::from_str_const("BPFLoaderUpgradeab1e11111111111111111111111"),
    AMM_PROGRAM,
    AMM_CONFIG,
];

/// Whether a build for a real cluster may name the address.
pub const fn is_usable(address: &Address) -> bool {
    !is_one_of(address, &DEVELOPMENT) && !is_one_of(address, &NOBODY)
}

/// Whether the address is one of the list. In constants `==` cannot compare addresses.
pub const fn is_one_of(address: &Address, list: &[Address]) -> bool {
    let mut index: usize = 0;
    while index < list.len() {
        if is_same(address.as_array(), list[index].as_array()) {
            return true;
        }
        index = index.saturating_add(1);
    }
    false
}

const fn is_same(a: &[u8; 32], b: &[u8; 32]) -> bool {
    let mut byte: usize = 0;
    while byte < a.len() {
        if a[byte] != b[byte] {
            return false;
        }
        byte = byte.saturating_add(1);
    }
    true
}
