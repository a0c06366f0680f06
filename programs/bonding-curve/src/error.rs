//! The six errors that integrators hard-code. Wrong program ids, owners and missing signers are Anchor's own errors.

use anchor_lang::prelude::*;

use crate::curve::TradeError;

#[error_code]
#[derive(PartialEq, Eq)]
pub enum BondingCurveError {
    /// 6000. The curve account, its vault or `pda_token_nonce` is not the one derived from the mint.
    #[msg("Bonding curve does not match mint")]
    BondingCurveDoesNotMatchMint,
    /// 6001. A trade on a curve that has graduated or was migrated.
    #[msg("Trading for this token is closed")]
    TradingClosed,
    /// 6002. A migration of a curve that has not graduated.
    #[msg("Token is not ready to migrate")]
    NotReadyToMigrate,
    /// 6003. The trade would yield less than the stated minimum.
    #[msg("Slippage error")]
    SlippageError,
    /// 6004. `fee_account` is not the fee receiver this program was built with.
    #[msg("Wrong fee receiver")]
    WrongFeeReceiver,
    /// 6005. Everything else that makes no sense: zero amounts, values out of bounds, a second migration,
    /// a non-canonical bump, an address that is not the derived one.
    #[msg("Logical error")]
    LogicalError,
}

impl From<TradeError> for BondingCurveError {
    fn from(error: TradeError) -> Self {
        match error {
            TradeError::Slippage => Self::SlippageError,
            TradeError::Logical => Self::LogicalError,
        }
    }
}
