//! Moves lamports out of the curve account, which is this program's own, so no call is needed. Use it after all calls: at
//! each call the runtime checks that the balances add up.

use pinocchio::{error::ProgramError, AccountView};

use crate::refusal::Result;

/// Debits an account. `ArithmeticOverflow` when it has less.
#[inline(always)]
pub fn debit(account: &mut AccountView, lamports: u64) -> Result<()> {
    account.set_lamports(account.lamports().checked_sub(lamports).ok_or(ProgramError::ArithmeticOverflow)?);
    Ok(())
}

/// Credits what another account was debited. Reads the balance each time, because two names may be one account.
#[inline(always)]
pub fn credit(account: &mut AccountView, lamports: u64) -> Result<()> {
    account.set_lamports(account.lamports().checked_add(lamports).ok_or(ProgramError::ArithmeticOverflow)?);
    Ok(())
}
