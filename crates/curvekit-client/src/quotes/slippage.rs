use crate::{
    arguments::{require_bps, ArgumentError},
    constants::BASIS_POINTS,
    curve::product,
};

/// The smallest amount that a trader accepts: `⌈amount · (10,000 − slippage_bps) / 10,000⌉`.
///
/// # Errors
/// [`ArgumentError`] for a slippage above 10,000.
pub fn minimum_after_slippage(amount: u64, slippage_bps: u16) -> Result<u64, ArgumentError> {
    require_bps("slippage_bps", slippage_bps, BASIS_POINTS)?;
    let kept = u64::from(BASIS_POINTS.saturating_sub(slippage_bps));
    let minimum = product(amount, kept).div_ceil(u128::from(BASIS_POINTS));
    // The minimum is never above `amount`, so it fits a u64.
    Ok(u64::try_from(minimum).unwrap_or(amount))
}

/// The most that a trader pays: `⌊amount · (10,000 + slippage_bps) / 10,000⌋`. It can exceed 64 bits.
///
/// # Errors
/// [`ArgumentError`] for a slippage above 10,000.
pub fn maximum_after_slippage(amount: u64, slippage_bps: u16) -> Result<u128, ArgumentError> {
    let minimum = minimum_after_slippage(amount, slippage_bps)?;
    Ok(u128::from(amount).saturating_mul(2).saturating_sub(u128::from(minimum)))
}

/// `⌈(ideal − actual) · 10,000 / ideal⌉`, exact. The product can exceed 128 bits, so it is built bit by bit, the
/// remainder kept below `ideal`.
pub(super) fn price_impact_bps(ideal: u128, actual: u128) -> u16 {
    let lost = ideal.saturating_sub(actual);
    if lost == 0 {
        return 0;
    }
    if lost == ideal {
        return BASIS_POINTS;
    }
    let (mut quotient, mut remainder) = (0u16, 0u128);
    for bit in (0..u16::BITS).rev() {
        (quotient, remainder) = add(quotient.saturating_mul(2), remainder, remainder, ideal);
        if BASIS_POINTS.wrapping_shr(bit) & 1 == 1 {
            (quotient, remainder) = add(quotient, remainder, lost, ideal);
        }
    }
    quotient.saturating_add(u16::from(remainder > 0))
}

/// `remainder + more`, both below `modulus`, carried into the quotient.
fn add(quotient: u16, remainder: u128, more: u128, modulus: u128) -> (u16, u128) {
    let room = modulus.saturating_sub(remainder);
    if more >= room {
        (quotient.saturating_add(1), more.saturating_sub(room))
    } else {
        (quotient, remainder.saturating_add(more))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn given_any_amounts_that_fit_when_the_impact_is_computed_then_it_is_the_formula(
            ideal in 1u128..u128::MAX / 10_000, share in any::<u64>(),
        ) {
            let actual = (ideal >> 64) * u128::from(share);
            let expected = ((ideal - actual) * 10_000).div_ceil(ideal);
            prop_assert_eq!(u128::from(price_impact_bps(ideal, actual)), expected);
        }

        #[test]
        fn given_any_amount_when_the_slippage_is_taken_off_then_the_rest_is_rounded_up(amount: u64, bps in 0u16..=10_000) {
            let minimum = minimum_after_slippage(amount, bps).unwrap();
            let exact = u128::from(amount) * u128::from(10_000 - bps);
            prop_assert!(u128::from(minimum) * 10_000 >= exact);
            prop_assert!(minimum == 0 || u128::from(minimum - 1) * 10_000 < exact);
        }

        #[test]
        fn given_any_amount_when_the_slippage_is_added_then_the_sum_is_rounded_down(amount: u64, bps in 0u16..=10_000) {
            let exact = u128::from(amount) * u128::from(10_000 + bps);
            prop_assert_eq!(maximum_after_slippage(amount, bps).unwrap(), exact / 10_000);
        }
    }

    #[test]
    fn given_the_greatest_amounts_when_the_impact_is_computed_then_nothing_overflows() {
        assert_eq!(price_impact_bps(u128::MAX, u128::MAX), 0);
        assert_eq!(price_impact_bps(u128::MAX, u128::MAX - 1), 1);
        assert_eq!(price_impact_bps(u128::MAX, u128::MAX / 2), 5_001);
        assert_eq!(price_impact_bps(u128::MAX, 0), 10_000);
        assert_eq!(price_impact_bps(0, 0), 0);
    }

    #[test]
    fn given_a_slippage_above_a_whole_when_it_is_taken_off_then_the_error_names_it() {
        let error = minimum_after_slippage(1, 10_001).unwrap_err();
        assert_eq!(error.to_string(), "slippage_bps is 10001 basis points; it must be at most 10000");
    }
}
