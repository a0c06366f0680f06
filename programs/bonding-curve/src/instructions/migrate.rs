use anchor_lang::{error::ErrorCode, prelude::*};
use anchor_spl::token::{self, Token, TokenAccount};
use curvekit_interface::{accounts::TokenOwnerDataBytes, instructions::MigrateAccounts, token as layouts};
use pinocchio::{
    cpi::{Seed, Signer as Seeds},
    AccountView,
};
use pinocchio_token::instructions::Transfer as TransferTokens;

use crate::{
    checks::named,
    constants::{FEE_RECEIVER, TOKEN_OWNER_SEED},
    error::BondingCurveError,
    lamports,
    records::log_migration,
    refusal::{self, refusal, require},
    rent,
    state::TokenOwnerData,
    views::{layout_mut, require_invariant, view},
};

/// The interface. `run` makes the checks.
#[derive(Accounts)]
pub struct Migrate<'info> {
    /// CHECK: only its address counts; the curve account is derived from it.
    pub token_mint: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
    /// The curve of `token_mint`.
    #[account(mut)]
    pub token_owner_pda: Account<'info, TokenOwnerData>,
    /// The fee receiver: authorises the migration and receives the SOL.
    #[account(mut, address = FEE_RECEIVER)]
    pub fee_account: Signer<'info>,
    /// CHECK: the vault, by its address: a migration happens once, and tokens left in it would stay there.
    #[account(mut)]
    pub token_owner_token_account: UncheckedAccount<'info>,
    /// The fee receiver's token account of this mint.
    #[account(mut, token::mint = token_mint, token::authority = fee_account)]
    pub fee_token_account: Account<'info, TokenAccount>,
}

impl Migrate<'_> {
    pub(crate) fn run(accounts: &mut [AccountView], arguments: &[u8]) -> refusal::Result<()> {
        let nonce = arguments.first_chunk::<1>().ok_or_else(|| refusal(ErrorCode::InstructionDidNotDeserialize))?;
        let MigrateAccounts {
            token_mint: mint,
            token_program,
            token_owner_pda: mut curve,
            mut fee_account,
            token_owner_token_account: vault,
            fee_token_account: fee_tokens,
        } = named(accounts, &MigrateAccounts::NAMES)?.into();

        fee_account.require_signer()?;
        token_program.require_program(&token::ID)?;
        curve.require_curve_of(&mint, nonce[0])?;
        vault.require_vault_of(&curve, &mint)?;
        fee_account.require_fee_receiver()?;
        fee_tokens.require_tokens_of(&fee_account, &mint)?;

        close(&mut curve)?;
        let token_amount = view(&vault, layouts::TokenAccount::amount)?;
        let seeds = [Seed::from(TOKEN_OWNER_SEED), Seed::from(mint.address().as_array()), Seed::from(nonce)];
        TransferTokens::new(&vault, &fee_tokens, &curve, token_amount).invoke_signed(&[Seeds::from(&seeds)])?;

        let rent = rent::exemption(TokenOwnerData::SIZE)?;
        let above_rent = curve.lamports().checked_sub(rent);
        let sol_amount = above_rent.ok_or_else(|| refusal(BondingCurveError::LogicalError))?;
        curve.set_lamports(rent);
        lamports::credit(&mut fee_account, sol_amount)?;
        log_migration(mint.address(), fee_account.address(), sol_amount, token_amount)
    }
}

/// The curve can be migrated once.
#[inline(always)]
fn close(curve: &mut AccountView) -> refusal::Result<()> {
    let mut data = curve.try_borrow_mut()?;
    let curve: &mut TokenOwnerDataBytes = layout_mut(&mut data)?;
    require(curve.initialized != TokenOwnerData::TRADING, BondingCurveError::NotReadyToMigrate)?;
    require(curve.initialized == TokenOwnerData::FINALIZED, BondingCurveError::LogicalError)?;
    curve.initialized = TokenOwnerData::MIGRATED;
    require_invariant(curve)
}
