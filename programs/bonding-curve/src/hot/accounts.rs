//! Every check that the hot instructions make on an account, each with the reason for it.
//!
//! Anchor first takes all accounts in order, checking what their types say, then the constraints in order. The
//! instructions here call these functions in that same order.

use std::slice::IterMut;

use anchor_lang::{error::ErrorCode, system_program, Discriminator};
use anchor_spl::token;
use pinocchio::{address::address_eq, error::ProgramError, AccountView, Address};

use super::{
    layout::{data, view, TokenAccount},
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

    /// A curve: only `create_token` makes one, and only trades and migrations change it.
    #[inline(always)]
    pub fn curve(&mut self) -> Result<&'a mut AccountView> {
        self.own(TokenOwnerData::DISCRIMINATOR, TokenOwnerData::SIZE)
    }

    /// The settings: only `admin_set_properties` makes and changes them.
    #[inline(always)]
    pub fn settings(&mut self) -> Result<&'a mut AccountView> {
        self.own(Properties::DISCRIMINATOR, Properties::SIZE)
    }

    /// Only this program writes its accounts; the discriminator tells their kinds, and a blank one, apart.
    #[inline(always)]
    fn own(&mut self, discriminator: &[u8], size: usize) -> Result<&'a mut AccountView> {
        let account = self.any()?;
        require_owned_by(account, &crate::ID)?;
        data(account, |data| {
            let found = data.get(..discriminator.len());
            require(found.is_some(), ErrorCode::AccountDiscriminatorNotFound)?;
            require(found == Some(discriminator), ErrorCode::AccountDiscriminatorMismatch)?;
            require(data.len() == size, ErrorCode::AccountDidNotDeserialize)
        })?;
        Ok(account)
    }

    /// Only the token program writes such an account. Its mints and multisigs have other lengths.
    #[inline(always)]
    pub fn token_account(&mut self) -> Result<&'a mut AccountView> {
        let account = self.any()?;
        require_owned_by(account, &token::ID)?;
        if view(account, |tokens: &TokenAccount| tokens.state == TokenAccount::UNINITIALIZED)? {
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

/// What an instruction changes, the transaction must have declared.
#[inline(always)]
pub fn require_writable(account: &AccountView) -> Result<()> {
    require(account.is_writable(), ErrorCode::ConstraintMut)
}

/// There is one settings account: a copy, even a well-formed one, must not set the fee.
#[inline(always)]
pub fn require_settings(account: &AccountView) -> Result<()> {
    require(address_eq(account.address(), &PROPERTIES_ADDRESS), ErrorCode::ConstraintAddress)
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
    view(tokens, |tokens: &TokenAccount| {
        require(address_eq(&tokens.owner, owner.address()), ErrorCode::ConstraintTokenOwner)?;
        require(address_eq(&tokens.mint, mint.address()), ErrorCode::ConstraintTokenMint)
    })?
}

/// The price is that of the tokens: no curve sells another's.
#[inline(always)]
pub fn require_curve_of(mint: &AccountView, nonce: u8, curve: &AccountView) -> Result<()> {
    let matches = pda::is_curve_of(mint.address(), nonce, curve.address());
    require(matches, BondingCurveError::BondingCurveDoesNotMatchMint)
}

/// Tokens move between a trader and the vault: in another account of the curve they would be missing from it.
#[inline(always)]
pub fn require_vault_of(curve: &AccountView, mint: &AccountView, vault: &AccountView) -> Result<()> {
    let matches = pda::is_vault_of(curve.address(), mint.address(), vault.address());
    require(matches, BondingCurveError::BondingCurveDoesNotMatchMint)
}
