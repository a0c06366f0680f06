//! Checks that this crate gives the same results as the TypeScript SDK. The fixture contains the SDK's results, and
//! `tests/program/rust-client.test.ts` checks that it is up to date.

#![allow(clippy::arithmetic_side_effects, clippy::unwrap_used)]

mod common;

use common::{fixture, key};
use curvekit_client::{
    addresses::{associated_token_address, metadata_address, CommunityStorages, CurveAddresses, GraduationAddresses},
    constants::STATUS_TRADING,
    curve::Reserves,
    deployment::{AddressWithBump, Deployment},
    instructions::{
        buy_token, create_mint_account, create_token, create_token_account_if_missing, graduate, migrate, sell_token,
        BuyToken, CreateToken, Migrate, SellToken,
    },
    quotes::{
        quote_buy, quote_buy_exact_out, quote_sell, quote_sell_exact_out, BuyQuote, CurveState, QuoteError, SellQuote,
    },
    Instruction, Pubkey,
};
use serde_json::{json, Value};

const DEPLOYMENT: Deployment = Deployment::DEVELOPMENT;
const PAYER: Pubkey = Pubkey::new_from_array([2; 32]);
const TOKENS: Pubkey = Pubkey::new_from_array([3; 32]);

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap()
}

fn amount(value: &Value) -> u64 {
    value.as_str().unwrap().parse().unwrap()
}

fn small(value: &Value) -> u16 {
    u16::try_from(value.as_u64().unwrap()).unwrap()
}

#[test]
fn given_trades_of_the_program_when_they_are_quoted_then_every_unit_and_every_refusal_is_the_sdks() {
    let fixture = fixture();
    let mut kinds = std::collections::BTreeMap::new();
    for case in list(&fixture, "quotes") {
        let curve = CurveState {
            reserves: Reserves {
                virtual_sol: amount(&case["virtualSol"]),
                virtual_token: amount(&case["virtualToken"]),
            },
            platform_fee_bps: small(&case["feeBps"]),
            status: STATUS_TRADING,
            circulating: None,
        };
        let (wanted, slippage) = (amount(&case["amount"]), small(&case["slippageBps"]));
        let trade = (case["side"].as_str().unwrap(), case["exact"].as_str().unwrap());
        let outcome = match trade {
            ("buy", "in") => quote_buy(&curve, wanted, slippage).map(buy_as_json),
            ("buy", _) => quote_buy_exact_out(&curve, wanted, slippage).map(buy_as_json),
            (_, "in") => quote_sell(&curve, wanted, slippage).map(sell_as_json),
            _ => quote_sell_exact_out(&curve, wanted, slippage).map(sell_as_json),
        };
        let (kind, expected) = match case.get("quote") {
            Some(quote) if quote["clipped"] == true => ("clipped", Ok(quote.clone())),
            Some(quote) if quote["graduates"] == true => ("graduates", Ok(quote.clone())),
            Some(quote) => ("quoted", Ok(quote.clone())),
            None => ("refused", Err(case["refusal"].clone())),
        };
        assert_eq!(outcome.map_err(|error| refusal(&error)), expected, "{case}");
        *kinds.entry((trade, kind)).or_insert(0) += 1;
    }
    for side in ["buy", "sell"] {
        for exact in ["in", "out"] {
            assert!(kinds[&((side, exact), "quoted")] > 10, "{kinds:?}");
            assert!(kinds[&((side, exact), "refused")] > 10, "{kinds:?}");
        }
    }
    assert!(kinds[&(("buy", "in"), "clipped")] > 10 && kinds[&(("buy", "out"), "clipped")] > 2, "{kinds:?}");
}

fn buy_as_json(quote: BuyQuote) -> Value {
    let BuyQuote { sol_to_spend, min_token_to_receive, token_out, sol_spent, net, fee, after, .. } = quote;
    assert_eq!(sol_spent, net + fee);
    let amounts = [sol_to_spend, min_token_to_receive, token_out, net, fee, after.virtual_sol, after.virtual_token];
    json!({
        "amounts": amounts.map(|amount| amount.to_string()),
        "priceImpactBps": quote.price_impact_bps,
        "clipped": quote.clipped,
        "graduates": quote.graduates,
    })
}

fn sell_as_json(quote: SellQuote) -> Value {
    let SellQuote { token_to_spend, min_sol_to_receive, sol_out, gross, fee, after, .. } = quote;
    let amounts = [token_to_spend, min_sol_to_receive, sol_out, gross, fee, after.virtual_sol, after.virtual_token];
    json!({ "amounts": amounts.map(|amount| amount.to_string()), "priceImpactBps": quote.price_impact_bps })
}

