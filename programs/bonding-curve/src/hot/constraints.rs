//! The constraints that the hot instructions put on accounts, each with the reason for it.

use anchor_lang::error::ErrorCode;
use pinocchio::address::address_eq;

use super::{
    accounts::Account,
    layout::{view, TokenAccount},
    Result,
};
use crate::{
    constants::{FEE_RECEIVER, LOGGING_AUTHORITY_ADDRESS, PROPERTIES_ADDRESS},
    error::BondingCurveError,
    pda,
};

/// What an instruction changes, the transaction must have declared.
#[inline(always)]
pub fn require_writable(account: &Account) -> Result<()> {
    account.require(account.is_writable(), ErrorCode::ConstraintMut)
}

/// There is one settings account: a copy, even a well-formed one, must not set the fee.
#[inline(always)]
pub fn require_settings(account: &Account) -> Result<()> {
    account.require(address_eq(account.address(), &PROPERTIES_ADDRESS), ErrorCode::ConstraintAddress)
}

/// This program is called, to log a record.
#[inline(always)]
pub fn require_this_program(account: &Account) -> Result<()> {
    account.require(address_eq(account.address(), &crate::ID), ErrorCode::ConstraintAddress)
}

/// Only this program can make the log authority sign, so only it can log a record.
#[inline(always)]
pub fn require_log_authority(account: &Account) -> Result<()> {
    account.require(address_eq(account.address(), &LOGGING_AUTHORITY_ADDRESS), ErrorCode::ConstraintAddress)
}

/// The platform's money goes to the platform.
#[inline(always)]
pub fn require_fee_receiver(account: &Account) -> Result<()> {
    require_writable(account)?;
    account.require(address_eq(account.address(), &FEE_RECEIVER), BondingCurveError::WrongFeeReceiver)
}

/// Tokens of this mint that belong to who signed: nobody trades into or out of another's account.
#[inline(always)]
pub fn require_tokens_of(owner: &Account, mint: &Account, account: &Account) -> Result<()> {
    require_writable(account)?;
    view(account, |tokens: &TokenAccount| {
        account.require(address_eq(&tokens.owner, owner.address()), ErrorCode::ConstraintTokenOwner)?;
        account.require(address_eq(&tokens.mint, mint.address()), ErrorCode::ConstraintTokenMint)
    })?
}

/// The price is that of the tokens: no curve sells another's.
#[inline(always)]
pub fn require_curve_of(mint: &Account, nonce: u8, curve: &Account) -> Result<()> {
    let matches = pda::is_curve_of(mint.address(), nonce, curve.address());
    curve.require(matches, BondingCurveError::BondingCurveDoesNotMatchMint)
}

/// Tokens move between a trader and the vault: in another account of the curve they would be missing from it.
#[inline(always)]
pub fn require_vault_of(curve: &Account, mint: &Account, vault: &Account) -> Result<()> {
    let matches = pda::is_vault_of(curve.address(), mint.address(), vault.address());
    vault.require(matches, BondingCurveError::BondingCurveDoesNotMatchMint)
}
