//! Calls of other programs. Pinocchio's checked calls compare every account with its instruction, which costs a graduation two
//! thousand compute units.

use std::mem::MaybeUninit;

use curvekit_interface::instructions::Role;
use pinocchio::{
    cpi::{invoke_signed_unchecked, CpiAccount, Signer},
    instruction::{InstructionAccount, InstructionView},
    AccountView, Address,
};
use pinocchio_token::instructions::Batch;

use crate::refusal::Result;

/// Accounts of the longest batch, and its bytes.
const MOST_ACCOUNTS: usize = 20;
const MOST_BYTES: usize = 125;

#[allow(unsafe_code)]
#[inline(always)]
pub fn call<const N: usize>(
    program_id: &Address,
    data: &[u8],
    accounts: [(&AccountView, Role); N],
    signers: &[Signer],
) {
    let metas = accounts.map(|(account, role)| InstructionAccount::new(account.address(), role.writable, role.signer));
    let views = accounts.map(|(account, _)| CpiAccount::from(account));
    // SAFETY: the call may change no data that is being looked at. `checks.rs` and `terms` copy what they read.
    unsafe { invoke_signed_unchecked(&InstructionView { program_id, data, accounts: &metas }, &views, signers) }
}

/// Several instructions of the token program in one call: a call of its own for each costs a thousand compute units more.
#[allow(unsafe_code)]
#[inline(always)]
pub fn call_token_program<'a>(
    signers: &[Signer],
    instructions: impl FnOnce(&mut Batch<'a, '_>) -> Result<()>,
) -> Result<()> {
    let mut data = [const { MaybeUninit::uninit() }; MOST_BYTES];
    let mut metas = [const { MaybeUninit::uninit() }; MOST_ACCOUNTS];
    let mut views = [const { MaybeUninit::uninit() }; MOST_ACCOUNTS];
    let mut batch = Batch::new(&mut data, &mut metas, &mut views)?;
    instructions(&mut batch)?;
    // SAFETY: as above.
    unsafe { batch.invoke_signed_unchecked(signers) }
}
