use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount};
use curvekit_interface::{
    accounts::{PropertiesBytes, TokenOwnerDataBytes},
    instructions::{SellTokenAccounts, TradeArguments},
    records::TradeRecord,
};
use pinocchio::AccountView;
use pinocchio_token::instructions::Transfer as TransferTokens;

use super::trade_arguments::trade_arguments;
use crate::{
    checks::named,
    constants::{FEE_RECEIVER, LOGGING_AUTHORITY_ADDRESS, PROPERTIES_ADDRESS},
    curve::{self, Sell},
    error::BondingCurveError,
    lamports,
    records::TradeCall,
    refusal::{self, refusal, require},
    rent,
    state::{Properties, TokenOwnerData},
    views::{layout_mut, require_invariant, view},
};

/// The interface. `run` makes the checks.
#[derive(Accounts)]
pub struct SellToken<'info> {
    /// The trader: receives the SOL, owns `user_token_account`.
    #[account(mut)]
    pub payer_account: Signer<'info>,
    pub token_program: Program<'info, Token>,
    /// The curve of `token_mint`.
    #[account(mut)]
    pub token_owner_pda: Account<'info, TokenOwnerData>,
    /// CHECK: only its address counts; the curve account is derived from it.
    pub token_mint: UncheckedAccount<'info>,
    /// CHECK: the vault, by its address: tokens sold into another account of the curve would leave it short.
    #[account(mut)]
    pub owner_token_account: UncheckedAccount<'info>,
    /// The trader's token account of this mint.
    #[account(mut, token::mint = token_mint, token::authority = payer_account)]
    pub user_token_account: Account<'info, TokenAccount>,
    /// CHECK: the fee receiver this program was built with.
    #[account(mut, address = FEE_RECEIVER)]
    pub fee_account: UncheckedAccount<'info>,
    /// CHECK: this program, for the call that logs the record.
    #[account(address = crate::ID)]
    pub program_account: UncheckedAccount<'info>,
    #[account(address = PROPERTIES_ADDRESS)]
    pub properties_account: Account<'info, Properties>,
    /// CHECK: the PDA that signs log records.
    #[account(address = LOGGING_AUTHORITY_ADDRESS)]
    pub log_authority_account: UncheckedAccount<'info>,
}

impl SellToken<'_> {
    pub(crate) fn run(accounts: &mut [AccountView], arguments: &[u8]) -> refusal::Result<()> {
        let arguments = trade_arguments(arguments)?;
        let SellTokenAccounts {
            payer_account: mut payer,
            token_program,
            token_owner_pda: mut curve,
            token_mint: mint,
            owner_token_account: vault,
            user_token_account: user_tokens,
            mut fee_account,
            program_account: program,
            properties_account: properties,
            log_authority_account: log_authority,
        } = named(accounts, &SellTokenAccounts::NAMES)?.into();

        payer.require_signer()?;
        payer.require_writable()?;
        token_program.require_program(&token::ID)?;
        properties.require_properties()?;
        program.require_this_program()?;
        log_authority.require_log_authority()?;
        curve.require_curve_of(&mint, arguments.pda_token_nonce)?;
        vault.require_vault_of(&curve, &mint)?;
        fee_account.require_fee_receiver()?;
        user_tokens.require_tokens_of(&payer, &mint)?;

        let sell = trade(&mut curve, &properties, arguments)?;
        let mut record = TradeCall::new(TradeRecord {
            mint: *mint.address(),
            trader: *payer.address(),
            is_buy: false,
            sol_amount: sell.sol_out,
            token_amount: arguments.amount(),
            fee: sell.fee,
            virtual_sol: sell.reserves.virtual_sol,
            virtual_token: sell.reserves.virtual_token,
            finalized: false,
            timestamp: 0,
        });

        TransferTokens::new(&user_tokens, &vault, &payer, arguments.amount()).invoke()?;
        record.log(&log_authority, arguments.logging_account_bump)?;

        let rent = rent::exemption(TokenOwnerData::SIZE)?;
        let left = curve.lamports().checked_sub(sell.gross).filter(|left| *left >= rent);
        curve.set_lamports(left.ok_or_else(|| refusal(BondingCurveError::LogicalError))?);
        lamports::credit(&mut payer, sell.sol_out)?;
        lamports::credit(&mut fee_account, sell.fee)
    }
}

/// What the sell makes of the curve's state.
#[inline(always)]
fn trade(curve: &mut AccountView, properties: &AccountView, arguments: &TradeArguments) -> refusal::Result<Sell> {
    let fee_bps = view(properties, PropertiesBytes::platform_fee_bps)?;
    let mut data = curve.try_borrow_mut()?;
    let curve: &mut TokenOwnerDataBytes = layout_mut(&mut data)?;
    require(curve.initialized == TokenOwnerData::TRADING, BondingCurveError::TradingClosed)?;
    let sell = curve::sell(curve.reserves(), fee_bps, arguments.amount(), arguments.minimum())
        .map_err(|error| refusal(BondingCurveError::from(error)))?;
    curve.set_reserves(sell.reserves);
    require_invariant(curve)?;
    Ok(sell)
}
