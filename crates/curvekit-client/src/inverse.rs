//! The inverse of the curve: the least input for an output, and a buy's highest minimum. `proofs` translates this file
//! into Coq and proves that it is precisely that, so it is written in what the translator knows.

use crate::{
    constants::BASIS_POINTS,
    curve::{product, Reserves},
};

/// The fewest lamports, including the fee, that buy at least `token_out` base units. `None` if no buy does.
///
/// `net = ⌈vS · out / (vT − out)⌉`, since `⌊vT · net / (vS + net)⌋ ≥ out ⟺ net · (vT − out) ≥ vS · out`; and the least
/// `sol` that leaves `net` is `⌈net · 10,000 / (10,000 − bps)⌉`.
pub fn least_sol(reserves: Reserves, fee_bps: u16, token_out: u64) -> Option<u64> {
    let left = reserves.virtual_token.checked_sub(token_out)?;
    let net = ceil_div(product(reserves.virtual_sol, token_out), left)?;
    reserves.virtual_sol.checked_add(net)?;
    least_gross(net, fee_bps)
}

/// The fewest token base units whose sell yields at least `sol_out` lamports after the fee. `None` if no sell does.
///
/// `gross = ⌈sol · 10,000 / (10,000 − bps)⌉` and `t = ⌈gross · vT / (vS − gross)⌉`, since
/// `⌊vS · t / (vT + t)⌋ ≥ gross ⟺ t · (vS − gross) ≥ gross · vT`.
pub fn least_tokens(reserves: Reserves, fee_bps: u16, sol_out: u64) -> Option<u64> {
    let gross = least_gross(sol_out, fee_bps)?;
    // A sell never takes the last lamport of the virtual reserve.
    let left = reserves.virtual_sol.checked_sub(gross)?;
    let token_in = ceil_div(product(gross, reserves.virtual_token), left)?;
    reserves.virtual_token.checked_add(token_in)?;
    Some(token_in)
}

/// The highest minimum, in token base units, with which the program takes a buy that was quoted: `⌊out · sol / spent⌋`, at
/// most the greatest u64. The program compares the price of a clipped buy with `sol_to_spend / minimum`. `None` if nothing
/// is spent.
pub fn highest_minimum(token_out: u64, sol_to_spend: u64, sol_spent: u64) -> Option<u64> {
    let scaled = product(token_out, sol_to_spend).checked_div(u128::from(sol_spent))?;
    u64::try_from(scaled.min(u128::from(u64::MAX))).ok()
}

/// The smallest amount that leaves `net` after its fee.
fn least_gross(net: u64, fee_bps: u16) -> Option<u64> {
    let kept = u64::from(BASIS_POINTS.checked_sub(fee_bps)?);
    ceil_div(product(net, u64::from(BASIS_POINTS)), kept)
}

/// `⌈dividend / divisor⌉`. `None` for a zero divisor or a result above u64.
fn ceil_div(dividend: u128, divisor: u64) -> Option<u64> {
    let most_remainder = divisor.checked_sub(1)?;
    let quotient = dividend.checked_add(u128::from(most_remainder))?.checked_div(u128::from(divisor))?;
    u64::try_from(quotient).ok()
}
