//! The hot path: `buy_token`, `sell_token`, `migrate` and `validate_log_record` without a framework's cost.
//!
//! What they do is specified by the Anchor instructions of the same names in `instructions` (feature `reference`): the
//! same data, accounts, state and records, and the same error code for the same cause, also when several things are
//! wrong at once, so every check stands where Anchor's own would. In the log an error that is not about an account lacks
//! the source line that Anchor names beside it. `npm run test:differential` compares the two builds.

mod accounts;
mod buy_token;
mod constraints;
mod lamports;
mod layout;
mod migrate;
mod records;
mod sell_token;
mod validate_log_record;

use anchor_lang::error::{Error, ErrorCode};
use pinocchio::{error::ProgramError, AccountView, Address};

use crate::constants::{BUY_TOKEN, MIGRATE, SELL_TOKEN, VALIDATE_LOG_RECORD};

/// Accounts of the instruction that has most, `buy_token`. Any beyond are ignored, as by Anchor.
pub const MOST_ACCOUNTS: usize = 11;

type Result<T> = std::result::Result<T, ProgramError>;

/// Runs a hot instruction; `None` for any other.
#[inline(always)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Option<Result<()>> {
    let (discriminator, arguments) = data.split_first_chunk()?;
    let deployed = || require(*program_id == crate::ID, ErrorCode::DeclaredProgramIdMismatch);
    Some(match u64::from_le_bytes(*discriminator) {
        BUY_TOKEN => deployed().and_then(|()| buy_token::run(accounts, arguments)),
        SELL_TOKEN => deployed().and_then(|()| sell_token::run(accounts, arguments)),
        MIGRATE => deployed().and_then(|()| migrate::run(accounts, arguments)),
        VALIDATE_LOG_RECORD => deployed().and_then(|()| validate_log_record::run(accounts, arguments)),
        _ => return None,
    })
}

/// `require!`, but for what it costs when the condition holds.
#[inline(always)]
fn require(holds: bool, error: impl Into<Error>) -> Result<()> {
    if holds {
        Ok(())
    } else {
        Err(refusal(error))
    }
}

/// An error of this program's or of Anchor's, logged as Anchor does, for the clients that read logs. Out of the way: an
/// error that is made ready before each check, in case it fails, costs a unit a check.
#[cold]
#[inline(never)]
fn refusal(error: impl Into<Error>) -> ProgramError {
    logged(error.into())
}

/// `refusal`, because of an account.
#[cold]
#[inline(never)]
fn refusal_of(account: &'static str, error: impl Into<Error>) -> ProgramError {
    logged(error.into().with_account_name(account))
}

fn logged(error: Error) -> ProgramError {
    error.log();
    error.into()
}
