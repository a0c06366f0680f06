use anchor_lang::{error::ErrorCode, system_program};
use anchor_spl::token;
use pinocchio::{
    cpi::{Seed, Signer},
    error::ProgramError,
    AccountView,
};
use pinocchio_system::instructions::Transfer as TransferLamports;
use pinocchio_token::instructions::Transfer as TransferTokens;

use super::{
    accounts::{self, Accounts},
    layout::{Curve, TradeArguments},
    records::{Trade, TradeCall},
    refusal, require, Result,
};
use crate::{
    constants::{GRADUATION_VIRTUAL_TOKEN, TOKEN_OWNER_SEED},
    curve,
    error::BondingCurveError,
    state::TokenOwnerData,
};

/// `instructions/buy_token.rs`, step by step.
pub fn run(accounts: &mut [AccountView], arguments: &[u8]) -> Result<()> {
    let arguments = TradeArguments::read(arguments)?;

    let mut accounts = Accounts(accounts.iter_mut());
    let payer = accounts.signer()?;
    accounts.program(&system_program::ID)?;
    accounts.program(&token::ID)?;
    let curve_account = accounts.curve()?;
    let mint = accounts.any()?;
    let vault = accounts.token_account()?;
    let user_tokens = accounts.token_account()?;
    let fee_account = accounts.any()?;
    let settings = accounts.settings()?;
    let program = accounts.any()?;
    let log_authority = accounts.any()?;

    // The third that Anchor compares, the curve, is no token account.
    require(vault != user_tokens, ErrorCode::ConstraintDuplicateMutableAccount)?;
    accounts::require_writable(payer)?;
    accounts::require_writable(curve_account)?;
    accounts::require_tokens_of_curve(curve_account, mint, vault)?;
    accounts::require_tokens_of(payer, mint, user_tokens)?;
    accounts::require_fee_receiver(fee_account)?;
    accounts::require_this_program(program)?;
    accounts::require_log_authority(log_authority)?;
    accounts::require_curve_of(mint, arguments.pda_token_nonce, curve_account)?;

    let curve = accounts::view_mut::<Curve>(curve_account)?;
    require(curve.initialized == TokenOwnerData::TRADING, BondingCurveError::TradingClosed)?;
    let buy = curve::buy(
        curve.reserves(),
        settings.platform_fee_bps(),
        GRADUATION_VIRTUAL_TOKEN,
        arguments.amount(),
        arguments.minimum(),
    )
    .map_err(|error| refusal(BondingCurveError::from(error)))?;
    curve.set_reserves(buy.reserves);
    if buy.graduates {
        curve.initialized = TokenOwnerData::FINALIZED;
    }
    require(TokenOwnerData::holds(curve.initialized, buy.reserves), BondingCurveError::LogicalError)?;
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
    TransferLamports { from: payer, to: curve_account, lamports: buy.sol_in() }.invoke()?;
    TransferTokens::new(vault, user_tokens, curve_account, buy.token_out).invoke_signed(&[Signer::from(&seeds)])?;
    record.log(log_authority, arguments.logging_account_bump)?;

    let left = curve_account.lamports().checked_sub(buy.fee).ok_or(ProgramError::ArithmeticOverflow)?;
    curve_account.set_lamports(left);
    accounts::credit(fee_account, buy.fee)
}
