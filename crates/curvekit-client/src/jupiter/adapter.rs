use std::fmt::Display;

use anyhow::{bail, ensure, Context, Result};
use rust_decimal::Decimal;
use serde_json::Value;
use solana_instruction::AccountMeta;
use solana_pubkey::Pubkey;

use super::interface::{
    try_get_account_data_and_owner, AccountMap, Amm, AmmContext, KeyedAccount, Quote, QuoteParams, Swap,
    SwapAndAccountMetas, SwapMode, SwapParams,
};
use crate::{
    accounts::{token_amount, Properties, TokenOwnerData},
    addresses::CurveAddresses,
    constants::{NATIVE_MINT, TOKEN_PROGRAM, TOKEN_SUPPLY},
    deployment::Deployment,
    instructions::trades::{buy_accounts, sell_accounts},
    quotes::{quote_buy, quote_buy_exact_out, quote_sell, quote_sell_exact_out, BuyQuote, CurveState},
};

mod markets;
mod native;
#[cfg(test)]
mod tests;

pub use markets::CurveMarket;

/// Number of accounts of a buy, the longer swap: those of `buy_token`, the wrapped SOL and its mint.
const ACCOUNTS: usize = 13;
/// Fees are basis points: four decimals of a fraction.
const FEE_DIGITS: u32 = 4;

/// A curve as a market.
#[derive(Debug, Clone)]
pub struct CurveAmm {
    deployment: Deployment,
    token: CurveAddresses,
    curve: TokenOwnerData,
    /// `None` until the first update.
    live: Option<Live>,
}

#[derive(Debug, Clone, Copy)]
struct Live {
    properties: Properties,
    circulating: u64,
}

impl CurveAmm {
    /// The market of a curve account in a deployment. A curve does not say which mint it belongs to: `params` must be
    /// `{"mint": "<the mint's address>"}`.
    ///
    /// # Errors
    /// When the account is not a curve of this deployment, or not the curve of the mint.
    pub fn new(keyed_account: &KeyedAccount, deployment: &Deployment) -> Result<Self> {
        let KeyedAccount { key, account, .. } = keyed_account;
        ensure!(
            account.owner == deployment.program_id,
            "account {key} belongs to {}; a curve belongs to {}",
            account.owner,
            deployment.program_id
        );
        let (mint, _) = addresses_in_params(format_args!("account {key}"), keyed_account.params.as_ref())?;
        let token = CurveAddresses::derive(&mint, deployment);
        ensure!(
            token.curve.address == *key,
            "account {key} is not the curve of mint {mint}, which is {}",
            token.curve.address
        );
        let curve = TokenOwnerData::decode(&account.data).with_context(|| format!("account {key}"))?;
        Ok(Self { deployment: *deployment, token, curve, live: None })
    }

    /// The deployment of a market: that of `known` when it has the same program and fee receiver.
    fn deployment_of(
        KeyedAccount { key, account, params }: &KeyedAccount,
        known: Option<Deployment>,
    ) -> Result<Deployment> {
        let development = Deployment::DEVELOPMENT;
        let (_, fee_receiver) = addresses_in_params(format_args!("account {key}"), params.as_ref())?;
        let Some(fee_receiver) = fee_receiver else { return Ok(development) };
        let is_same = |known: &Deployment| known.program_id == account.owner && known.fee_receiver == fee_receiver;
        // Trades do not use the other two addresses.
        let derive =
            || Deployment::new(account.owner, fee_receiver, development.dex_owner, development.graduation.program_id);
        Ok(known.filter(is_same).unwrap_or_else(derive))
    }

    fn state(&self) -> Result<CurveState> {
        let Live { properties, circulating } = self.live.context("no quote before the first update")?;
        Ok(CurveState::new(&self.curve, &properties).with_circulating(circulating))
    }

    /// Whether the trade buys tokens.
    fn is_buy(&self, source: &Pubkey, destination: &Pubkey) -> Result<bool> {
        let mint = self.token.mint;
        match (*source, *destination) {
            (NATIVE_MINT, to) if to == mint => Ok(true),
            (from, NATIVE_MINT) if from == mint => Ok(false),
            (from, to) => bail!("cannot trade {from} for {to}: the mints are {NATIVE_MINT} and {mint}"),
        }
    }
}

