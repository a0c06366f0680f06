//! Reads accounts in place, without copying them, with the layouts of the interface crate, which have no padding and no
//! alignment. The tests compare each layout with what Anchor or the token program writes.

#[cfg(test)]
mod tests;

use bytemuck::Pod;
use curvekit_interface::accounts::{TokenOwnerData, TokenOwnerDataBytes};
use pinocchio::{error::ProgramError, AccountView};

use crate::{
    error::BondingCurveError,
    refusal::{require, Result},
};

/// Looks at the data of an account by its layout, of exactly that length.
#[inline(always)]
pub fn view<T: Pod, R>(account: &AccountView, look: impl FnOnce(&T) -> R) -> Result<R> {
    data(account, |data| bytemuck::try_from_bytes(data).map(look)).map_err(|_| ProgramError::InvalidAccountData)
}

/// Looks at the data of an account.
#[allow(unsafe_code)]
#[inline(always)]
pub fn data<R>(account: &AccountView, look: impl FnOnce(&[u8]) -> R) -> R {
    // SAFETY: nothing may change the data while it is looked at. The reference cannot outlive `look`, and none that is
    // passed here changes an account or calls a program. The differential test, which passes one account under two names,
    // would see the two builds differ.
    look(unsafe { account.borrow_unchecked() })
}

/// The borrowed data of an account by its layout.
#[inline(always)]
pub fn layout_mut<T: Pod>(data: &mut [u8]) -> Result<&mut T> {
    bytemuck::try_from_bytes_mut(data).map_err(|_| ProgramError::InvalidAccountData)
}

/// `TokenOwnerData::invariant`.
#[inline(always)]
pub fn require_invariant(curve: &TokenOwnerDataBytes) -> Result<()> {
    require(TokenOwnerData::holds(curve.initialized, curve.reserves()), BondingCurveError::LogicalError)
}
