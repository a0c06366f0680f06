//! A token program that can do as much as a creation of a token asks for, and keeps every authority of a mint. It checks
//! nothing.

use pinocchio::{entrypoint, error::ProgramError, AccountView, Address, ProgramResult};

entrypoint!(process);

const MINT_TO: u8 = 7;
const SET_AUTHORITY: u8 = 6;
const INITIALIZE_ACCOUNT: u8 = 18;
const INITIALIZE_MINT: u8 = 20;
const ACCOUNT_SIZE: u8 = 21;
const IMMUTABLE_OWNER: u8 = 22;
const BATCH: u8 = 255;

fn process(_program_id: &Address, mut accounts: &mut [AccountView], mut data: &[u8]) -> ProgramResult {
    let Some((&BATCH, mut batch)) = data.split_first() else { return process_one(accounts, data) };
    while let [account_count, byte_count, rest @ ..] = batch {
        let own;
        (own, accounts) = accounts.split_at_mut(usize::from(*account_count));
        (data, batch) = rest.split_at(usize::from(*byte_count));
        process_one(own, data)?;
    }
    Ok(())
}

fn process_one(accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    let (&instruction, arguments) = data.split_first().ok_or(ProgramError::InvalidInstructionData)?;
    match (instruction, accounts) {
        (INITIALIZE_MINT, [mint, ..]) => {
            let (decimals, rest) = arguments.split_first().ok_or(ProgramError::InvalidInstructionData)?;
            write(mint, 0, &[1, 0, 0, 0])?;
            write(mint, 4, rest.get(..32).ok_or(ProgramError::InvalidInstructionData)?)?;
            write(mint, 44, &[*decimals, 1])
        }
        (INITIALIZE_ACCOUNT, [account, mint, ..]) => {
            write(account, 0, mint.address().as_array())?;
            write(account, 32, arguments)?;
            write(account, 108, &[1])
        }
        (MINT_TO, [mint, account, ..]) => {
            write(mint, 36, arguments)?;
            write(account, 64, arguments)
        }
        (ACCOUNT_SIZE, _) => {
            pinocchio::cpi::set_return_data(&165_u64.to_le_bytes());
            Ok(())
        }
        // Here the authority would be given up.
        (SET_AUTHORITY | IMMUTABLE_OWNER, _) => Ok(()),
        _ => Err(ProgramError::InvalidInstructionData),
    }
}

fn write(account: &mut AccountView, offset: usize, bytes: &[u8]) -> ProgramResult {
    let mut data = account.try_borrow_mut()?;
    let end = offset.checked_add(bytes.len()).ok_or(ProgramError::ArithmeticOverflow)?;
    data.get_mut(offset..end).ok_or(ProgramError::AccountDataTooSmall)?.copy_from_slice(bytes);
    Ok(())
}
