//! The accounts of an instruction: how many there must be, which they must be, what is in them.

use std::mem::offset_of;

use anchor_lang::error::{Error, ErrorCode};
use anchor_spl::token;
use curvekit_interface::token::{Mint, TokenAccount};
use pinocchio::{address::address_eq, AccountView, Address};

use crate::{
    error::GraduationError,
    refusal::{refusal, require_account, Result},
};

/// The accounts of an instruction, in the order of the interface. Further accounts are ignored, as by Anchor.
#[inline(always)]
pub fn named<'a, const N: usize>(
    accounts: &'a [AccountView],
    names: &'static [&'static str; N],
) -> Result<[&'a AccountView; N]> {
    accounts.first_chunk::<N>().map(<[AccountView; N]>::each_ref).ok_or_else(|| {
        let missing = names.get(accounts.len()).copied().unwrap_or_default();
        refusal(Error::from(ErrorCode::AccountNotEnoughKeys).with_account_name(missing))
    })
}

#[inline(always)]
pub fn require_address(account: &AccountView, name: &'static str, address: &Address) -> Result<()> {
    require_account(address_eq(account.address(), address), name, GraduationError::WrongAccount)
}

/// Whether the seeds and the bump derive the account's address. Any bump will do. The costly question whether the address is
/// off the ed25519 curve is left out: nobody has the key to a hash that happens to lie on it.
pub fn is_derived(account: &AccountView, seeds: &[&[u8]; 2], bump: u8, program: &Address) -> bool {
    address_eq(&Address::derive_address(seeds, Some(bump), program), account.address())
}

/// `is_derived`, with the canonical bump only.
pub fn is_canonical(account: &AccountView, seeds: &[&[u8]; 2], bump: u8, program: &Address) -> bool {
    Address::derive_program_address(seeds, program) == Some((*account.address(), bump))
}

/// A number of eight bytes in the data of an account.
pub fn read_u64(account: &AccountView, offset: usize) -> Result<u64> {
    read(account, offset).map(u64::from_le_bytes)
}

/// Bytes in the data of an account. Shorter data: Anchor's `AccountDidNotDeserialize`.
pub fn read<const N: usize>(account: &AccountView, offset: usize) -> Result<[u8; N]> {
    let data = account.try_borrow()?;
    let bytes = data.get(offset..).and_then(|rest| rest.first_chunk::<N>());
    bytes.copied().ok_or_else(|| refusal(ErrorCode::AccountDidNotDeserialize))
}

/// The units in a token account.
pub fn token_amount(account: &AccountView) -> Result<u64> {
    read_u64(account, offset_of!(TokenAccount, amount))
}

/// The units that a mint has issued and nobody has burnt.
pub fn mint_supply(mint: &AccountView) -> Result<u64> {
    read_u64(mint, offset_of!(Mint, supply))
}

/// Whether there is a token account that can receive.
pub fn is_open_token_account(account: &AccountView) -> Result<bool> {
    Ok(account.owned_by(&token::ID)
        && account.data_len() == TokenAccount::SIZE
        && read(account, offset_of!(TokenAccount, state))? == [TokenAccount::INITIALIZED])
}
