use anchor_spl::token;
use pinocchio::AccountView;
use pinocchio_token::instructions::Transfer as TransferTokens;

use super::{
    accounts::{self, Accounts},
    lamports,
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
    let payer = accounts.signer()?;
    accounts.program(&token::ID)?;
    let curve = accounts.curve()?;
    let mint = accounts.any()?;
    let vault = accounts.any()?;
    let user_tokens = accounts.token_account()?;
    let fee_account = accounts.any()?;
    let program = accounts.any()?;
    let settings = accounts.settings()?;
    let log_authority = accounts.any()?;

    accounts::require_writable(payer)?;
    accounts::require_writable(curve)?;
    accounts::require_writable(vault)?;
    accounts::require_tokens_of(payer, mint, user_tokens)?;
    accounts::require_fee_receiver(fee_account)?;
    accounts::require_this_program(program)?;
    accounts::require_settings(settings)?;
    accounts::require_log_authority(log_authority)?;
    accounts::require_curve_of(mint, arguments.pda_token_nonce, curve)?;
    accounts::require_vault_of(curve, mint, vault)?;

    let sell = trade(curve, settings, arguments)?;
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

    TransferTokens::new(user_tokens, vault, payer, arguments.amount()).invoke()?;
    record.log(log_authority, arguments.logging_account_bump)?;

    let left = curve.lamports().checked_sub(sell.gross);
    let rent = rent::exemption(TokenOwnerData::SIZE)?;
    require(left.is_some_and(|left| left >= rent), BondingCurveError::LogicalError)?;
    lamports::debit(curve, sell.gross)?;
    lamports::credit(payer, sell.sol_out)?;
    lamports::credit(fee_account, sell.fee)
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
