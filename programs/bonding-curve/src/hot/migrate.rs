use anchor_lang::error::ErrorCode;
use anchor_spl::token;
use pinocchio::{
    cpi::{Seed, Signer},
    AccountView,
};
use pinocchio_token::instructions::Transfer as TransferTokens;

use super::{
    accounts::Accounts,
    constraints, lamports,
    layout::{change, view, Curve, TokenAccount},
    records, refusal, require, Result,
};
use crate::{constants::TOKEN_OWNER_SEED, error::BondingCurveError, rent, state::TokenOwnerData};

/// `instructions/migrate.rs`, step by step.
pub fn run(accounts: &mut [AccountView], arguments: &[u8]) -> Result<()> {
    let nonce = arguments.first_chunk::<1>().ok_or_else(|| refusal(ErrorCode::InstructionDidNotDeserialize))?;

    let mut accounts = Accounts(accounts.iter_mut());
    let mint = accounts.any("token_mint")?;
    accounts.program("token_program", &token::ID)?;
    let mut curve = accounts.curve("token_owner_pda")?;
    let mut fee_account = accounts.signer("fee_account")?;
    let vault = accounts.any("token_owner_token_account")?;
    let fee_tokens = accounts.token_account("fee_token_account")?;

    constraints::require_writable(&curve)?;
    constraints::require_fee_receiver(&fee_account)?;
    constraints::require_writable(&vault)?;
    constraints::require_tokens_of(&fee_account, &mint, &fee_tokens)?;
    constraints::require_curve_of(&mint, nonce[0], &curve)?;
    constraints::require_vault_of(&curve, &mint, &vault)?;

    change(&mut curve, |curve: &mut Curve| {
        require(curve.initialized != TokenOwnerData::TRADING, BondingCurveError::NotReadyToMigrate)?;
        require(curve.initialized == TokenOwnerData::FINALIZED, BondingCurveError::LogicalError)?;
        curve.initialized = TokenOwnerData::MIGRATED;
        curve.require_invariant()
    })?;
    let token_amount = view(&vault, TokenAccount::amount)?;
    let seeds = [Seed::from(TOKEN_OWNER_SEED), Seed::from(mint.address().as_array()), Seed::from(nonce)];
    TransferTokens::new(&vault, &fee_tokens, &curve, token_amount).invoke_signed(&[Signer::from(&seeds)])?;

    let above_rent = curve.lamports().checked_sub(rent::exemption(TokenOwnerData::SIZE)?);
    let sol_amount = above_rent.ok_or_else(|| refusal(BondingCurveError::LogicalError))?;
    lamports::debit(&mut curve, sol_amount)?;
    lamports::credit(&mut fee_account, sol_amount)?;
    records::log_migration(mint.address(), fee_account.address(), sol_amount, token_amount)
}
