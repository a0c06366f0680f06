use curvekit_interface::instructions::{BuyTokenAccounts, SellTokenAccounts, TradeArguments};
use solana_instruction::{AccountMeta, Instruction};
use solana_pubkey::Pubkey;

use super::{discriminators, metas};
use crate::{
    addresses::CurveAddresses,
    arguments::{require_positive, ArgumentError},
    constants::{SYSTEM_PROGRAM, TOKEN_PROGRAM},
    deployment::Deployment,
};

/// A buy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuyToken {
    /// The trader, who pays with lamports, not with wrapped SOL. Signs.
    pub payer: Pubkey,
    /// The trader's token account. It must exist: see `create_token_account_if_missing`.
    pub user_token_account: Pubkey,
    /// Lamports to spend, including the fee. When a buy is clipped, the trader keeps the rest.
    pub sol_to_spend: u64,
    /// Minimum token base units, from a quote. For a clipped buy it limits the price instead of the amount.
    pub min_token_to_receive: u64,
}

/// A sell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SellToken {
    /// The trader, who pays with tokens and receives lamports. Signs.
    pub payer: Pubkey,
    /// The trader's token account.
    pub user_token_account: Pubkey,
    /// Token base units to sell.
    pub token_to_spend: u64,
    /// Minimum lamports after the fee, from a quote.
    pub min_sol_to_receive: u64,
}

/// Buys tokens for up to `sol_to_spend` lamports.
///
/// # Errors
/// [`ArgumentError`] for zero lamports.
pub fn buy_token(
    deployment: &Deployment,
    token: &CurveAddresses,
    buy: &BuyToken,
) -> Result<Instruction, ArgumentError> {
    require_positive("sol_to_spend", buy.sol_to_spend)?;
    let accounts = buy_accounts(deployment, token, buy.payer, buy.user_token_account);
    let amounts = [buy.sol_to_spend, buy.min_token_to_receive];
    let data = trade_data(discriminators::BUY_TOKEN, token, amounts, deployment);
    Ok(Instruction { program_id: deployment.program_id, accounts, data })
}

/// Sells exactly `token_to_spend` token base units.
///
/// # Errors
/// [`ArgumentError`] for zero tokens.
pub fn sell_token(
    deployment: &Deployment,
    token: &CurveAddresses,
    sell: &SellToken,
) -> Result<Instruction, ArgumentError> {
    require_positive("token_to_spend", sell.token_to_spend)?;
    let accounts = sell_accounts(deployment, token, sell.payer, sell.user_token_account);
    let amounts = [sell.token_to_spend, sell.min_sol_to_receive];
    let data = trade_data(discriminators::SELL_TOKEN, token, amounts, deployment);
    Ok(Instruction { program_id: deployment.program_id, accounts, data })
}

/// The accounts of `buy_token`, in its order.
pub(crate) fn buy_accounts(
    deployment: &Deployment,
    token: &CurveAddresses,
    payer: Pubkey,
    user_token_account: Pubkey,
) -> Vec<AccountMeta> {
    let accounts = BuyTokenAccounts {
        payer_account: payer,
        system_program: SYSTEM_PROGRAM,
        token_program: TOKEN_PROGRAM,
        token_owner_pda: token.curve.address,
        token_mint: token.mint,
        owner_token_account: token.vault,
        user_token_account,
        fee_account: deployment.fee_receiver,
        properties_account: deployment.properties.address,
        program_account: deployment.program_id,
        log_authority_account: deployment.log_authority.address,
    };
    metas(accounts.with_roles())
}

/// The accounts of `sell_token`, in its order.
pub(crate) fn sell_accounts(
    deployment: &Deployment,
    token: &CurveAddresses,
    payer: Pubkey,
    user_token_account: Pubkey,
) -> Vec<AccountMeta> {
    let accounts = SellTokenAccounts {
        payer_account: payer,
        token_program: TOKEN_PROGRAM,
        token_owner_pda: token.curve.address,
        token_mint: token.mint,
        owner_token_account: token.vault,
        user_token_account,
        fee_account: deployment.fee_receiver,
        program_account: deployment.program_id,
        properties_account: deployment.properties.address,
        log_authority_account: deployment.log_authority.address,
    };
    metas(accounts.with_roles())
}

fn trade_data(
    discriminator: [u8; 8],
    token: &CurveAddresses,
    [amount, minimum]: [u64; 2],
    deployment: &Deployment,
) -> Vec<u8> {
    let arguments = TradeArguments {
        pda_token_nonce: token.curve.bump,
        amount: amount.to_le_bytes(),
        minimum: minimum.to_le_bytes(),
        logging_account_bump: deployment.log_authority.bump,
    };
    [&discriminator, arguments.as_bytes()].concat()
}
