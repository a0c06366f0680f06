//! Which settings the program accepts.

use crate::{
    constants::{GRADUATION_VIRTUAL_TOKEN, MAX_PLATFORM_FEE_BPS, TOKEN_SUPPLY},
    curve::product,
};

/// What holds for any settings: a positive SOL reserve, a fee within its maximum, a token reserve from which the supply
/// suffices to reach graduation without the vault ever owing more than it holds, and a SOL reserve at graduation that fits
/// u64 (else no curve could graduate).
pub fn accepts(initial_virtual_sol: u64, initial_virtual_token: u64, platform_fee_bps: u16) -> bool {
    initial_virtual_sol > 0
        && initial_virtual_token > TOKEN_SUPPLY
        && initial_virtual_token < TOKEN_SUPPLY.saturating_add(GRADUATION_VIRTUAL_TOKEN)
        && product(initial_virtual_sol, initial_virtual_token) <= product(GRADUATION_VIRTUAL_TOKEN, u64::MAX)
        && platform_fee_bps <= MAX_PLATFORM_FEE_BPS
}
