use anchor_lang::{error::ErrorCode, system_program};
use anchor_spl::token;
use pinocchio::{
    cpi::{Seed, Signer},
    AccountView,
};
use pinocchio_system::instructions::Transfer as TransferLamports;
use pinocchio_token::instructions::Transfer as TransferTokens;

use super::{
    accounts::Accounts,
    constraints, lamports,
    layout::{change, view, Curve, Settings, TradeArguments},
    records::{Trade, TradeCall},
    refusal, require, Result,
};
use crate::{
    constants::{GRADUATION_VIRTUAL_TOKEN, TOKEN_OWNER_SEED},
    curve::{self, Buy},
    error::BondingCurveError,
    state::TokenOwnerData,
};

/// `instructions/buy_token.rs`, step by step.
pub fn run(accounts: &mut [AccountView], arguments: &[u8]) -> Result<()> {
    let arguments = TradeArguments::read(arguments)?;

    let mut accounts = Accounts(accounts.iter_mut());
    let payer = accounts.signer("payer_account")?;
    accounts.program("system_program", &system_program::ID)?;
    accounts.program("token_program", &token::ID)?;
    let mut curve = accounts.curve("token_owner_pda")?;
    let mint = accounts.any("token_mint")?;
    let vault = accounts.token_account("owner_token_account")?;
    let user_tokens = accounts.token_account("user_token_account")?;
    let mut fee_account = accounts.any("fee_account")?;
    let settings = accounts.settings("properties_account")?;
    let program = accounts.any("program_account")?;
    let log_authority = accounts.any("log_authority_account")?;

    // The third that Anchor compares, the curve, is no token account.
    user_tokens.require(*vault != *user_tokens, ErrorCode::ConstraintDuplicateMutableAccount)?;
    constraints::require_writable(&payer)?;
    constraints::require_writable(&curve)?;
    constraints::require_writable(&vault)?;
    constraints::require_vault_of(&curve, &mint, &vault)?;
    constraints::require_tokens_of(&payer, &mint, &user_tokens)?;
    constraints::require_fee_receiver(&fee_account)?;
    constraints::require_settings(&settings)?;
    constraints::require_this_program(&program)?;
    constraints::require_log_authority(&log_authority)?;
    constraints::require_curve_of(&mint, arguments.pda_token_nonce, &curve)?;

    let buy = trade(&mut curve, &settings, arguments)?;
    let mut record = TradeCall::new(Trade {
        mint: mint.address(),
        trader: payer.address(),
        is_buy: true,
        sol_amount: buy.sol_in(),
        token_amount: buy.token_out,
        fee: buy.fee,
        reserves: buy.reserves,
        finalized: buy.graduates,
    });

    let nonce = [arguments.pda_token_nonce];
    let seeds = [Seed::from(TOKEN_OWNER_SEED), Seed::from(mint.address().as_array()), Seed::from(&nonce)];
    // Price and fee in one call; the fee leaves the curve again at the end.
    TransferLamports { from: &payer, to: &curve, lamports: buy.sol_in() }.invoke()?;
    TransferTokens::new(&vault, &user_tokens, &curve, buy.token_out).invoke_signed(&[Signer::from(&seeds)])?;
    record.log(&log_authority, arguments.logging_account_bump)?;
    lamports::debit(&mut curve, buy.fee)?;
    lamports::credit(&mut fee_account, buy.fee)
}

/// What the buy makes of the curve's state.
#[inline(always)]
fn trade(curve: &mut AccountView, settings: &AccountView, arguments: &TradeArguments) -> Result<Buy> {
    let fee_bps = view(settings, Settings::platform_fee_bps)?;
    change(curve, |curve: &mut Curve| {
        require(curve.initialized == TokenOwnerData::TRADING, BondingCurveError::TradingClosed)?;
        let (sol_to_spend, min_token_out) = (arguments.amount(), arguments.minimum());
        let buy = curve::buy(curve.reserves(), fee_bps, GRADUATION_VIRTUAL_TOKEN, sol_to_spend, min_token_out)
            .map_err(|error| refusal(BondingCurveError::from(error)))?;
        curve.set_reserves(buy.reserves);
        if buy.graduates {
            curve.initialized = TokenOwnerData::FINALIZED;
        }
        curve.require_invariant()?;
        Ok(buy)
    })
}
