//! How many lamports exempt an account from rent.

use anchor_lang::prelude::*;
use bytemuck::{Pod, Zeroable};
use pinocchio::sysvars::{
    get_sysvar,
    rent::{ACCOUNT_STORAGE_OVERHEAD, RENT_ID},
};

/// What the cluster demands: lamports for each byte, times a factor.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Rate {
    lamports_per_byte: u64,
    /// Bits of an f64: 2.0 before SIMD-0194, 1.0 after.
    factor: u64,
}

const ONE: u64 = 1.0_f64.to_bits();
const TWO: u64 = 2.0_f64.to_bits();

/// Lamports that exempt an account of `space` bytes on this cluster.
pub fn exemption(space: usize) -> std::result::Result<u64, ProgramError> {
    let mut rate = Rate::zeroed();
    get_sysvar(bytemuck::bytes_of_mut(&mut rate), &RENT_ID, 0)?;
    minimum_balance(rate, space).ok_or(ProgramError::ArithmeticOverflow)
}

/// `Rent::minimum_balance` without its multiplication by a float, which costs 150 compute units.
#[allow(deprecated)] // the two fields are what SIMD-0194 changes
fn minimum_balance(rate: Rate, space: usize) -> Option<u64> {
    let bytes = ACCOUNT_STORAGE_OVERHEAD.checked_add(u64::try_from(space).ok()?)?;
    let lamports = bytes.checked_mul(rate.lamports_per_byte)?;
    match rate.factor {
        ONE => Some(lamports),
        TWO => lamports.checked_mul(2),
        other => Some(
            Rent {
                lamports_per_byte_year: rate.lamports_per_byte,
                exemption_threshold: f64::from_bits(other),
                ..Rent::default()
            }
            .minimum_balance(space),
        ),
    }
}

#[cfg(test)]
#[allow(deprecated)]
mod tests {
    use super::*;

    #[test]
    fn given_any_rate_when_the_exemption_is_asked_for_then_it_is_what_the_runtime_says() {
        for exemption_threshold in [1.0, 2.0, 1.5, 0.25] {
            for lamports_per_byte in [0, 1, 3_480, 6_960, 1_000_003] {
                let rent = Rent { lamports_per_byte_year: lamports_per_byte, exemption_threshold, ..Rent::default() };
                let rate = Rate { lamports_per_byte, factor: exemption_threshold.to_bits() };
                for space in [0, 28, 29, 82, 165, 10_000] {
                    assert_eq!(minimum_balance(rate, space), Some(rent.minimum_balance(space)));
                }
            }
        }
        assert_eq!(minimum_balance(Rate { lamports_per_byte: u64::MAX, factor: ONE }, 0), None);
    }

    #[test]
    fn given_the_runtimes_rent_when_it_is_laid_out_then_it_begins_with_the_rate() {
        assert_eq!(std::mem::offset_of!(Rent, lamports_per_byte_year), std::mem::offset_of!(Rate, lamports_per_byte));
        assert_eq!(std::mem::offset_of!(Rent, exemption_threshold), std::mem::offset_of!(Rate, factor));
    }
}
