use anchor_lang::prelude::*;

use bonding_curve::{
    constants::{LOGGING_AUTHORITY_ADDRESS, LOGGING_AUTHORITY_BUMP},
    error::BondingCurveError,
};

#[derive(Accounts)]
pub struct ValidateLogRecord<'info> {
    /// The log-authority PDA. Only this program can make it sign.
    #[account(address = LOGGING_AUTHORITY_ADDRESS)]
    pub logging_authority: Signer<'info>,
}

impl ValidateLogRecord<'_> {
    pub fn run(logging_account_bump: u8) -> Result<()> {
        require!(logging_account_bump == LOGGING_AUTHORITY_BUMP, BondingCurveError::LogicalError);
        Ok(())
    }
}
