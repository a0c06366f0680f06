use anchor_lang::prelude::*;
use curvekit_interface::instructions::SweepAccounts;
use pinocchio::{
    address::address_eq,
    cpi::{Seed, Signer as Seeds},
    AccountView,
};
use pinocchio_system::instructions::Transfer;

use crate::{
    checks::{named, require_address},
    constants::{ADMIN, FEE_RECEIVER, FEE_RECEIVER_BUMP, FEE_RECEIVER_SEED, TREASURY},
    error::GraduationError,
    refusal::{self, refusal, require_account},
};

/// The interface. The handler makes the checks.
#[derive(Accounts)]
pub struct Sweep<'info> {
    /// The admin this program was built with.
    #[account(address = ADMIN)]
    pub admin_account: Signer<'info>,
    /// CHECK: the fee receiver, a PDA of this program.
    #[account(mut, address = FEE_RECEIVER)]
    pub fee_receiver: UncheckedAccount<'info>,
    /// CHECK: the treasury this program was built with.
    #[account(mut, address = TREASURY)]
    pub treasury: UncheckedAccount<'info>,
    pub system_program: Program<'info, System>,
}

pub(crate) fn sweep(accounts: &[AccountView]) -> refusal::Result<()> {
    let SweepAccounts { admin_account: admin, fee_receiver, treasury, .. } =
        named(accounts, &SweepAccounts::NAMES)?.into();
    let by_admin = admin.is_signer() && address_eq(admin.address(), &ADMIN);
    require_account(by_admin, "admin_account", GraduationError::WrongAdmin)?;
    require_address(fee_receiver, "fee_receiver", &FEE_RECEIVER)?;
    require_address(treasury, "treasury", &TREASURY)?;

    // Trades pay the fee receiver a few lamports at a time: without its rent exemption they would fail.
    let kept = Rent::get()?.minimum_balance(0);
    let above = fee_receiver.lamports().checked_sub(kept).filter(|lamports| *lamports > 0);
    let lamports = above.ok_or_else(|| refusal(GraduationError::NothingToSweep))?;
    let seeds = [Seed::from(FEE_RECEIVER_SEED), Seed::from(&[FEE_RECEIVER_BUMP])];
    Transfer { from: fee_receiver, to: treasury, lamports }.invoke_signed(&[Seeds::from(&seeds)])
}
