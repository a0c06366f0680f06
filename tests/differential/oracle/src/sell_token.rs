use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount};

use crate::addresses::{is_curve_of, is_vault_of};
use bonding_curve::{
    constants::{FEE_RECEIVER, LOGGING_AUTHORITY_ADDRESS, PROPERTIES_ADDRESS},
    curve,
    error::BondingCurveError,
    records::{self, TradeRecord},
    state::{Properties, TokenOwnerData},
};

#[derive(Accounts)]
#[instruction(pda_token_nonce: u8)]
pub struct SellToken<'info> {
    /// The trader: receives the SOL, owns `user_token_account`.
    #[account(mut)]
    pub payer_account: Signer<'info>,
    pub token_program: Program<'info, Token>,
    /// The curve of `token_mint`.
    #[account(
        mut,
        constraint = is_curve_of(token_mint.key, pda_token_nonce, &token_owner_pda.key())
            @ BondingCurveError::BondingCurveDoesNotMatchMint,
    )]
    pub token_owner_pda: Account<'info, TokenOwnerData>,
    /// CHECK: only its address is used. The curve account is derived from it.
    pub token_mint: UncheckedAccount<'info>,
    /// CHECK: must be the vault's address. Tokens sold into another account of the curve would be missing in it.
    #[account(
        mut,
        constraint = is_vault_of(&token_owner_pda.key(), token_mint.key, owner_token_account.key)
            @ BondingCurveError::BondingCurveDoesNotMatchMint,
    )]
    pub owner_token_account: UncheckedAccount<'info>,
    /// The trader's token account of this mint.
    #[account(mut, token::mint = token_mint, token::authority = payer_account)]
    pub user_token_account: Account<'info, TokenAccount>,
    /// CHECK: the fee receiver this program was built with.
    #[account(mut, address = FEE_RECEIVER @ BondingCurveError::WrongFeeReceiver)]
    pub fee_account: UncheckedAccount<'info>,
    /// CHECK: this program, for the call that logs the record.
    #[account(address = bonding_curve::ID)]
    pub program_account: UncheckedAccount<'info>,
    #[account(address = PROPERTIES_ADDRESS)]
    pub properties_account: Account<'info, Properties>,
    /// CHECK: the PDA that signs log records.
    #[account(address = LOGGING_AUTHORITY_ADDRESS)]
    pub log_authority_account: UncheckedAccount<'info>,
}

impl SellToken<'_> {
    pub fn run(&mut self, token_to_spend: u64, min_sol_to_receive: u64, logging_account_bump: u8) -> Result<()> {
        let curve = &mut self.token_owner_pda;
        curve.require_trading()?;
        let sell =
            curve::sell(curve.reserves(), self.properties_account.platform_fee_bps, token_to_spend, min_sol_to_receive)
                .map_err(BondingCurveError::from)?;

        curve.set_reserves(sell.reserves);
        curve.invariant()?;

        self.take_tokens(token_to_spend)?;
        records::log_record(
            &TradeRecord {
                mint: self.token_mint.key(),
                trader: self.payer_account.key(),
                is_buy: false,
                sol_amount: sell.sol_out,
                token_amount: token_to_spend,
                fee: sell.fee,
                virtual_sol: sell.reserves.virtual_sol,
                virtual_token: sell.reserves.virtual_token,
                finalized: false,
                timestamp: Clock::get()?.unix_timestamp,
            },
            &self.log_authority_account,
            logging_account_bump,
        )?;
        self.pay_out(&sell)
    }

    fn take_tokens(&self, amount: u64) -> Result<()> {
        let accounts = token::Transfer {
            from: self.user_token_account.to_account_info(),
            to: self.owner_token_account.to_account_info(),
            authority: self.payer_account.to_account_info(),
        };
        token::transfer(CpiContext::new(token::ID, accounts), amount)
    }

    /// Changes lamports directly, because the program owns the curve account. Runs after all CPIs: the runtime checks
    /// the sum of balances at each CPI.
    fn pay_out(&self, sell: &curve::Sell) -> Result<()> {
        let rent = Rent::get()?.minimum_balance(TokenOwnerData::SIZE);
        let left = self.token_owner_pda.get_lamports().checked_sub(sell.gross);
        require!(left.is_some_and(|lamports| lamports >= rent), BondingCurveError::LogicalError);
        self.token_owner_pda.sub_lamports(sell.gross)?;
        self.payer_account.add_lamports(sell.sol_out)?;
        self.fee_account.add_lamports(sell.fee)?;
        Ok(())
    }
}
