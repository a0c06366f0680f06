//! `cargo run --all-features --example router`: what a router asks Jupiter's adapter, for both versions of the interface.
//!
//! Reads a JSON object per line, and answers with the quote and the swap by each version:
//!
//! - `accounts`: as an RPC node returns them, each with its `pubkey`. The first is the curve, with the market's `params`.
//! - `input`, `output`: the mints. `swapMode`: `ExactIn` or `ExactOut`. `amount`: as text.
//! - `wallet`, `tokens`, `wrapped`: the wallet that swaps, its token account, and its account of wrapped SOL.

use std::{
    collections::HashMap,
    error::Error,
    io::{stdin, stdout, Write},
};

use serde_json::{json, Value};

macro_rules! router {
    ($name:ident, $adapter:ident) => {
        mod $name {
            use std::collections::HashMap;

            use anyhow::{ensure, Context, Result};
            use curvekit_client::{
                constants::NATIVE_MINT,
                $adapter::{
                    interface::{
                        AccountMap, Amm, AmmContext, FeeMode, KeyedAccount, KeyedUiAccount, QuoteParams, SwapParams,
                    },
                    CurveAmm,
                },
                Pubkey,
            };
            use serde_json::{json, Value};

            /// The markets by their curve. A router keeps them, and updates them when an account changes.
            pub type Markets = HashMap<Pubkey, CurveAmm>;

            pub fn answer(markets: &mut Markets, request: &Value) -> Result<Value> {
                let text = |name: &str| request[name].as_str().with_context(|| format!("{name}: expected a text"));
                let key = |name: &str| Ok::<Pubkey, anyhow::Error>(text(name)?.parse()?);
                let accounts: Vec<KeyedUiAccount> =
                    serde_json::from_value(request["accounts"].clone()).context("accounts: expected a list of accounts")?;
                let accounts = accounts.into_iter().map(KeyedAccount::try_from).collect::<Result<Vec<_>>>()?;
                let curve = accounts.first().context("accounts: expected the curve first")?;
                if !markets.contains_key(&curve.key) {
                    markets.insert(curve.key, CurveAmm::from_keyed_account(curve, &AmmContext::default())?);
                }
                let amm = markets.get_mut(&curve.key).context("just added")?;
                amm.update(&accounts.into_iter().map(|keyed| (keyed.key, keyed.account)).collect::<AccountMap>())?;
                ensure!(amm.is_active(), "the market is not active");

                let (input_mint, output_mint, swap_mode) = (key("input")?, key("output")?, text("swapMode")?.parse()?);
                let (amount, fee_mode) = (text("amount")?.parse()?, FeeMode::Normal);
                let quote = amm.quote(&QuoteParams { amount, input_mint, output_mint, swap_mode, fee_mode })?;
                let (wallet, tokens, wrapped) = (key("wallet")?, key("tokens")?, key("wrapped")?);
                let is_buy = input_mint == NATIVE_MINT;
                let swap = SwapParams {
                    swap_mode,
                    in_amount: quote.in_amount,
                    out_amount: quote.out_amount,
                    source_mint: input_mint,
                    destination_mint: output_mint,
                    source_token_account: if is_buy { wrapped } else { tokens },
                    destination_token_account: if is_buy { tokens } else { wrapped },
                    token_transfer_authority: wallet,
                    user: wallet,
                    payer: wallet,
                    quote_mint_to_referrer: None,
                    jupiter_program_id: &Pubkey::default(),
                    missing_dynamic_accounts_as_default: false,
                };
                let metas = amm.get_swap_and_account_metas(&swap)?.account_metas;
                let metas = metas.iter().map(|meta| json!([meta.pubkey.to_string(), meta.is_signer, meta.is_writable]));
                Ok(json!({
                    "in": quote.in_amount.to_string(),
                    "out": quote.out_amount.to_string(),
                    "fee": quote.fee_amount.to_string(),
                    "accounts": metas.collect::<Value>(),
                    "data": amm.native_swap(&swap)?.data,
                }))
            }
        }
    };
}

router!(newest, jupiter);
router!(before, jupiter_0_6);

fn main() -> Result<(), Box<dyn Error>> {
    let (mut newest_markets, mut markets_before) = (HashMap::new(), HashMap::new());
    for line in stdin().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let answers = [newest::answer(&mut newest_markets, &request), before::answer(&mut markets_before, &request)];
        let answers = answers.map(|answer| answer.unwrap_or_else(|error| json!({ "error": format!("{error:#}") })));
        writeln!(stdout(), "{}", json!(answers))?;
    }
    Ok(())
}
