//! The oracle of the differential test: `buy_token`, `sell_token`, `migrate` and `validate_log_record` as plain Anchor
//! handlers. It shares the curve, the state, the records and the other two instructions with the program.

use anchor_lang::prelude::*;
use bonding_curve::ID;

mod addresses;
mod buy_token;
mod migrate;
mod sell_token;
mod validate_log_record;

use buy_token::*;
use migrate::*;
use sell_token::*;
use validate_log_record::*;

#[program]
pub mod oracle {
    use super::*;

    pub fn buy_token(
        ctx: Context<BuyToken>,
        pda_token_nonce: u8,
        sol_to_spend: u64,
        min_token_to_receive: u64,
        logging_account_bump: u8,
    ) -> Result<()> {
        ctx.accounts.run(pda_token_nonce, sol_to_spend, min_token_to_receive, logging_account_bump)
    }

    #[allow(unused_variables)] // the accounts take the nonce
    pub fn sell_token(
        ctx: Context<SellToken>,
        pda_token_nonce: u8,
        token_to_spend: u64,
        min_sol_to_receive: u64,
        logging_account_bump: u8,
    ) -> Result<()> {
        ctx.accounts.run(token_to_spend, min_sol_to_receive, logging_account_bump)
    }

    pub fn migrate(ctx: Context<Migrate>, pda_token_nonce: u8) -> Result<()> {
        ctx.accounts.run(pda_token_nonce)
    }

    pub fn validate_log_record(_ctx: Context<ValidateLogRecord>, logging_account_bump: u8) -> Result<()> {
        ValidateLogRecord::run(logging_account_bump)
    }

    /// Handles every other call with the program's own code, which logs its own errors.
    pub fn fallback<'info>(
        program_id: &'info Pubkey,
        accounts: &'info [AccountInfo<'info>],
        data: &'info [u8],
    ) -> Result<()> {
        Ok(bonding_curve::entry(program_id, accounts, data)?)
    }
}
