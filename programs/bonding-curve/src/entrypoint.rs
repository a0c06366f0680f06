//! The entry point: hands each instruction to its handler.

use std::{mem::MaybeUninit, slice};

use anchor_lang::{
    error::ErrorCode,
    prelude::{AccountInfo, Pubkey},
    solana_program::entrypoint::{custom_heap_default, custom_panic_default, deserialize, SUCCESS},
    Discriminator,
};
use curvekit_interface::instructions::{discriminators, BuyTokenAccounts};
use pinocchio::{address::address_eq, entrypoint::deserialize as deserialize_views, AccountView, Address};

use crate::{
    __private::__global::{admin_set_properties, create_token},
    instruction,
    instructions::{BuyToken, Migrate, SellToken, ValidateLogRecord},
    refusal::{refusal, require, Result},
};

/// Accounts of the instruction that has most, `buy_token`. Any beyond are ignored, as by Anchor.
const MOST_ACCOUNTS: usize = BuyTokenAccounts::COUNT;

/// Tags as numbers: they are compared in one step.
const BUY_TOKEN: u64 = u64::from_le_bytes(discriminators::BUY_TOKEN);
const SELL_TOKEN: u64 = u64::from_le_bytes(discriminators::SELL_TOKEN);
const MIGRATE: u64 = u64::from_le_bytes(discriminators::MIGRATE);
const VALIDATE_LOG_RECORD: u64 = u64::from_le_bytes(discriminators::VALIDATE_LOG_RECORD);

custom_heap_default!();
custom_panic_default!();

/// # Safety
/// `input` is the buffer in which the runtime passes an instruction.
#[allow(unsafe_code)]
#[no_mangle]
pub unsafe extern "C" fn entrypoint(input: *mut u8) -> u64 {
    let mut views = [const { MaybeUninit::<AccountView>::uninit() }; MOST_ACCOUNTS];
    // SAFETY: the runtime's buffer is what this function reads, and it changes nothing in it, so that Anchor can still
    // read it. Every test that calls one of Anchor's instructions would fail otherwise.
    let (program_id, count, data) = unsafe { deserialize_views::<MOST_ACCOUNTS>(input, &mut views) };
    // SAFETY: the call above initialised the first `count` views. The tests with too few accounts would break.
    let accounts = unsafe { slice::from_raw_parts_mut(views.as_mut_ptr().cast::<AccountView>(), count) };
    match handle(program_id, accounts, data) {
        Some(Ok(())) => SUCCESS,
        Some(Err(error)) => error.into(),
        None => handle_in_anchor(input),
    }
}

/// Trades, migrations and log records, without a framework's cost; `None` for any other instruction.
#[inline(always)]
fn handle(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Option<Result<()>> {
    let (tag, arguments) = data.split_first_chunk()?;
    let deployed = || require(address_eq(program_id, &crate::ID), ErrorCode::DeclaredProgramIdMismatch);
    Some(match u64::from_le_bytes(*tag) {
        BUY_TOKEN => deployed().and_then(|()| BuyToken::run(accounts, arguments)),
        SELL_TOKEN => deployed().and_then(|()| SellToken::run(accounts, arguments)),
        MIGRATE => deployed().and_then(|()| Migrate::run(accounts, arguments)),
        VALIDATE_LOG_RECORD => deployed().and_then(|()| ValidateLogRecord::run(accounts, arguments)),
        _ => return None,
    })
}

/// A frame of its own, so that the instructions above do not pay for it.
#[allow(unsafe_code)]
#[inline(never)]
fn handle_in_anchor(input: *mut u8) -> u64 {
    // SAFETY: `input` is the runtime's untouched buffer, see above.
    let (program_id, accounts, data) = unsafe { deserialize(input) };
    match dispatch(program_id, &accounts, data) {
        Ok(()) => SUCCESS,
        Err(error) => refusal(error).into(),
    }
}

/// Anchor's own dispatch without its entries for the instructions above: those describe the interface only.
fn dispatch<'info>(
    program_id: &'info Pubkey,
    accounts: &'info [AccountInfo<'info>],
    data: &'info [u8],
) -> anchor_lang::Result<()> {
    if *program_id != crate::ID {
        return Err(ErrorCode::DeclaredProgramIdMismatch.into());
    }
    if let Some(arguments) = data.strip_prefix(instruction::CreateToken::DISCRIMINATOR) {
        return create_token(program_id, accounts, arguments);
    }
    if let Some(arguments) = data.strip_prefix(instruction::AdminSetProperties::DISCRIMINATOR) {
        return admin_set_properties(program_id, accounts, arguments);
    }
    Err(ErrorCode::InstructionFallbackNotFound.into())
}
