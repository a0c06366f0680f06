//! How an instruction refuses: with an error of this program's or of Anchor's, logged as Anchor logs it.

use anchor_lang::error::Error;
use pinocchio::error::ProgramError;

pub type Result<T> = std::result::Result<T, ProgramError>;

/// As `require!`, but free of cost when the condition holds.
#[inline(always)]
pub fn require(holds: bool, error: impl Into<Error>) -> Result<()> {
    if holds {
        Ok(())
    } else {
        Err(refusal(error))
    }
}

/// Logs the error for the clients that read logs. Cold path: building the error before each check would cost one compute
/// unit per check.
#[cold]
#[inline(never)]
pub fn refusal(error: impl Into<Error>) -> ProgramError {
    logged(error.into())
}

/// `refusal`, because of an account.
#[cold]
#[inline(never)]
pub fn refusal_of(account: &'static str, error: impl Into<Error>) -> ProgramError {
    logged(error.into().with_account_name(account))
}

fn logged(error: Error) -> ProgramError {
    error.log();
    error.into()
}
