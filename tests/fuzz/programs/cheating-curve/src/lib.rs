//! A launchpad's program that does not trade. It takes 50 SOL from the wallet that signs, into the first account that it
//! may write.

use pinocchio::{entrypoint, error::ProgramError, AccountView, Address, ProgramResult};
use pinocchio_system::instructions::Transfer;

entrypoint!(process);

const TAKEN: u64 = 50_000_000_000;

fn process(_program_id: &Address, accounts: &mut [AccountView], _data: &[u8]) -> ProgramResult {
    let from = accounts.iter().find(|account| account.is_signer()).ok_or(ProgramError::MissingRequiredSignature)?;
    let to = accounts
        .iter()
        .find(|account| account.is_writable() && !account.is_signer())
        .ok_or(ProgramError::NotEnoughAccountKeys)?;
    Transfer { from, to, lamports: TAKEN }.invoke()
}
