use solana_instruction::{AccountMeta, Instruction};
use solana_pubkey::Pubkey;

use super::{discriminators, readonly, signer, writable};
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
    vec![
        signer(payer),
        readonly(SYSTEM_PROGRAM),
        readonly(TOKEN_PROGRAM),
        writable(token.curve.address),
        readonly(token.mint),
        writable(token.vault),
        writable(user_token_account),
        writable(deployment.fee_receiver),
        readonly(deployment.properties.address),
        readonly(deployment.program_id),
        readonly(deployment.log_authority.address),
    ]
}

/// The accounts of `sell_token`, in its order.
pub(crate) fn sell_accounts(
    deployment: &Deployment,
    token: &CurveAddresses,
    payer: Pubkey,
    user_token_account: Pubkey,
) -> Vec<AccountMeta> {
    vec![
        signer(payer),
        readonly(TOKEN_PROGRAM),
        writable(token.curve.address),
        readonly(token.mint),
        writable(token.vault),
        writable(user_token_account),
        writable(deployment.fee_receiver),
        readonly(deployment.program_id),
        readonly(deployment.properties.address),
        readonly(deployment.log_authority.address),
    ]
}

fn trade_data(
    discriminator: [u8; 8],
    token: &CurveAddresses,
    [amount, minimum]: [u64; 2],
    deployment: &Deployment,
) -> Vec<u8> {
    let mut data = Vec::with_capacity(26);
    data.extend(discriminator);
    data.push(token.curve.bump);
    data.extend(amount.to_le_bytes());
    data.extend(minimum.to_le_bytes());
    data.push(deployment.log_authority.bump);
    data
}