/// The mint and the fee receiver in the params of a market. The fee receiver may be omitted.
///
/// `of` begins the errors.
fn addresses_in_params(of: impl Display, params: Option<&Value>) -> Result<(Pubkey, Option<Pubkey>)> {
    let address = |name: &str| -> Result<Option<Pubkey>> {
        let Some(value) = params.and_then(|params| params.get(name)) else { return Ok(None) };
        let address = value.as_str().and_then(|text| text.parse().ok());
        address.map(Some).with_context(|| format!("{of}: params.{name} is {value}; it must be an address"))
    };
    let mint = address("mint")?.with_context(|| format!(r#"{of}: params must be {{"mint": "<address>"}}"#))?;
    Ok((mint, address("feeReceiver")?))
}

impl Amm for CurveAmm {
    /// `params` must be `{"mint": "<address>"}`, and on a real cluster `{"mint": "<address>", "feeReceiver": "<address>"}`:
    /// the account's owner is then the program, with that fee receiver.
    fn from_keyed_account(keyed_account: &KeyedAccount, _: &AmmContext) -> Result<Self> {
        let deployment = Self::deployment_of(keyed_account, None)?;
        Self::new(keyed_account, &deployment)
    }

    fn label(&self) -> String {
        "Curvekit".to_owned()
    }

    fn program_id(&self) -> Pubkey {
        self.deployment.program_id
    }

    fn key(&self) -> Pubkey {
        self.token.curve.address
    }

    fn get_reserve_mints(&self) -> Vec<Pubkey> {
        vec![NATIVE_MINT, self.token.mint]
    }

    fn get_accounts_to_update(&self) -> Vec<Pubkey> {
        vec![self.token.curve.address, self.deployment.properties.address, self.token.vault]
    }

    /// Updates all or nothing: when an account is missing or belongs to another program, the market does not change.
    fn update(&mut self, account_map: &AccountMap) -> Result<()> {
        let Self { deployment, token, .. } = self;
        let data = |address: &Pubkey, owner: &Pubkey| -> Result<&[u8]> {
            let (data, owned_by) = try_get_account_data_and_owner(account_map, address)?;
            ensure!(owned_by == owner, "account {address} belongs to {owned_by}; expected {owner}");
            Ok(data)
        };
        let curve = TokenOwnerData::decode(data(&token.curve.address, &deployment.program_id)?)?;
        let properties = Properties::decode(data(&deployment.properties.address, &deployment.program_id)?)?;
        let vault = token_amount(data(&token.vault, &TOKEN_PROGRAM)?, &token.mint);
        let vault = vault.with_context(|| format!("account {} is no token account of {}", token.vault, token.mint))?;
        self.curve = curve;
        self.live = Some(Live { properties, circulating: TOKEN_SUPPLY.saturating_sub(vault) });
        Ok(())
    }

    /// Refuses a buy that the program would fill only in part, because the interface cannot say so: a router that ignores
    /// `in_amount` would strand the rest. Exact-out is the least input for `amount`; `out_amount` is all that it yields.
    /// `fee_pct` is a fraction: 0.01 for 1 %.
    fn quote(&self, quote_params: &QuoteParams) -> Result<Quote> {
        let QuoteParams { amount, input_mint, output_mint, swap_mode, .. } = quote_params;
        let state = self.state()?;
        let is_exact_in = *swap_mode == SwapMode::ExactIn;
        let (in_amount, out_amount, fee_amount) = if self.is_buy(input_mint, output_mint)? {
            let quote = if is_exact_in { quote_buy } else { quote_buy_exact_out };
            let BuyQuote { sol_to_spend, sol_spent, token_out, fee, .. } = quote(&state, *amount, 0)?;
            ensure!(
                sol_spent == sol_to_spend,
                "amount is {amount}; the last {token_out} base units cost {sol_spent} lamports, ask for at most that"
            );
            (sol_spent, token_out, fee)
        } else {
            let quote = if is_exact_in { quote_sell } else { quote_sell_exact_out };
            let sell = quote(&state, *amount, 0)?;
            (sell.token_to_spend, sell.sol_out, sell.fee)
        };
        let fee_pct = Decimal::new(i64::from(state.platform_fee_bps), FEE_DIGITS);
        Ok(Quote { in_amount, out_amount, fee_amount, fee_mint: NATIVE_MINT, fee_pct })
    }

    fn get_swap_and_account_metas(&self, swap_params: &SwapParams) -> Result<SwapAndAccountMetas> {
        let SwapParams { source_token_account, destination_token_account, .. } = *swap_params;
        let Self { deployment, token, .. } = self;
        let payer = swap_params.token_transfer_authority;
        let mut account_metas: Vec<AccountMeta>;
        if self.is_buy(&swap_params.source_mint, &swap_params.destination_mint)? {
            account_metas = buy_accounts(deployment, token, payer, destination_token_account);
            account_metas.push(AccountMeta::new(source_token_account, false));
            account_metas.push(AccountMeta::new_readonly(NATIVE_MINT, false));
        } else {
            account_metas = sell_accounts(deployment, token, payer, source_token_account);
            account_metas.push(AccountMeta::new(destination_token_account, false));
        }
        Ok(SwapAndAccountMetas { swap: Swap::TokenSwap, account_metas })
    }

    fn supports_exact_out(&self) -> bool {
        true
    }

    fn clone_amm(&self) -> Box<dyn Amm + Send + Sync> {
        Box::new(self.clone())
    }

    fn get_accounts_len(&self) -> usize {
        ACCOUNTS
    }

    /// False from the graduation on, also while the curve waits for its pool.
    fn is_active(&self) -> bool {
        self.curve.is_trading()
    }
}
