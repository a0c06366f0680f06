use anchor_spl::token;
use pinocchio::AccountView;
use pinocchio_token::instructions::Transfer as TransferTokens;

use super::{
    accounts::Accounts,
    constraints, lamports,
    layout::{change, view, Curve, Settings, TradeArguments},
    records::{Trade, TradeCall},
    refusal, require, Result,
};
use crate::{
    curve::{self, Sell},
    error::BondingCurveError,
    rent,
    state::TokenOwnerData,
};

/// `instructions/sell_token.rs`, step by step.
pub fn run(accounts: &mut [AccountView], arguments: &[u8]) -> Result<()> {
    let arguments = TradeArguments::read(arguments)?;

    let mut accounts = Accounts(accounts.iter_mut());
    let mut payer = accounts.signer("payer_account")?;
    accounts.program("token_program", &token::ID)?;
    let mut curve = accounts.curve("token_owner_pda")?;
    let mint = accounts.any("token_mint")?;
    let vault = accounts.any("owner_token_account")?;
    let user_tokens = accounts.token_account("user_token_account")?;
    let mut fee_account = accounts.any("fee_account")?;
    let program = accounts.any("program_account")?;
    let settings = accounts.settings("properties_account")?;
    let log_authority = accounts.any("log_authority_account")?;

    constraints::require_writable(&payer)?;
    constraints::require_writable(&curve)?;
    constraints::require_writable(&vault)?;
    constraints::require_tokens_of(&payer, &mint, &user_tokens)?;
    constraints::require_fee_receiver(&fee_account)?;
    constraints::require_this_program(&program)?;
    constraints::require_settings(&settings)?;
    constraints::require_log_authority(&log_authority)?;
    constraints::require_curve_of(&mint, arguments.pda_token_nonce, &curve)?;
    constraints::require_vault_of(&curve, &mint, &vault)?;

    let sell = trade(&mut curve, &settings, arguments)?;
    let mut record = TradeCall::new(Trade {
        mint: mint.address(),
        trader: payer.address(),
        is_buy: false,
        sol_amount: sell.sol_out,
        token_amount: arguments.amount(),
        fee: sell.fee,
        reserves: sell.reserves,
        finalized: false,
    });

    TransferTokens::new(&user_tokens, &vault, &payer, arguments.amount()).invoke()?;
    record.log(&log_authority, arguments.logging_account_bump)?;

    let left = curve.lamports().checked_sub(sell.gross);
    let rent = rent::exemption(TokenOwnerData::SIZE)?;
    require(left.is_some_and(|left| left >= rent), BondingCurveError::LogicalError)?;
    lamports::debit(&mut curve, sell.gross)?;
    lamports::credit(&mut payer, sell.sol_out)?;
    lamports::credit(&mut fee_account, sell.fee)
}

/// What the sell makes of the curve's state.
#[inline(always)]
fn trade(curve: &mut AccountView, settings: &AccountView, arguments: &TradeArguments) -> Result<Sell> {
    let fee_bps = view(settings, Settings::platform_fee_bps)?;
    change(curve, |curve: &mut Curve| {
        require(curve.initialized == TokenOwnerData::TRADING, BondingCurveError::TradingClosed)?;
        let sell = curve::sell(curve.reserves(), fee_bps, arguments.amount(), arguments.minimum())
            .map_err(|error| refusal(BondingCurveError::from(error)))?;
        curve.set_reserves(sell.reserves);
        curve.require_invariant()?;
        Ok(sell)
    })
}
