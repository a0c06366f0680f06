//! Checks which account it is: by its address, or by the owner of its tokens.

use anchor_lang::error::ErrorCode;
use curvekit_interface::token::TokenAccount;
use pinocchio::address::address_eq;

use super::Account;
use crate::{
    constants::{FEE_RECEIVER, LOGGING_AUTHORITY_ADDRESS, PROPERTIES_ADDRESS},
    error::BondingCurveError,
    pda,
    refusal::Result,
    views::view,
};

impl Account<'_> {
    /// There is one settings account: a copy, even a well-formed one, must not set the fee.
    #[inline(always)]
    pub fn require_properties(&self) -> Result<()> {
        self.require_properties_kind()?;
        self.require(address_eq(self.address(), &PROPERTIES_ADDRESS), ErrorCode::ConstraintAddress)
    }

    /// This program is called, to log a record.
    #[inline(always)]
    pub fn require_this_program(&self) -> Result<()> {
        self.require(address_eq(self.address(), &crate::ID), ErrorCode::ConstraintAddress)
    }

    /// Only this program can make the log authority sign, so only it can log a record.
    #[inline(always)]
    pub fn require_log_authority(&self) -> Result<()> {
        self.require(address_eq(self.address(), &LOGGING_AUTHORITY_ADDRESS), ErrorCode::ConstraintAddress)
    }

    /// The curve account is that of `token_mint`, so the price is that of the tokens.
    #[inline(always)]
    pub fn require_curve_of(&self, mint: &Account, nonce: u8) -> Result<()> {
        self.require_curve()?;
        self.require_writable()?;
        let matches = pda::is_curve_of(mint.address(), nonce, self.address());
        self.require(matches, BondingCurveError::BondingCurveDoesNotMatchMint)
    }

    /// Tokens move between a trader and the vault: in another account of the curve they would be missing from it. At this
    /// address there is never anything but a token account of the curve: nobody else can make or close it.
    #[inline(always)]
    pub fn require_vault_of(&self, curve: &Account, mint: &Account) -> Result<()> {
        self.require_writable()?;
        let matches = pda::is_vault_of(curve.address(), mint.address(), self.address());
        self.require(matches, BondingCurveError::BondingCurveDoesNotMatchMint)
    }

    /// The platform's money goes to the platform.
    #[inline(always)]
    pub fn require_fee_receiver(&self) -> Result<()> {
        self.require_writable()?;
        self.require(address_eq(self.address(), &FEE_RECEIVER), BondingCurveError::WrongFeeReceiver)
    }

    /// A token account of this mint, owned by the signer: nobody trades into or out of another wallet's account.
    #[inline(always)]
    pub fn require_tokens_of(&self, owner: &Account, mint: &Account) -> Result<()> {
        self.require_token_account()?;
        self.require_writable()?;
        view(self, |tokens: &TokenAccount| {
            self.require(address_eq(&tokens.owner, owner.address()), ErrorCode::ConstraintTokenOwner)?;
            self.require(address_eq(&tokens.mint, mint.address()), ErrorCode::ConstraintTokenMint)
        })?
    }
}
