//! Calls the program in its first account, with its other accounts and its own data unchanged.

use pinocchio::{
    cpi::invoke_with_slice,
    entrypoint,
    error::ProgramError,
    instruction::{InstructionAccount, InstructionView},
    AccountView, Address, ProgramResult,
};

entrypoint!(process);

fn process(_program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    let (program, passed) = accounts.split_first().ok_or(ProgramError::NotEnoughAccountKeys)?;
    let metas: Vec<_> = passed
        .iter()
        .map(|account| InstructionAccount::new(account.address(), account.is_writable(), account.is_signer()))
        .collect();
    let views: Vec<_> = passed.iter().collect();
    invoke_with_slice(&InstructionView { program_id: program.address(), accounts: &metas, data }, &views)
}
