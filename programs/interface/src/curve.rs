//! The curve: pure integer maths of a constant product over virtual reserves. No framework, no accounts.
//!
//! Every rounding favours the pool. Invariants (numbered as in the property tests in `curve/tests.rs`):
//! the product of the reserves never decreases (1); a round trip never profits (2); fee + net = gross, the fee
//! rounded up (5); a trade yields its minimum or fails (6); a curve graduates exactly at the reserve (7).

#[cfg(test)]
mod tests;

use crate::constants::BASIS_POINTS;

/// Why a trade is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TradeError {
    /// The trade yields less than the trader's minimum.
    Slippage,
    /// A zero amount, or a value that no curve can reach.
    Logical,
}

/// The two virtual reserves that alone set the price: lamports and smallest token units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reserves {
    pub virtual_sol: u64,
    pub virtual_token: u64,
}

/// What a buy does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buy {
    /// Token units that leave the vault.
    pub token_out: u64,
    /// Lamports that enter the curve.
    pub net: u64,
    /// Lamports that go to the fee receiver.
    pub fee: u64,
    /// The reserves afterwards.
    pub reserves: Reserves,
    /// Whether this trade took the last tokens above the graduation reserve.
    pub graduates: bool,
}

impl Buy {
    /// Lamports the buyer pays in all. Both parts come out of one u64, so the sum cannot overflow.
    pub fn sol_in(&self) -> u64 {
        self.net.saturating_add(self.fee)
    }
}

/// What a sell does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sell {
    /// Lamports that leave the curve.
    pub gross: u64,
    /// The part of them that goes to the fee receiver.
    pub fee: u64,
    /// The part that the seller receives.
    pub sol_out: u64,
    /// The reserves afterwards.
    pub reserves: Reserves,
}

/// Spends up to `sol_to_spend` lamports, fee included, for at least `min_token_out` token units.
///
/// `fee = ceil(sol · bps / 10,000)`, `net = sol − fee`, `out = floor(vT · net / (vS + net))`.
///
/// A buy that would take `vT` below `graduation_reserve` is clipped to it: `net = ceil(vS · out / (vT − out))`,
/// `fee = ceil(net · bps / (10,000 − bps))`, and the rest stays with the buyer. The minimum then binds the price
/// instead of the amount, so that buyers who race for the last tokens do not fail.
#[inline(always)] // a call costs the program 38 compute units
pub fn buy(
    reserves: Reserves,
    fee_bps: u16,
    graduation_reserve: u64,
    sol_to_spend: u64,
    min_token_out: u64,
) -> Result<Buy, TradeError> {
    if sol_to_spend == 0 {
        return Err(TradeError::Logical);
    }
    let available = reserves.virtual_token.checked_sub(graduation_reserve).ok_or(TradeError::Logical)?;
    let fee = fee_on(sol_to_spend, fee_bps)?;
    let net = sol_to_spend.checked_sub(fee).ok_or(TradeError::Logical)?;
    let token_out = tokens_for(reserves, net)?;

    let (token_out, net, fee) = if token_out > available {
        let (net, fee) = cost_of(reserves, fee_bps, available)?;
        let sol_in = net.checked_add(fee).filter(|sol_in| *sol_in <= sol_to_spend).ok_or(TradeError::Logical)?;
        if product(available, sol_to_spend) < product(min_token_out, sol_in) {
            return Err(TradeError::Slippage);
        }
        (available, net, fee)
    } else {
        if token_out < min_token_out {
            return Err(TradeError::Slippage);
        }
        (token_out, net, fee)
    };
    if token_out == 0 {
        return Err(TradeError::Logical);
    }

    Ok(Buy {
        token_out,
        net,
        fee,
        reserves: Reserves {
            virtual_sol: reserves.virtual_sol.checked_add(net).ok_or(TradeError::Logical)?,
            virtual_token: reserves.virtual_token.checked_sub(token_out).ok_or(TradeError::Logical)?,
        },
        graduates: token_out == available,
    })
}

