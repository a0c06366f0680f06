//! The accounts of the hot instructions, each taken with the checks of its type, and the reason for each check.
//!
//! Anchor first takes all accounts in order, checking what their types say, then the constraints in order
//! (`constraints.rs`). The instructions here do it in that same order.

use std::{
    ops::{Deref, DerefMut},
    slice::IterMut,
};

use anchor_lang::{
    error::{Error, ErrorCode},
    system_program, Discriminator,
};
use anchor_spl::token;
use pinocchio::{address::address_eq, error::ProgramError, AccountView, Address};

use super::{
    layout::{data, view, TokenAccount},
    refusal_of, Result,
};
use crate::state::{Properties, TokenOwnerData};

/// An account by its name in the interface, which the log states where something is wrong with it.
pub struct Account<'a> {
    view: &'a mut AccountView,
    name: &'static str,
}

impl Account<'_> {
    #[inline(always)]
    pub fn require(&self, holds: bool, error: impl Into<Error>) -> Result<()> {
        if holds {
            Ok(())
        } else {
            Err(refusal_of(self.name, error))
        }
    }
}

impl Deref for Account<'_> {
    type Target = AccountView;

    #[inline(always)]
    fn deref(&self) -> &AccountView {
        self.view
    }
}

impl DerefMut for Account<'_> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut AccountView {
        self.view
    }
}

/// The accounts of an instruction, taken one after another.
pub struct Accounts<'a>(pub IterMut<'a, AccountView>);

impl<'a> Accounts<'a> {
    /// Any account: it is checked by its address, or by a program that is called with it.
    #[inline(always)]
    pub fn any(&mut self, name: &'static str) -> Result<Account<'a>> {
        match self.0.next() {
            Some(view) => Ok(Account { view, name }),
            None => Err(refusal_of(name, ErrorCode::AccountNotEnoughKeys)),
        }
    }

    /// Who pays or vouches must have signed the transaction.
    #[inline(always)]
    pub fn signer(&mut self, name: &'static str) -> Result<Account<'a>> {
        let account = self.any(name)?;
        account.require(account.is_signer(), ErrorCode::AccountNotSigner)?;
        Ok(account)
    }

    /// Another program would get the signatures that are passed on to this one.
    #[inline(always)]
    pub fn program(&mut self, name: &'static str, address: &Address) -> Result<()> {
        let account = self.any(name)?;
        account.require(address_eq(account.address(), address), ErrorCode::InvalidProgramId)?;
        account.require(account.executable(), ErrorCode::InvalidProgramExecutable)
    }

    /// A curve: only `create_token` makes one, and only trades and migrations change it.
    #[inline(always)]
    pub fn curve(&mut self, name: &'static str) -> Result<Account<'a>> {
        self.own(name, TokenOwnerData::DISCRIMINATOR, TokenOwnerData::SIZE)
    }

    /// The settings: only `admin_set_properties` makes and changes them.
    #[inline(always)]
    pub fn settings(&mut self, name: &'static str) -> Result<Account<'a>> {
        self.own(name, Properties::DISCRIMINATOR, Properties::SIZE)
    }

    /// Only this program writes its accounts; the discriminator tells their kinds, and a blank one, apart.
    #[inline(always)]
    fn own(&mut self, name: &'static str, discriminator: &[u8], size: usize) -> Result<Account<'a>> {
        let account = self.any(name)?;
        require_owned_by(&account, &crate::ID)?;
        data(&account, |data| {
            let found = data.get(..discriminator.len());
            account.require(found.is_some(), ErrorCode::AccountDiscriminatorNotFound)?;
            account.require(found == Some(discriminator), ErrorCode::AccountDiscriminatorMismatch)?;
            account.require(data.len() == size, ErrorCode::AccountDidNotDeserialize)
        })?;
        Ok(account)
    }

    /// Only the token program writes such an account. Its mints and multisigs have other lengths.
    #[inline(always)]
    pub fn token_account(&mut self, name: &'static str) -> Result<Account<'a>> {
        let account = self.any(name)?;
        require_owned_by(&account, &token::ID)?;
        let blank = view(&account, |tokens: &TokenAccount| tokens.state == TokenAccount::UNINITIALIZED)
            .map_err(|error| refusal_of(name, error))?;
        account.require(!blank, ProgramError::UninitializedAccount)?;
        Ok(account)
    }
}

/// Bytes mean something only where the program that owns the account wrote them.
#[inline(always)]
fn require_owned_by(account: &Account, program: &Address) -> Result<()> {
    if address_eq(&account.owner(), program) {
        return Ok(());
    }
    let nothing = account.owned_by(&system_program::ID) && account.lamports() == 0;
    account.require(!nothing, ErrorCode::AccountNotInitialized)?;
    account.require(false, ErrorCode::AccountOwnedByWrongProgram)
}
