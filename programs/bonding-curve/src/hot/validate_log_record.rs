use anchor_lang::error::ErrorCode;
use pinocchio::AccountView;

use super::{accounts::Accounts, constraints, require, Result};
use crate::{constants::LOGGING_AUTHORITY_BUMP, error::BondingCurveError};

/// `instructions/validate_log_record.rs`, step by step.
pub fn run(accounts: &mut [AccountView], arguments: &[u8]) -> Result<()> {
    let bump = arguments.first().copied();
    require(bump.is_some(), ErrorCode::InstructionDidNotDeserialize)?;
    let logging_authority = Accounts(accounts.iter_mut()).signer("logging_authority")?;
    constraints::require_log_authority(&logging_authority)?;
    require(bump == Some(LOGGING_AUTHORITY_BUMP), BondingCurveError::LogicalError)
}
