//! Lamports that leave the curve account, this program's own: no call is needed. To come after all calls, as the runtime
//! wants the balances to add up at each of them.

use pinocchio::{error::ProgramError, AccountView};

use crate::refusal::Result;

/// Takes lamports from an account. More than it has: `ArithmeticOverflow`.
#[inline(always)]
pub fn debit(account: &mut AccountView, lamports: u64) -> Result<()> {
    account.set_lamports(account.lamports().checked_sub(lamports).ok_or(ProgramError::ArithmeticOverflow)?);
    Ok(())
}

/// Gives an account what another has been debited. It is read afresh each time: two names may be one account.
#[inline(always)]
pub fn credit(account: &mut AccountView, lamports: u64) -> Result<()> {
    account.set_lamports(account.lamports().checked_add(lamports).ok_or(ProgramError::ArithmeticOverflow)?);
    Ok(())
}
