use anchor_spl::token;
use pinocchio::AccountView;
use pinocchio_token::instructions::Transfer as TransferTokens;

use super::{
    accounts::{self, Accounts},
    layout::{Curve, TradeArguments},
    records::{Trade, TradeCall},
    refusal, require, Result,
};
use crate::{curve, error::BondingCurveError, rent, state::TokenOwnerData};

/// `instructions/sell_token.rs`, step by step.
pub fn run(accounts: &mut [AccountView], arguments: &[u8]) -> Result<()> {
    let arguments = TradeArguments::read(arguments)?;

    let mut accounts = Accounts(accounts.iter_mut());
    let payer = accounts.signer()?;
    accounts.program(&token::ID)?;
    let curve_account = accounts.curve()?;
    let mint = accounts.any()?;
    let vault = accounts.any()?;
    let user_tokens = accounts.token_account()?;
    let fee_account = accounts.any()?;
    let program = accounts.any()?;
    let settings = accounts.settings()?;
    let log_authority = accounts.any()?;

    accounts::require_writable(payer)?;
    accounts::require_writable(curve_account)?;
    accounts::require_writable(vault)?;
    accounts::require_tokens_of(payer, mint, user_tokens)?;
    accounts::require_fee_receiver(fee_account)?;
    accounts::require_this_program(program)?;
    accounts::require_log_authority(log_authority)?;
    accounts::require_curve_of(mint, arguments.pda_token_nonce, curve_account)?;
    accounts::require_vault_of(curve_account, mint, vault)?;

    let curve = accounts::view_mut::<Curve>(curve_account)?;
    require(curve.initialized == TokenOwnerData::TRADING, BondingCurveError::TradingClosed)?;
    let token_amount = arguments.amount();
    let sell = curve::sell(curve.reserves(), settings.platform_fee_bps(), token_amount, arguments.minimum())
        .map_err(|error| refusal(BondingCurveError::from(error)))?;
    curve.set_reserves(sell.reserves);
    require(TokenOwnerData::holds(curve.initialized, sell.reserves), BondingCurveError::LogicalError)?;
    let mut record = TradeCall::new(Trade {
        mint: mint.address(),
        trader: payer.address(),
        is_buy: false,
        sol_amount: sell.sol_out,
        token_amount,
        fee: sell.fee,
        reserves: sell.reserves,
        finalized: false,
    });

    TransferTokens::new(user_tokens, vault, payer, token_amount).invoke()?;
    record.log(log_authority, arguments.logging_account_bump)?;

    let rent = rent::exemption(TokenOwnerData::SIZE)?;
    let left = curve_account.lamports().checked_sub(sell.gross).filter(|left| *left >= rent);
    curve_account.set_lamports(left.ok_or_else(|| refusal(BondingCurveError::LogicalError))?);
    // One after the other: the payer may be the fee receiver.
    accounts::credit(payer, sell.sol_out)?;
    accounts::credit(fee_account, sell.fee)
}
