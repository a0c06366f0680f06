//! How many lamports exempt an account from rent.

use anchor_lang::prelude::*;
use pinocchio::sysvars::rent::ACCOUNT_STORAGE_OVERHEAD;

/// Lamports that exempt an account of `space` bytes on this cluster.
pub fn exemption(space: usize) -> std::result::Result<u64, ProgramError> {
    minimum_balance(&Rent::get()?, space).ok_or(ProgramError::ArithmeticOverflow)
}

/// `Rent::minimum_balance` without its multiplication by a float, which costs 150 compute units: the factor is 2.0 on a
/// cluster before SIMD-0194 and 1.0 after, told apart by their bits.
#[allow(deprecated)] // the two fields are what SIMD-0194 changes
fn minimum_balance(rent: &Rent, space: usize) -> Option<u64> {
    let bytes = ACCOUNT_STORAGE_OVERHEAD.checked_add(u64::try_from(space).ok()?)?;
    let lamports = bytes.checked_mul(rent.lamports_per_byte_year)?;
    match rent.exemption_threshold.to_bits() {
        ONE => Some(lamports),
        TWO => lamports.checked_mul(2),
        _ => Some(rent.minimum_balance(space)),
    }
}

const ONE: u64 = 1.0_f64.to_bits();
const TWO: u64 = 2.0_f64.to_bits();

#[cfg(test)]
#[allow(deprecated)]
mod tests {
    use super::*;

    #[test]
    fn given_any_factor_when_the_exemption_is_asked_for_then_it_is_what_the_runtime_says() {
        for exemption_threshold in [1.0, 2.0, 1.5, 0.25] {
            for lamports_per_byte_year in [0, 1, 3_480, 6_960, 1_000_003] {
                let rent = Rent { lamports_per_byte_year, exemption_threshold, ..Rent::default() };
                for space in [0, 28, 29, 82, 165, 10_000] {
                    let expected = rent.minimum_balance(space);
                    assert_eq!(minimum_balance(&rent, space), Some(expected));
                }
            }
        }
        let rent = Rent { lamports_per_byte_year: u64::MAX, exemption_threshold: 1.0, ..Rent::default() };
        assert_eq!(minimum_balance(&rent, 0), None);
    }
}
