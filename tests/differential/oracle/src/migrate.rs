use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount};

use crate::addresses::{is_curve_of, is_vault_of};
use bonding_curve::{
    constants::{FEE_RECEIVER, TOKEN_OWNER_SEED},
    error::BondingCurveError,
    records::MigrateRecord,
    state::TokenOwnerData,
};

#[derive(Accounts)]
#[instruction(pda_token_nonce: u8)]
pub struct Migrate<'info> {
    /// CHECK: only its address is used. The curve account is derived from it.
    pub token_mint: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
    /// The curve of `token_mint`.
    #[account(
        mut,
        constraint = is_curve_of(token_mint.key, pda_token_nonce, &token_owner_pda.key())
            @ BondingCurveError::BondingCurveDoesNotMatchMint,
    )]
    pub token_owner_pda: Account<'info, TokenOwnerData>,
    /// The fee receiver: authorises the migration and receives the SOL.
    #[account(mut, address = FEE_RECEIVER @ BondingCurveError::WrongFeeReceiver)]
    pub fee_account: Signer<'info>,
    /// CHECK: must be the vault's address. A migration happens once, so tokens left in the vault would be lost.
    #[account(
        mut,
        constraint = is_vault_of(&token_owner_pda.key(), token_mint.key, token_owner_token_account.key)
            @ BondingCurveError::BondingCurveDoesNotMatchMint,
    )]
    pub token_owner_token_account: UncheckedAccount<'info>,
    /// The fee receiver's token account of this mint.
    #[account(mut, token::mint = token_mint, token::authority = fee_account)]
    pub fee_token_account: Account<'info, TokenAccount>,
}

impl Migrate<'_> {
    pub fn run(&mut self, pda_token_nonce: u8) -> Result<()> {
        let curve = &mut self.token_owner_pda;
        match curve.initialized {
            TokenOwnerData::FINALIZED => {}
            TokenOwnerData::TRADING => return err!(BondingCurveError::NotReadyToMigrate),
            _ => return err!(BondingCurveError::LogicalError),
        }
        curve.initialized = TokenOwnerData::MIGRATED;
        curve.invariant()?;

        let token_amount = token::accessor::amount(&self.token_owner_token_account)?;
        self.send_tokens(pda_token_nonce, token_amount)?;
        let sol_amount = self.pay_out()?;
        emit!(MigrateRecord {
            mint: self.token_mint.key(),
            fee_account: self.fee_account.key(),
            sol_amount,
            token_amount,
            timestamp: Clock::get()?.unix_timestamp,
        });
        Ok(())
    }

    fn send_tokens(&self, pda_token_nonce: u8, amount: u64) -> Result<()> {
        let accounts = token::Transfer {
            from: self.token_owner_token_account.to_account_info(),
            to: self.fee_token_account.to_account_info(),
            authority: self.token_owner_pda.to_account_info(),
        };
        let seeds: &[&[u8]] = &[TOKEN_OWNER_SEED, self.token_mint.key.as_ref(), &[pda_token_nonce]];
        token::transfer(CpiContext::new_with_signer(token::ID, accounts, &[seeds]), amount)
    }

    /// Moves every lamport above the rent to the fee receiver and returns how many.
    fn pay_out(&self) -> Result<u64> {
        let rent = Rent::get()?.minimum_balance(TokenOwnerData::SIZE);
        let lamports = self.token_owner_pda.get_lamports().checked_sub(rent).ok_or(BondingCurveError::LogicalError)?;
        self.token_owner_pda.sub_lamports(lamports)?;
        self.fee_account.add_lamports(lamports)?;
        Ok(lamports)
    }
}