/// Sells exactly `token_to_spend` token units for at least `min_sol_out` lamports after the fee.
///
/// `gross = floor(vS · t / (vT + t))`, `fee = ceil(gross · bps / 10,000)`; the seller receives `gross − fee`.
#[inline(always)] // a call costs the program 18 compute units
pub fn sell(reserves: Reserves, fee_bps: u16, token_to_spend: u64, min_sol_out: u64) -> Result<Sell, TradeError> {
    if token_to_spend == 0 {
        return Err(TradeError::Logical);
    }
    let virtual_token = reserves.virtual_token.checked_add(token_to_spend).ok_or(TradeError::Logical)?;
    let gross = mul_div(reserves.virtual_sol, token_to_spend, u128::from(virtual_token), Rounding::Down)?;
    let fee = fee_on(gross, fee_bps)?;
    let sol_out = gross.checked_sub(fee).ok_or(TradeError::Logical)?;
    if sol_out < min_sol_out {
        return Err(TradeError::Slippage);
    }
    if sol_out == 0 {
        return Err(TradeError::Logical);
    }

    Ok(Sell {
        gross,
        fee,
        sol_out,
        reserves: Reserves {
            virtual_sol: reserves.virtual_sol.checked_sub(gross).ok_or(TradeError::Logical)?,
            virtual_token,
        },
    })
}

/// The fee on an amount that includes it, in lamports, rounded up.
fn fee_on(gross: u64, fee_bps: u16) -> Result<u64, TradeError> {
    // Up to 281,474 SOL the product fits one machine word, where a division costs a tenth.
    if gross <= u64::MAX >> u16::BITS {
        return Ok(gross.saturating_mul(u64::from(fee_bps)).div_ceil(u64::from(BASIS_POINTS)));
    }
    mul_div(gross, u64::from(fee_bps), u128::from(BASIS_POINTS), Rounding::Up)
}

/// Token units for `net` lamports, rounded down.
fn tokens_for(reserves: Reserves, net: u64) -> Result<u64, TradeError> {
    let virtual_sol = u128::from(reserves.virtual_sol).checked_add(u128::from(net)).ok_or(TradeError::Logical)?;
    mul_div(reserves.virtual_token, net, virtual_sol, Rounding::Down)
}

/// The least lamports, net and fee, that buy `token_out` units, each rounded up.
fn cost_of(reserves: Reserves, fee_bps: u16, token_out: u64) -> Result<(u64, u64), TradeError> {
    let left = reserves.virtual_token.checked_sub(token_out).ok_or(TradeError::Logical)?;
    let net = mul_div(reserves.virtual_sol, token_out, u128::from(left), Rounding::Up)?;
    let kept = BASIS_POINTS.checked_sub(fee_bps).ok_or(TradeError::Logical)?;
    let fee = mul_div(net, u64::from(fee_bps), u128::from(kept), Rounding::Up)?;
    Ok((net, fee))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Down,
    Up,
}

/// `a · b / divisor`, exact in 128 bits; an error for a zero divisor or a result above u64.
fn mul_div(a: u64, b: u64, divisor: u128, rounding: Rounding) -> Result<u64, TradeError> {
    let most_remainder = divisor.checked_sub(1).ok_or(TradeError::Logical)?;
    let dividend = match rounding {
        Rounding::Down => product(a, b),
        Rounding::Up => product(a, b).checked_add(most_remainder).ok_or(TradeError::Logical)?,
    };
    let quotient = dividend.checked_div(divisor).ok_or(TradeError::Logical)?;
    u64::try_from(quotient).map_err(|_| TradeError::Logical)
}

/// Two u64 always fit in 128 bits.
pub fn product(a: u64, b: u64) -> u128 {
    u128::from(a).saturating_mul(u128::from(b))
}
