//! Computes the result of a trade before it is sent. The maths is the program's own, so a quote is exact to the
//! lamport and the token base unit.

mod error;
mod exact_out;
mod slippage;
#[cfg(test)]
mod tests;

pub use error::QuoteError;
use exact_out::{least_sol_for_tokens, least_tokens_for_sol};
use slippage::price_impact_bps;
pub use slippage::{maximum_after_slippage, minimum_after_slippage};

use crate::{
    accounts::{Properties, TokenOwnerData},
    arguments::{require_bps, require_positive, ArgumentError},
    constants::{GRADUATION_VIRTUAL_TOKEN, MAX_PLATFORM_FEE_BPS, STATUS_TRADING, TOKEN_SUPPLY},
    curve::{buy, product, sell, Buy, Reserves, TradeError},
    inverse::highest_minimum,
};

/// The state of a curve for quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurveState {
    /// The two virtual reserves.
    pub reserves: Reserves,
    /// Current platform fee of the properties in basis points.
    pub platform_fee_bps: u16,
    /// Status of the curve. Only status 1, trading, can be quoted.
    pub status: u8,
    /// Token base units outside the vault, if known: the limit for sells. Otherwise the supply is the limit.
    pub circulating: Option<u64>,
}

impl CurveState {
    /// The state from the two accounts that a trade reads.
    pub fn new(curve: &TokenOwnerData, properties: &Properties) -> Self {
        Self {
            reserves: curve.reserves(),
            platform_fee_bps: properties.platform_fee_bps,
            status: curve.initialized,
            circulating: None,
        }
    }

    /// The same curve with the token base units outside its vault.
    pub fn with_circulating(self, circulating: u64) -> Self {
        Self { circulating: Some(circulating), ..self }
    }

    fn most_to_sell(&self) -> u64 {
        self.circulating.unwrap_or(TOKEN_SUPPLY)
    }

    fn require_trading(&self) -> Result<(), QuoteError> {
        if self.status != STATUS_TRADING {
            return Err(QuoteError::TradingClosed { status: self.status });
        }
        Ok(require_bps("platform_fee_bps", self.platform_fee_bps, MAX_PLATFORM_FEE_BPS)?)
    }
}

/// A quote of a buy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuyQuote {
    /// Lamports to pass to `buy_token`.
    pub sol_to_spend: u64,
    /// Minimum to pass to `buy_token`, after slippage. For a clipped buy it is scaled, because it limits the price.
    pub min_token_to_receive: u64,
    /// Token base units that the buyer receives.
    pub token_out: u64,
    /// Lamports that the buyer pays: `net + fee`. Less than `sol_to_spend` when the buy is clipped.
    pub sol_spent: u64,
    /// Lamports that enter the curve.
    pub net: u64,
    /// Lamports that go to the fee receiver.
    pub fee: u64,
    /// Whether the lamports could buy more than the remaining tokens.
    pub clipped: bool,
    /// Whether the buy graduates the curve.
    pub graduates: bool,
    /// How much the size of the buy worsens its average price, before the fee, in basis points, rounded up.
    pub price_impact_bps: u16,
    /// The reserves before the buy. Their ratio is the price.
    pub before: Reserves,
    /// The reserves after the buy.
    pub after: Reserves,
}

/// A quote of a sell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SellQuote {
    /// Token base units to pass to `sell_token`.
    pub token_to_spend: u64,
    /// Minimum to pass to `sell_token`, after slippage.
    pub min_sol_to_receive: u64,
    /// Lamports that the seller receives: `gross − fee`.
    pub sol_out: u64,
    /// Lamports that leave the curve.
    pub gross: u64,
    /// Lamports that go to the fee receiver.
    pub fee: u64,
    /// How much the size of the sell worsens its average price, before the fee, in basis points, rounded up.
    pub price_impact_bps: u16,
    /// The reserves before the sell.
    pub before: Reserves,
    /// The reserves after the sell.
    pub after: Reserves,
}

/// Quotes a buy that spends up to `sol_to_spend` lamports, including the fee. `slippage_bps` is how much less than
/// quoted the trader accepts, in basis points.
///
/// # Errors
/// [`QuoteError::TradingClosed`] for a curve that does not trade, [`QuoteError::Refused`] for an amount that the
/// program refuses, [`QuoteError::Argument`] for a fee or a slippage out of range.
pub fn quote_buy(curve: &CurveState, sol_to_spend: u64, slippage_bps: u16) -> Result<BuyQuote, QuoteError> {
    curve.require_trading()?;
    let (before, fee_bps) = (curve.reserves, curve.platform_fee_bps);
    let trade = buy(before, fee_bps, GRADUATION_VIRTUAL_TOKEN, sol_to_spend, 0)?;
    let Buy { token_out, net, fee, reserves: after, graduates } = trade;
    let sol_spent = trade.sol_in();
    let clipped = graduates && is_clipped(curve, sol_to_spend, &trade);
    let would_buy = highest_minimum(token_out, sol_to_spend, sol_spent).unwrap_or(token_out);
    Ok(BuyQuote {
        sol_to_spend,
        min_token_to_receive: minimum_after_slippage(would_buy, slippage_bps)?,
        token_out,
        sol_spent,
        net,
        fee,
        clipped,
        graduates,
        price_impact_bps: price_impact_bps(product(net, before.virtual_token), product(token_out, before.virtual_sol)),
        before,
        after,
    })
}

