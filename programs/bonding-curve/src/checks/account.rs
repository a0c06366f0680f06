//! The accounts of an instruction by name, and the checks that do not depend on the instruction.

use std::ops::{Deref, DerefMut};

use anchor_lang::{
    error::{Error, ErrorCode},
    system_program,
};
use anchor_spl::token;
use curvekit_interface::{
    accounts::{Properties, TokenOwnerData},
    token::TokenAccount,
};
use pinocchio::{address::address_eq, error::ProgramError, AccountView, Address};

use crate::{
    refusal::{refusal_of, Result},
    views::{data, view},
};

/// An account by its name in the interface. The log states the name when the account is refused.
pub struct Account<'a> {
    view: &'a mut AccountView,
    name: &'static &'static str,
}

/// The accounts of an instruction, in the order of the interface. Further accounts are ignored, as by Anchor.
#[inline(always)]
pub fn named<'a, const N: usize>(
    accounts: &'a mut [AccountView],
    names: &'static [&'static str; N],
) -> Result<[Account<'a>; N]> {
    let count = accounts.len();
    let Some(accounts) = accounts.first_chunk_mut::<N>() else {
        return Err(refusal_of(names.get(count).copied().unwrap_or_default(), ErrorCode::AccountNotEnoughKeys));
    };
    let mut names = names.each_ref().into_iter();
    Ok(accounts.each_mut().map(|view| Account { view, name: names.next().unwrap_or(&"") }))
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

    /// The wallet that pays, or the authority, must have signed the transaction.
    #[inline(always)]
    pub fn require_signer(&self) -> Result<()> {
        self.require(self.is_signer(), ErrorCode::AccountNotSigner)
    }

    /// The transaction must mark every account that the instruction changes as writable.
    #[inline(always)]
    pub fn require_writable(&self) -> Result<()> {
        self.require(self.is_writable(), ErrorCode::ConstraintMut)
    }

    /// A call passes on signatures, so it must not reach another program.
    #[inline(always)]
    pub fn require_program(&self, address: &Address) -> Result<()> {
        self.require(address_eq(self.address(), address), ErrorCode::InvalidProgramId)?;
        self.require(self.executable(), ErrorCode::InvalidProgramExecutable)
    }

    /// A curve: only `create_token` makes one, and only trades and migrations change it.
    #[inline(always)]
    pub(super) fn require_curve(&self) -> Result<()> {
        self.require_own(&TokenOwnerData::DISCRIMINATOR, TokenOwnerData::SIZE)
    }

    /// The settings: only `admin_set_properties` makes and changes them.
    #[inline(always)]
    pub(super) fn require_properties_kind(&self) -> Result<()> {
        self.require_own(&Properties::DISCRIMINATOR, Properties::SIZE)
    }

    /// Only this program writes its accounts; the discriminator tells their kinds, and a blank one, apart.
    #[inline(always)]
    fn require_own(&self, discriminator: &[u8], size: usize) -> Result<()> {
        self.require_owned_by(&crate::ID)?;
        data(self, |data| {
            let found = data.get(..discriminator.len());
            self.require(found.is_some(), ErrorCode::AccountDiscriminatorNotFound)?;
            self.require(found == Some(discriminator), ErrorCode::AccountDiscriminatorMismatch)?;
            self.require(data.len() == size, ErrorCode::AccountDidNotDeserialize)
        })
    }

    /// Only the token program writes such an account. Its mints and multisigs have other lengths.
    #[inline(always)]
    pub fn require_token_account(&self) -> Result<()> {
        self.require_owned_by(&token::ID)?;
        let blank = view(self, |tokens: &TokenAccount| tokens.state == TokenAccount::UNINITIALIZED)
            .map_err(|error| refusal_of(self.name, error))?;
        self.require(!blank, ProgramError::UninitializedAccount)
    }

    /// Only its owner writes an account's data, so the owner is checked before the data is read.
    #[inline(always)]
    fn require_owned_by(&self, program: &Address) -> Result<()> {
        if address_eq(&self.owner(), program) {
            return Ok(());
        }
        let nothing = self.owned_by(&system_program::ID) && self.lamports() == 0;
        self.require(!nothing, ErrorCode::AccountNotInitialized)?;
        self.require(false, ErrorCode::AccountOwnedByWrongProgram)
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