/// The program's error code, or null for an argument out of range.
fn refusal(error: &QuoteError) -> Value {
    error.program_error().map_or(Value::Null, |error| error.code().into())
}

#[test]
fn given_mints_when_their_addresses_are_derived_then_they_are_the_sdks() {
    for case in list(&fixture(), "addresses") {
        let mint = key(&case["mint"]);
        let CurveAddresses { curve, vault, .. } = CurveAddresses::derive(&mint, &DEPLOYMENT);
        let storages = CommunityStorages::derive(&mint, &DEPLOYMENT);
        let GraduationAddresses { tokens, wrapped_sol, pool } = GraduationAddresses::derive(&mint, &DEPLOYMENT);
        let address = |AddressWithBump { address, bump }| json!([address.to_string(), bump]);
        let derived = json!({
            "mint": mint.to_string(),
            "curve": address(curve),
            "vault": address(associated_token_address(&curve.address, &mint)),
            "metadata": address(metadata_address(&mint)),
            "communityWsol": address(storages.wsol),
            "communityToken": address(storages.token),
            "tokens": address(tokens),
            "wrappedSol": address(wrapped_sol),
            "pool": address(pool),
            "payersTokens": address(associated_token_address(&PAYER, &mint)),
        });
        assert_eq!(&derived, case);
        assert_eq!(vault.to_string(), case["vault"][0]);
    }
}

#[test]
fn given_the_same_parameters_when_instructions_are_built_then_every_account_flag_and_byte_is_the_sdks() {
    let create = CreateToken {
        payer: PAYER,
        name: "Curve 🌊",
        symbol: "CRV",
        uri: "https://example.org/curve.json",
        after_migration_fee: 100,
        after_migration_burn_bp: 5_000,
        after_migration_holders_bp: 3_000,
        after_migration_lp_bp: 2_000,
    };
    const RENT: u64 = 1_461_600;
    for case in list(&fixture(), "instructions") {
        let mint = key(&case["mint"]);
        let token = CurveAddresses::derive(&mint, &DEPLOYMENT);
        let created = create_token(&DEPLOYMENT, &token, &create).unwrap();
        for (held, expected) in [0, 5, 2_000_000].into_iter().zip(list(case, "createToken")) {
            let mut built = create_mint_account(&PAYER, &mint, RENT, held);
            built.push(created.clone());
            assert_eq!(&as_json(&built), expected);
        }
        let user_token_account = associated_token_address(&PAYER, &mint).address;
        let buy = BuyToken { payer: PAYER, user_token_account, sol_to_spend: 1, min_token_to_receive: u64::MAX };
        let bought = buy_token(&DEPLOYMENT, &token, &buy).unwrap();
        assert_eq!(as_json(&[create_token_account_if_missing(&PAYER, &PAYER, &mint), bought]), case["buyToken"]);
        let sell =
            SellToken { payer: PAYER, user_token_account: TOKENS, token_to_spend: u64::MAX, min_sol_to_receive: 2 };
        assert_eq!(as_json(&[sell_token(&DEPLOYMENT, &token, &sell).unwrap()]), case["sellToken"]);
        let migration = migrate(&DEPLOYMENT, &token, &Migrate { fee_token_account: TOKENS });
        assert_eq!(as_json(&[migration]), case["migrate"]);
        let graduation = graduate(&Deployment::DEVELOPMENT, &token, &PAYER).unwrap();
        assert_eq!(as_json(&[graduation]), case["graduate"]);
    }
}

#[test]
fn given_zero_amounts_when_a_trade_is_built_then_the_error_names_the_argument() {
    let token = CurveAddresses::derive(&TOKENS, &DEPLOYMENT);
    let buy = BuyToken { payer: PAYER, user_token_account: TOKENS, sol_to_spend: 0, min_token_to_receive: 0 };
    let error = buy_token(&DEPLOYMENT, &token, &buy).unwrap_err();
    assert_eq!(error.to_string(), "sol_to_spend is 0; it must be at least 1");
    let sell = SellToken { payer: PAYER, user_token_account: TOKENS, token_to_spend: 0, min_sol_to_receive: 0 };
    assert_eq!(sell_token(&DEPLOYMENT, &token, &sell).unwrap_err().argument, "token_to_spend");
}

fn as_json(instructions: &[Instruction]) -> Value {
    let written = instructions.iter().map(|Instruction { program_id, accounts, data }| {
        let accounts = accounts.iter().map(|meta| json!([meta.pubkey.to_string(), meta.is_signer, meta.is_writable]));
        let data = data.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        json!({ "program": program_id.to_string(), "accounts": accounts.collect::<Vec<_>>(), "data": data })
    });
    written.collect()
}
