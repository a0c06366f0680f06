//! The least input for an output, with an error that names the argument which no trade can meet.

use crate::{
    arguments::ArgumentError,
    constants::GRADUATION_VIRTUAL_TOKEN,
    curve::Reserves,
    inverse::{least_sol, least_tokens},
};

/// The fewest lamports, including the fee, that buy at least `token_to_receive` base units.
pub(super) fn least_sol_for_tokens(
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

/// The fewest token base units whose sell yields at least `sol_to_receive` lamports after the fee.
pub(super) fn least_tokens_for_sol(
    reserves: Reserves,
    fee_bps: u16,
    sol_to_receive: u64,
) -> Result<u64, ArgumentError> {
    least_tokens(reserves, fee_bps, sol_to_receive).ok_or_else(|| unreachable("sol_to_receive", sol_to_receive))
}

fn unreachable(argument: &'static str, amount: u64) -> ArgumentError {
    ArgumentError::new(argument, format!("is {amount}; no amount that fits 64 bits yields as much on this curve"))
}
