//! Every check that the hot instructions make on an account, each with the reason for it.
//!
//! Anchor first takes all accounts in order, checking what their types say, then the constraints in order. The
//! instructions here call these functions in that same order.

use std::slice::IterMut;

use anchor_lang::{error::ErrorCode, system_program, Discriminator};
use anchor_spl::token;
use bytemuck::Pod;
use pinocchio::{address::address_eq, error::ProgramError, AccountView, Address};

use super::{
    layout::{Settings, TokenAccount},
    refusal, require, Result,
};
use crate::{
    constants::{FEE_RECEIVER, LOGGING_AUTHORITY_ADDRESS, PROPERTIES_ADDRESS},
    error::BondingCurveError,
    pda,
    state::{Properties, TokenOwnerData},
};

/// The accounts of an instruction, taken one after another.
pub struct Accounts<'a>(pub IterMut<'a, AccountView>);

impl<'a> Accounts<'a> {
    /// Any account: it is checked by its address, or by a program that is called with it.
    #[inline(always)]
    pub fn any(&mut self) -> Result<&'a mut AccountView> {
        self.0.next().ok_or_else(|| refusal(ErrorCode::AccountNotEnoughKeys))
    }

    /// Who pays or vouches must have signed the transaction.
    #[inline(always)]
    pub fn signer(&mut self) -> Result<&'a mut AccountView> {
        let account = self.any()?;
        require(account.is_signer(), ErrorCode::AccountNotSigner)?;
        Ok(account)
    }

    /// Another program would get the signatures that are passed on to this one.
    #[inline(always)]
    pub fn program(&mut self, address: &Address) -> Result<()> {
        let account = self.any()?;
        require(address_eq(account.address(), address), ErrorCode::InvalidProgramId)?;
        require(account.executable(), ErrorCode::InvalidProgramExecutable)
    }

    /// Only this program writes such an account, and only `create_token` makes one.
    #[inline(always)]
    pub fn curve(&mut self) -> Result<&'a mut AccountView> {
        let account = self.any()?;
        require_owned_by(account, &crate::ID)?;
        require_discriminator(account, TokenOwnerData::DISCRIMINATOR)?;
        Ok(account)
    }

    /// There is one such account: `admin_set_properties` makes it, at this address. What else is wrong with any other
    /// decides the error.
    #[inline(always)]
    pub fn settings(&mut self) -> Result<&'a Settings> {
        let account = self.any()?;
        if !address_eq(account.address(), &PROPERTIES_ADDRESS) || account.data_len() != Properties::SIZE {
            require_owned_by(account, &crate::ID)?;
            require_discriminator(account, Properties::DISCRIMINATOR)?;
            return Err(refusal(ErrorCode::ConstraintAddress));
        }
        view(account)
    }

    /// Only the token program writes such an account. Its mints and multisigs have other lengths.
    #[inline(always)]
    pub fn token_account(&mut self) -> Result<&'a mut AccountView> {
        let account = self.any()?;
        require_owned_by(account, &token::ID)?;
        if view::<TokenAccount>(account)?.state == TokenAccount::UNINITIALIZED {
            return Err(ProgramError::UninitializedAccount);
        }
        Ok(account)
    }
}

/// Bytes mean something only where the program that owns the account wrote them.
#[inline(always)]
fn require_owned_by(account: &AccountView, program: &Address) -> Result<()> {
    if address_eq(&account.owner(), program) {
        return Ok(());
    }
    let nothing = account.owned_by(&system_program::ID) && account.lamports() == 0;
    let error = if nothing { ErrorCode::AccountNotInitialized } else { ErrorCode::AccountOwnedByWrongProgram };
    Err(refusal(error))
}

/// Tells this program's kinds of account apart, and a blank one that anybody assigned to it.
#[inline(always)]
fn require_discriminator(account: &AccountView, discriminator: &[u8]) -> Result<()> {
    let found = data(account).get(..discriminator.len());
    require(found.is_some(), ErrorCode::AccountDiscriminatorNotFound)?;
    require(found == Some(discriminator), ErrorCode::AccountDiscriminatorMismatch)
}

/// What an instruction changes, the transaction must have declared.
#[inline(always)]
pub fn require_writable(account: &AccountView) -> Result<()> {
    require(account.is_writable(), ErrorCode::ConstraintMut)
}

