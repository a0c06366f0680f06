//! The inverse of the curve: the smallest input for an output. The tests check that one unit less is not enough.

use crate::{
    arguments::ArgumentError,
    constants::{BASIS_POINTS, GRADUATION_VIRTUAL_TOKEN},
    curve::{product, Reserves},
};

/// The fewest lamports, including the fee, that buy at least `token_to_receive` base units.
///
/// `net = ⌈vS · out / (vT − out)⌉`, since `⌊vT · net / (vS + net)⌋ ≥ out ⟺ net · (vT − out) ≥ vS · out`; and the least
/// `sol` that leaves `net` is `⌈net · 10,000 / (10,000 − bps)⌉`.
pub(crate) fn least_sol_for_tokens(
    reserves: Reserves,
    fee_bps: u16,
    token_to_receive: u64,
) -> Result<u64, ArgumentError> {
    let available = reserves.virtual_token.saturating_sub(GRADUATION_VIRTUAL_TOKEN);
    if token_to_receive > available {
        let problem = format!("is {token_to_receive}; the curve sells only {available} more, ask for at most that");
        return Err(ArgumentError::new("token_to_receive", problem));
    }
    least_sol(reserves, fee_bps, token_to_receive).ok_or_else(|| unreachable("token_to_receive", token_to_receive))
}

fn least_sol(Reserves { virtual_sol, virtual_token }: Reserves, fee_bps: u16, token_out: u64) -> Option<u64> {
    let left = u128::from(virtual_token.checked_sub(token_out)?);
    let net = ceil_div(product(virtual_sol, token_out), left)?;
    virtual_sol.checked_add(net)?;
    least_gross(net, fee_bps)
}

/// The fewest token base units whose sell yields at least `sol_to_receive` lamports after the fee.
///
/// `gross = ⌈sol · 10,000 / (10,000 − bps)⌉` and `t = ⌈gross · vT / (vS − gross)⌉`, since
/// `⌊vS · t / (vT + t)⌋ ≥ gross ⟺ t · (vS − gross) ≥ gross · vT`.
pub(crate) fn least_tokens_for_sol(
    reserves: Reserves,
    fee_bps: u16,
    sol_to_receive: u64,
) -> Result<u64, ArgumentError> {
    least_tokens(reserves, fee_bps, sol_to_receive).ok_or_else(|| unreachable("sol_to_receive", sol_to_receive))
}

fn least_tokens(Reserves { virtual_sol, virtual_token }: Reserves, fee_bps: u16, sol_out: u64) -> Option<u64> {
    let gross = least_gross(sol_out, fee_bps)?;
    // A sell never takes the last lamport of the virtual reserve.
    let left = u128::from(virtual_sol.checked_sub(gross)?);
    let token_in = ceil_div(product(gross, virtual_token), left)?;
    virtual_token.checked_add(token_in)?;
    Some(token_in)
}

/// The smallest amount that leaves `net` after its fee.
fn least_gross(net: u64, fee_bps: u16) -> Option<u64> {
    let kept = u128::from(BASIS_POINTS.checked_sub(fee_bps)?);
    ceil_div(product(net, u64::from(BASIS_POINTS)), kept)
}

/// `None` for a zero divisor or a result above u64.
fn ceil_div(dividend: u128, divisor: u128) -> Option<u64> {
    let quotient = dividend.checked_div(divisor)?;
    let remainder = dividend.checked_rem(divisor)?;
    u64::try_from(quotient).ok()?.checked_add(u64::from(remainder > 0))
}

fn unreachable(argument: &'static str, amount: u64) -> ArgumentError {
    ArgumentError::new(argument, format!("is {amount}; no amount that fits 64 bits yields as much on this curve"))
}
