use anchor_lang::{error::ErrorCode, prelude::*};
use curvekit_interface::instructions::ValidateLogRecordAccounts;
use pinocchio::AccountView;

use crate::{
    checks::named,
    constants::{LOGGING_AUTHORITY_ADDRESS, LOGGING_AUTHORITY_BUMP},
    error::BondingCurveError,
    refusal::{self, require},
};

/// The interface. `run` makes the checks.
#[derive(Accounts)]
pub struct ValidateLogRecord<'info> {
    /// The log-authority PDA. Only this program can make it sign.
    #[account(address = LOGGING_AUTHORITY_ADDRESS)]
    pub logging_authority: Signer<'info>,
}

impl ValidateLogRecord<'_> {
    pub(crate) fn run(accounts: &mut [AccountView], arguments: &[u8]) -> refusal::Result<()> {
        let bump = arguments.first().copied();
        require(bump.is_some(), ErrorCode::InstructionDidNotDeserialize)?;
        let ValidateLogRecordAccounts { logging_authority } =
            named(accounts, &ValidateLogRecordAccounts::NAMES)?.into();
        logging_authority.require_signer()?;
        logging_authority.require_log_authority()?;
        require(bump == Some(LOGGING_AUTHORITY_BUMP), BondingCurveError::LogicalError)
    }
}
