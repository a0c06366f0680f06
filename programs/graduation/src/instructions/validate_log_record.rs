use anchor_lang::{error::ErrorCode, prelude::*};
use curvekit_interface::instructions::GraduationLogAccounts;
use pinocchio::{address::address_eq, AccountView};

use crate::{
    checks::named,
    constants::FEE_RECEIVER,
    refusal::{self, require_account},
};

/// The interface. The handler makes the checks.
#[derive(Accounts)]
pub struct ValidateLogRecord<'info> {
    /// Only this program can make it sign.
    #[account(address = FEE_RECEIVER)]
    pub fee_receiver: Signer<'info>,
}

pub(crate) fn validate_log_record(accounts: &[AccountView]) -> refusal::Result<()> {
    let GraduationLogAccounts { fee_receiver } = named(accounts, &GraduationLogAccounts::NAMES)?.into();
    require_account(fee_receiver.is_signer(), "fee_receiver", ErrorCode::AccountNotSigner)?;
    let is_fee_receiver = address_eq(fee_receiver.address(), &FEE_RECEIVER);
    require_account(is_fee_receiver, "fee_receiver", ErrorCode::ConstraintAddress)
}
