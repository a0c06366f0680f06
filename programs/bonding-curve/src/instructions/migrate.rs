use anchor_lang::{error::ErrorCode, prelude::*};
use anchor_spl::token::{self, Token, TokenAccount};
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
    views::{change, view, TokenAccountView, TokenOwnerDataView},
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
        let [mint, token_program, mut curve, mut fee_account, vault, fee_tokens] = named(
            accounts,
            &[
                "token_mint",
                "token_program",
                "token_owner_pda",
                "fee_account",
                "token_owner_token_account",
                "fee_token_account",
            ],
        )?;

        fee_account.require_signer()?;
        token_program.require_program(&token::ID)?;
        curve.require_curve_of(&mint, nonce[0])?;
        vault.require_vault_of(&curve, &mint)?;
        fee_account.require_fee_receiver()?;
        fee_tokens.require_tokens_of(&fee_account, &mint)?;

        change(&mut curve, |curve: &mut TokenOwnerDataView| {
            require(curve.initialized != TokenOwnerData::TRADING, BondingCurveError::NotReadyToMigrate)?;
            require(curve.initialized == TokenOwnerData::FINALIZED, BondingCurveError::LogicalError)?;
            curve.initialized = TokenOwnerData::MIGRATED;
            curve.require_invariant()
        })?;
        let token_amount = view(&vault, TokenAccountView::amount)?;
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
