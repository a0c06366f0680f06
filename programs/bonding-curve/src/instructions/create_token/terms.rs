use anchor_lang::prelude::*;

use crate::{
    constants::{AFTER_MIGRATION_FEES, BASIS_POINTS, MAX_NAME_LENGTH, MAX_SYMBOL_LENGTH, MAX_URI_LENGTH},
    error::BondingCurveError,
};

/// What the creator decides. All of it is in the log record; only the fee and the burned share are kept on chain.
pub struct TokenTerms {
    pub uri: String,
    pub name: String,
    pub symbol: String,
    pub after_migration_fee: u16,
    pub burn_bp: u16,
    pub holders_bp: u16,
    pub lp_bp: u16,
}

impl TokenTerms {
    pub(super) fn require_sensible(&self) -> Result<()> {
        let shares = [self.burn_bp, self.holders_bp, self.lp_bp].into_iter().map(u32::from).sum::<u32>();
        let sensible = AFTER_MIGRATION_FEES.contains(&self.after_migration_fee)
            && shares <= u32::from(BASIS_POINTS)
            && (1..=usize::from(MAX_NAME_LENGTH)).contains(&self.name.len())
            && (1..=usize::from(MAX_SYMBOL_LENGTH)).contains(&self.symbol.len())
            && (1..=usize::from(MAX_URI_LENGTH)).contains(&self.uri.len());
        require!(sensible, BondingCurveError::LogicalError);
        Ok(())
    }
}
