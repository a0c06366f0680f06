//! How an instruction refuses: with an error of this program's or of Anchor's, logged as Anchor logs it.

use anchor_lang::error::Error;
use pinocchio::error::ProgramError;

use crate::error::GraduationError;

pub type Result<T> = std::result::Result<T, ProgramError>;

#[inline(always)]
pub fn require(holds: bool, error: impl Into<Error>) -> Result<()> {
    if holds {
        Ok(())
    } else {
        Err(refusal(error))
    }
}

/// `require`, because of an account.
#[inline(always)]
pub fn require_account(holds: bool, account: &'static str, error: impl Into<Error>) -> Result<()> {
    if holds {
        Ok(())
    } else {
        Err(logged(error.into().with_account_name(account)))
    }
}

/// The error of a calculation that does not fit 64 bits.
pub fn out_of_range() -> ProgramError {
    refusal(GraduationError::AmountOutOfRange)
}

/// Logs the error for the clients that read logs.
#[cold]
#[inline(never)]
pub fn refusal(error: impl Into<Error>) -> ProgramError {
    logged(error.into())
}

fn logged(error: Error) -> ProgramError {
    error.log();
    error.into()
}
