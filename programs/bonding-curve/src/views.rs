//! Accounts as they lie in memory: fields of bytes only, so that there is no padding and no alignment to care for. The
//! tests compare each view with what Anchor or the token program writes.

#[cfg(test)]
mod tests;

use bytemuck::{Pod, Zeroable};
use pinocchio::{error::ProgramError, AccountView, Address};

use crate::{
    curve::Reserves,
    error::BondingCurveError,
    refusal::{require, Result},
    state::TokenOwnerData,
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

/// Changes the data of an account by its layout.
#[inline(always)]
pub fn change<T: Pod, R>(account: &mut AccountView, change: impl FnOnce(&mut T) -> Result<R>) -> Result<R> {
    let mut data = account.try_borrow_mut()?;
    bytemuck::try_from_bytes_mut(&mut data).map_err(|_| ProgramError::InvalidAccountData).and_then(change)
}

/// A `TokenOwnerData`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct TokenOwnerDataView {
    discriminator: [u8; 8],
    pub initialized: u8,
    virtual_sol: [u8; 8],
    virtual_token: [u8; 8],
    after_migration_fee: [u8; 2],
    after_migration_burn_bp: [u8; 2],
}

impl TokenOwnerDataView {
    #[inline(always)]
    pub fn reserves(&self) -> Reserves {
        Reserves {
            virtual_sol: u64::from_le_bytes(self.virtual_sol),
            virtual_token: u64::from_le_bytes(self.virtual_token),
        }
    }

    #[inline(always)]
    pub fn set_reserves(&mut self, reserves: Reserves) {
        self.virtual_sol = reserves.virtual_sol.to_le_bytes();
        self.virtual_token = reserves.virtual_token.to_le_bytes();
    }

    /// `TokenOwnerData::invariant`.
    #[inline(always)]
    pub fn require_invariant(&self) -> Result<()> {
        require(TokenOwnerData::holds(self.initialized, self.reserves()), BondingCurveError::LogicalError)
    }
}

/// The `Properties`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct PropertiesView {
    discriminator: [u8; 8],
    initialized: u8,
    bump: u8,
    initial_virtual_sol: [u8; 8],
    initial_virtual_token: [u8; 8],
    platform_fee_bps: [u8; 2],
}

impl PropertiesView {
    #[inline(always)]
    pub fn platform_fee_bps(&self) -> u16 {
        u16::from_le_bytes(self.platform_fee_bps)
    }
}

/// An SPL token account.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct TokenAccountView {
    pub mint: Address,
    pub owner: Address,
    amount: [u8; 8],
    delegate: [u8; 36],
    pub state: u8,
    is_native: [u8; 12],
    delegated_amount: [u8; 8],
    close_authority: [u8; 36],
}

impl TokenAccountView {
    pub const UNINITIALIZED: u8 = 0;

    #[inline(always)]
    pub fn amount(&self) -> u64 {
        u64::from_le_bytes(self.amount)
    }
}

/// An SPL mint.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct MintView {
    has_mint_authority: [u8; 4],
    mint_authority: Address,
    supply: [u8; 8],
    decimals: u8,
    is_initialized: u8,
    has_freeze_authority: [u8; 4],
    freeze_authority: Address,
}

impl MintView {
    pub fn supply(&self) -> u64 {
        u64::from_le_bytes(self.supply)
    }

    /// Whether nobody can issue more, or freeze what was issued.
    pub fn has_no_authority(&self) -> bool {
        self.has_mint_authority == [0; 4] && self.has_freeze_authority == [0; 4]
    }
}
