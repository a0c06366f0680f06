use anchor_lang::{error::ErrorCode, prelude::*, system_program};
use anchor_spl::token::{self, Token, TokenAccount};
use curvekit_interface::{
    accounts::{PropertiesBytes, TokenOwnerDataBytes},
    instructions::{BuyTokenAccounts, TradeArguments},
    records::TradeRecord,
};
use pinocchio::{
    cpi::{Seed, Signer as Seeds},
    AccountView,
};
use pinocchio_system::instructions::Transfer as TransferLamports;
use pinocchio_token::instructions::Transfer as TransferTokens;

use super::trade_arguments::trade_arguments;
use crate::{
    checks::named,
    constants::{
        FEE_RECEIVER, GRADUATION_VIRTUAL_TOKEN, LOGGING_AUTHORITY_ADDRESS, PROPERTIES_ADDRESS, TOKEN_OWNER_SEED,
    },
    curve::{self, Buy},
    error::BondingCurveError,
    lamports,
    records::TradeCall,
    refusal::{self, refusal, require},
    state::{Properties, TokenOwnerData},
    views::{layout_mut, require_invariant, view},
};

/// The interface. `run` makes the checks.
#[derive(Accounts)]
pub struct BuyToken<'info> {
    /// The trader: pays the SOL and the fee, owns `user_token_account`.
    #[account(mut)]
    pub payer_account: Signer<'info>,
    pub system_program: Program<'info, System>,
    pub token_program: Program<'info, Token>,
    /// The curve of `token_mint`.
    #[account(mut)]
    pub token_owner_pda: Account<'info, TokenOwnerData>,
    /// CHECK: only its address counts; the curve account is derived from it.
    pub token_mint: UncheckedAccount<'info>,
    /// The vault. The token program debits it.
    #[account(mut)]
    pub owner_token_account: Account<'info, TokenAccount>,
    /// The trader's token account of this mint.
    #[account(mut, token::mint = token_mint, token::authority = payer_account)]
    pub user_token_account: Account<'info, TokenAccount>,
    /// CHECK: the fee receiver this program was built with.
    #[account(mut, address = FEE_RECEIVER)]
    pub fee_account: UncheckedAccount<'info>,
    #[account(address = PROPERTIES_ADDRESS)]
    pub properties_account: Account<'info, Properties>,
    /// CHECK: this program, for the call that logs the record.
    #[account(address = crate::ID)]
    pub program_account: UncheckedAccount<'info>,
    /// CHECK: the PDA that signs log records.
    #[account(address = LOGGING_AUTHORITY_ADDRESS)]
    pub log_authority_account: UncheckedAccount<'info>,
}

impl BuyToken<'_> {
    pub(crate) fn run(accounts: &mut [AccountView], arguments: &[u8]) -> refusal::Result<()> {
        let arguments = trade_arguments(arguments)?;
        let BuyTokenAccounts {
            payer_account: payer,
            system_program,
            token_program,
            token_owner_pda: mut curve,
            token_mint: mint,
            owner_token_account: vault,
            user_token_account: user_tokens,
            mut fee_account,
            properties_account: properties,
            program_account: program,
            log_authority_account: log_authority,
        } = named(accounts, &BuyTokenAccounts::NAMES)?.into();

        payer.require_signer()?;
        payer.require_writable()?;
        system_program.require_program(&system_program::ID)?;
        token_program.require_program(&token::ID)?;
        properties.require_properties()?;
        program.require_this_program()?;
        log_authority.require_log_authority()?;
        curve.require_curve_of(&mint, arguments.pda_token_nonce)?;
        // The address below suffices. Clients know the errors of a vault that is no token account at all.
        vault.require_token_account()?;
        vault.require_vault_of(&curve, &mint)?;
        fee_account.require_fee_receiver()?;
        user_tokens.require(*vault != *user_tokens, ErrorCode::ConstraintDuplicateMutableAccount)?;
        user_tokens.require_tokens_of(&payer, &mint)?;

        let buy = trade(&mut curve, &properties, arguments)?;
        let mut record = TradeCall::new(TradeRecord {
            mint: *mint.address(),
            trader: *payer.address(),
            is_buy: true,
            sol_amount: buy.sol_in(),
            token_amount: buy.token_out,
            fee: buy.fee,
            virtual_sol: buy.reserves.virtual_sol,
            virtual_token: buy.reserves.virtual_token,
            finalized: buy.graduates,
            timestamp: 0,
        });

        let nonce = [arguments.pda_token_nonce];
        let seeds = [Seed::from(TOKEN_OWNER_SEED), Seed::from(mint.address().as_array()), Seed::from(&nonce)];
        // Price and fee in one call; the fee leaves the curve again at the end.
        TransferLamports { from: &payer, to: &curve, lamports: buy.sol_in() }.invoke()?;
        TransferTokens::new(&vault, &user_tokens, &curve, buy.token_out).invoke_signed(&[Seeds::from(&seeds)])?;
        record.log(&log_authority, arguments.logging_account_bump)?;
        lamports::debit(&mut curve, buy.fee)?;
        lamports::credit(&mut fee_account, buy.fee)
    }
}

/// What the buy makes of the curve's state.
#[inline(always)]
fn trade(curve: &mut AccountView, properties: &AccountView, arguments: &TradeArguments) -> refusal::Result<Buy> {
    let fee_bps = view(properties, PropertiesBytes::platform_fee_bps)?;
    let mut data = curve.try_borrow_mut()?;
    let curve: &mut TokenOwnerDataBytes = layout_mut(&mut data)?;
    require(curve.initialized == TokenOwnerData::TRADING, BondingCurveError::TradingClosed)?;
    let (sol_to_spend, min_token_out) = (arguments.amount(), arguments.minimum());
    let buy = curve::buy(curve.reserves(), fee_bps, GRADUATION_VIRTUAL_TOKEN, sol_to_spend, min_token_out)
        .map_err(|error| refusal(BondingCurveError::from(error)))?;
    curve.set_reserves(buy.reserves);
    if buy.graduates {
        curve.initialized = TokenOwnerData::FINALIZED;
    }
    require_invariant(curve)?;
    Ok(buy)
}
