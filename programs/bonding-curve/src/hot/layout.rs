//! Accounts and instruction data as they lie in memory: fields of bytes only, so that there is no padding and no
//! alignment to care for. The tests compare each with what Anchor writes or reads.

#[cfg(test)]
mod tests;

use anchor_lang::error::ErrorCode;
use bytemuck::{Pod, Zeroable};
use pinocchio::{error::ProgramError, AccountView, Address};

use super::{refusal, require, Result};
use crate::{curve::Reserves, error::BondingCurveError, state::TokenOwnerData};

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

/// The arguments of `buy_token` and of `sell_token`. Anchor ignores bytes behind them, and so do these.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct TradeArguments {
    pub pda_token_nonce: u8,
    amount: [u8; 8],
    minimum: [u8; 8],
    pub logging_account_bump: u8,
}

impl TradeArguments {
    #[inline(always)]
    pub fn read(arguments: &[u8]) -> Result<&Self> {
        let bytes = arguments.get(..size_of::<Self>()).and_then(|bytes| bytemuck::try_from_bytes(bytes).ok());
        bytes.ok_or_else(|| refusal(ErrorCode::InstructionDidNotDeserialize))
    }

    #[inline(always)]
    pub fn amount(&self) -> u64 {
        u64::from_le_bytes(self.amount)
    }

    #[inline(always)]
    pub fn minimum(&self) -> u64 {
        u64::from_le_bytes(self.minimum)
    }
}

/// The account of a `TokenOwnerData`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct Curve {
    discriminator: [u8; 8],
    pub initialized: u8,
    virtual_sol: [u8; 8],
    virtual_token: [u8; 8],
    after_migration_fee: [u8; 2],
    after_migration_burn_bp: [u8; 2],
}

impl Curve {
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

/// The account of the `Properties`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct Settings {
    discriminator: [u8; 8],
    initialized: u8,
    bump: u8,
    initial_virtual_sol: [u8; 8],
    initial_virtual_token: [u8; 8],
    platform_fee_bps: [u8; 2],
}

impl Settings {
    #[inline(always)]
    pub fn platform_fee_bps(&self) -> u16 {
        u16::from_le_bytes(self.platform_fee_bps)
    }
}

/// The account of an SPL token account.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct TokenAccount {
    pub mint: Address,
    pub owner: Address,
    amount: [u8; 8],
    delegate: [u8; 36],
    pub state: u8,
    is_native: [u8; 12],
    delegated_amount: [u8; 8],
    close_authority: [u8; 36],
}

impl TokenAccount {
    pub const UNINITIALIZED: u8 = 0;

    #[inline(always)]
    pub fn amount(&self) -> u64 {
        u64::from_le_bytes(self.amount)
    }
}