/// This program is called, to log a record.
#[inline(always)]
pub fn require_this_program(account: &AccountView) -> Result<()> {
    require(address_eq(account.address(), &crate::ID), ErrorCode::ConstraintAddress)
}

/// Only this program can make the log authority sign, so only it can log a record.
#[inline(always)]
pub fn require_log_authority(account: &AccountView) -> Result<()> {
    require(address_eq(account.address(), &LOGGING_AUTHORITY_ADDRESS), ErrorCode::ConstraintAddress)
}

/// The platform's money goes to the platform.
#[inline(always)]
pub fn require_fee_receiver(account: &AccountView) -> Result<()> {
    require_writable(account)?;
    require(address_eq(account.address(), &FEE_RECEIVER), BondingCurveError::WrongFeeReceiver)
}

/// Tokens of this mint that belong to who signed: nobody trades into or out of another's account.
#[inline(always)]
pub fn require_tokens_of(owner: &AccountView, mint: &AccountView, tokens: &AccountView) -> Result<()> {
    require_writable(tokens)?;
    let tokens = view::<TokenAccount>(tokens)?;
    require(address_eq(&tokens.owner, owner.address()), ErrorCode::ConstraintTokenOwner)?;
    require(address_eq(&tokens.mint, mint.address()), ErrorCode::ConstraintTokenMint)
}

/// Tokens that are bought come from any token account of the curve: it is debited, so none can run short unnoticed.
#[inline(always)]
pub fn require_tokens_of_curve(curve: &AccountView, mint: &AccountView, tokens: &AccountView) -> Result<()> {
    require_writable(tokens)?;
    let tokens = view::<TokenAccount>(tokens)?;
    let matches = address_eq(&tokens.owner, curve.address()) && address_eq(&tokens.mint, mint.address());
    require(matches, BondingCurveError::BondingCurveDoesNotMatchMint)
}

/// The price is that of the tokens: no curve sells another's.
#[inline(always)]
pub fn require_curve_of(mint: &AccountView, nonce: u8, curve: &AccountView) -> Result<()> {
    let matches = pda::is_curve_of(mint.address(), nonce, curve.address());
    require(matches, BondingCurveError::BondingCurveDoesNotMatchMint)
}

/// Tokens that are sold go to the vault: in another account of the curve they would be missing from it.
#[inline(always)]
pub fn require_vault_of(curve: &AccountView, mint: &AccountView, vault: &AccountView) -> Result<()> {
    let matches = pda::is_vault_of(curve.address(), mint.address(), vault.address());
    require(matches, BondingCurveError::BondingCurveDoesNotMatchMint)
}

/// The data of an account by its layout, of exactly that length.
#[inline(always)]
pub fn view<T: Pod>(account: &AccountView) -> Result<&T> {
    bytemuck::try_from_bytes(data(account)).map_err(|_| ProgramError::InvalidAccountData)
}

/// `view`, to be changed.
#[allow(unsafe_code)]
#[inline(always)]
pub fn view_mut<T: Pod>(account: &mut AccountView) -> Result<&mut T> {
    // SAFETY: no other reference into the data of this account may live. Each instruction changes the curve's alone,
    // which is `data` of no other account: it has an address, an owner and a discriminator of its own. The differential
    // test, which passes accounts twice, would see the two builds differ.
    let data = unsafe { account.borrow_unchecked_mut() };
    bytemuck::try_from_bytes_mut(data).map_err(|_| ProgramError::InvalidAccountData)
}

#[allow(unsafe_code)]
#[inline(always)]
fn data(account: &AccountView) -> &[u8] {
    // SAFETY: nobody may change the data while it is looked at: see `view_mut`, and no view is used after another program
    // was called. The differential test would see old bytes.
    unsafe { account.borrow_unchecked() }
}

/// Lamports that the curve account, this program's own, has given: no call is needed. To come after all calls, as the
/// runtime wants balances to add up at each of them.
#[inline(always)]
pub fn credit(account: &mut AccountView, lamports: u64) -> Result<()> {
    account.set_lamports(account.lamports().checked_add(lamports).ok_or(ProgramError::ArithmeticOverflow)?);
    Ok(())
}