/// Quotes a sell of exactly `token_to_spend` token base units.
///
/// # Errors
/// Like [`quote_buy`], and [`QuoteError::NotCirculating`] for more tokens than are outside the vault.
pub fn quote_sell(curve: &CurveState, token_to_spend: u64, slippage_bps: u16) -> Result<SellQuote, QuoteError> {
    curve.require_trading()?;
    let circulating = curve.most_to_sell();
    if token_to_spend > circulating {
        return Err(QuoteError::NotCirculating { token_to_spend, circulating });
    }
    let before = curve.reserves;
    let trade = sell(before, curve.platform_fee_bps, token_to_spend, 0)?;
    let (ideal, actual) = (product(token_to_spend, before.virtual_sol), product(trade.gross, before.virtual_token));
    Ok(SellQuote {
        token_to_spend,
        min_sol_to_receive: minimum_after_slippage(trade.sol_out, slippage_bps)?,
        sol_out: trade.sol_out,
        gross: trade.gross,
        fee: trade.fee,
        price_impact_bps: price_impact_bps(ideal, actual),
        before,
        after: trade.reserves,
    })
}

/// Quotes a buy of at least `token_to_receive` token base units. The minimum is always `token_to_receive`. The slippage
/// raises the SOL instead: `sol_to_spend` is the smallest amount that buys the tokens now, plus `slippage_bps`, rounded
/// down. The program spends all of it, so the buyer gets more tokens when the price does not move.
///
/// # Errors
/// Like [`quote_buy`], and [`QuoteError::Argument`] for more than the remaining tokens.
pub fn quote_buy_exact_out(
    curve: &CurveState,
    token_to_receive: u64,
    slippage_bps: u16,
) -> Result<BuyQuote, QuoteError> {
    curve.require_trading()?;
    require_positive("virtual_sol", curve.reserves.virtual_sol)?;
    require_positive("token_to_receive", token_to_receive)?;
    let least = least_sol_for_tokens(curve.reserves, curve.platform_fee_bps, token_to_receive)?;
    let sol_to_spend = fit("sol_to_spend", maximum_after_slippage(least, slippage_bps)?)?;
    Ok(BuyQuote { min_token_to_receive: token_to_receive, ..quote_buy(curve, sol_to_spend, 0)? })
}

/// Quotes a sell that yields at least `sol_to_receive` lamports after the fee. The minimum is always `sol_to_receive`.
/// The slippage raises the tokens instead: `token_to_spend` is the smallest amount that yields the lamports now, plus
/// `slippage_bps`, rounded down, but no more than circulate. The program sells all of it, so the seller gets more
/// lamports when the price does not move.
///
/// # Errors
/// Like [`quote_sell`], and [`QuoteError::Argument`] for more SOL than any sell can yield.
pub fn quote_sell_exact_out(
    curve: &CurveState,
    sol_to_receive: u64,
    slippage_bps: u16,
) -> Result<SellQuote, QuoteError> {
    curve.require_trading()?;
    require_positive("virtual_token", curve.reserves.virtual_token)?;
    require_positive("sol_to_receive", sol_to_receive)?;
    let least = least_tokens_for_sol(curve.reserves, curve.platform_fee_bps, sol_to_receive)?;
    let (most, circulating) = (maximum_after_slippage(least, slippage_bps)?, curve.most_to_sell());
    let token_to_spend = match most > u128::from(circulating) && least <= circulating {
        true => circulating,
        false => fit("token_to_spend", most)?,
    };
    Ok(SellQuote { min_sol_to_receive: sol_to_receive, ..quote_sell(curve, token_to_spend, 0)? })
}

/// Whether a graduating buy would buy more tokens without the graduation reserve.
fn is_clipped(curve: &CurveState, sol_to_spend: u64, trade: &Buy) -> bool {
    trade.sol_in() < sol_to_spend
        || buy(curve.reserves, curve.platform_fee_bps, 0, sol_to_spend, 0)
            .is_ok_and(|unlimited| unlimited.token_out > trade.token_out)
}

/// Converts an amount to u64, the type of instruction arguments.
fn fit(argument: &'static str, amount: u128) -> Result<u64, ArgumentError> {
    u64::try_from(amount)
        .map_err(|_| ArgumentError::new(argument, format!("is {amount} with the slippage; it must fit 64 bits")))
}

impl From<TradeError> for QuoteError {
    fn from(error: TradeError) -> Self {
        Self::Refused(error)
    }
}

impl From<ArgumentError> for QuoteError {
    fn from(error: ArgumentError) -> Self {
        Self::Argument(error)
    }
}
