//! The entry point: hands each instruction to its handler.

use std::{mem::MaybeUninit, slice};

use anchor_lang::{
    error::ErrorCode,
    solana_program::entrypoint::{custom_heap_default, custom_panic_default, SUCCESS},
};
use curvekit_interface::instructions::discriminators::{GRADUATE, SWEEP, VALIDATE_LOG_RECORD};
use pinocchio::{address::address_eq, entrypoint::deserialize, AccountView, Address};

use crate::{
    instructions::{graduate, sweep, validate_log_record, GRADUATE_ACCOUNTS},
    refusal::{refusal, require, Result},
};

custom_heap_default!();
custom_panic_default!();

/// # Safety
/// `input` is the buffer in which the runtime passes an instruction.
#[allow(unsafe_code)]
#[no_mangle]
pub unsafe extern "C" fn entrypoint(input: *mut u8) -> u64 {
    // Accounts beyond those of the instruction that has most are ignored, as by Anchor.
    let mut views = [const { MaybeUninit::<AccountView>::uninit() }; GRADUATE_ACCOUNTS];
    // SAFETY: the runtime's buffer is what this function reads.
    let (program_id, count, data) = unsafe { deserialize::<GRADUATE_ACCOUNTS>(input, &mut views) };
    // SAFETY: the call above initialised the first `count` views. The tests with too few accounts would break.
    let accounts = unsafe { slice::from_raw_parts(views.as_ptr().cast::<AccountView>(), count) };
    match handle(program_id, accounts, data) {
        Ok(()) => SUCCESS,
        Err(error) => error.into(),
    }
}

#[inline(always)]
fn handle(program_id: &Address, accounts: &[AccountView], data: &[u8]) -> Result<()> {
    require(address_eq(program_id, &crate::ID), ErrorCode::DeclaredProgramIdMismatch)?;
    match data.split_first_chunk() {
        Some((&GRADUATE, arguments)) => graduate(accounts, arguments),
        Some((&SWEEP, _)) => sweep(accounts),
        Some((&VALIDATE_LOG_RECORD, _)) => validate_log_record(accounts),
        _ => Err(refusal(ErrorCode::InstructionFallbackNotFound)),
    }
}
