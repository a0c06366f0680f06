use std::{error::Error, fmt};

use crate::{
    arguments::ArgumentError,
    constants::{STATUS_FINALIZED, STATUS_MIGRATED},
    curve::TradeError,
    errors::CurveError,
};

/// The reason why a trade cannot be quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuoteError {
    /// The curve has graduated, or does not exist. The program refuses with `TradingClosed`.
    TradingClosed {
        /// Status of the curve.
        status: u8,
    },
    /// The program would refuse the trade too.
    Refused(TradeError),
    /// A sell of more tokens than circulate.
    NotCirculating {
        /// Token base units to sell.
        token_to_spend: u64,
        /// Token base units outside the vault.
        circulating: u64,
    },
    /// An argument is out of range.
    Argument(ArgumentError),
}

impl QuoteError {
    /// The program's error, if the program would refuse the trade too.
    pub fn program_error(&self) -> Option<CurveError> {
        match self {
            Self::TradingClosed { .. } => Some(CurveError::TradingClosed),
            Self::Refused(TradeError::Slippage) => Some(CurveError::SlippageError),
            Self::Refused(TradeError::Logical) | Self::NotCirculating { .. } => Some(CurveError::LogicalError),
            Self::Argument(_) => None,
        }
    }
}

impl fmt::Display for QuoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TradingClosed { status: STATUS_FINALIZED } => {
                f.write_str("the curve has graduated (status 2): trade in its pool once it is open")
            }
            Self::TradingClosed { status: STATUS_MIGRATED } => {
                f.write_str("the curve was migrated (status 3): trade in its pool")
            }
            Self::TradingClosed { status } => write!(f, "the curve has status {status}; only status 1 trades"),
            Self::Refused(TradeError::Slippage) => f.write_str("the trade yields less than its minimum"),
            Self::Refused(TradeError::Logical) => {
                f.write_str("the amount is 0, yields nothing, or takes a reserve beyond 64 bits: change the amount")
            }
            Self::NotCirculating { token_to_spend, circulating } => write!(
                f,
                "token_to_spend is {token_to_spend}; only {circulating} units are in circulation, sell at most these"
            ),
            Self::Argument(error) => error.fmt(f),
        }
    }
}

impl Error for QuoteError {}
