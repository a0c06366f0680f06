use serde_json::json;

use super::{super::interface::FeeMode, *};
use crate::{
    constants::{STATUS_FINALIZED, STATUS_TRADING},
    instructions::{buy_token, sell_token, BuyToken, SellToken},
};

const SOL: u64 = 1_000_000_000;
const DEPLOYMENT: Deployment = Deployment::DEVELOPMENT;
const MINT: Pubkey = Pubkey::new_from_array([7; 32]);
const USER: Pubkey = Pubkey::new_from_array([8; 32]);
const TOKENS: Pubkey = Pubkey::new_from_array([9; 32]);
const WSOL: Pubkey = Pubkey::new_from_array([10; 32]);

/// Built from JSON, to avoid a dependency on the interface's version of the crate with `Account`.
fn account(key: Pubkey, owner: Pubkey, data: &[u8]) -> KeyedAccount {
    let account = json!({
        "lamports": 1, "data": data, "owner": owner.to_bytes(), "executable": false, "rentEpoch": 0, "rent_epoch": 0,
    });
    serde_json::from_value(json!({ "key": key.to_bytes(), "account": account, "params": null })).unwrap()
}

/// A curve that has sold `sold` base units.
fn curve_account(status: u8, sold: u64) -> KeyedAccount {
    let mut data = TokenOwnerData::DISCRIMINATOR.to_vec();
    data.push(status);
    data.extend((40 * SOL).to_le_bytes());
    data.extend((1_073_000_000_000_000 - sold).to_le_bytes());
    data.extend([0; 4]);
    account(CurveAddresses::derive(&MINT, &DEPLOYMENT).curve.address, DEPLOYMENT.program_id, &data)
}

fn accounts(status: u8, sold: u64) -> AccountMap {
    let mut properties = Properties::DISCRIMINATOR.to_vec();
    properties.extend([1, 255]);
    properties.extend([0; 16]);
    properties.extend([100, 0]);
    let mut vault = vec![0; 165];
    vault[..32].copy_from_slice(MINT.as_array());
    vault[64..72].copy_from_slice(&(TOKEN_SUPPLY - sold).to_le_bytes());
    let all = [
        curve_account(status, sold),
        account(DEPLOYMENT.properties.address, DEPLOYMENT.program_id, &properties),
        account(CurveAddresses::derive(&MINT, &DEPLOYMENT).vault, TOKEN_PROGRAM, &vault),
    ];
    all.into_iter().map(|KeyedAccount { key, account, .. }| (key, account)).collect()
}

fn keyed(params: serde_json::Value) -> KeyedAccount {
    KeyedAccount { params: Some(params), ..curve_account(STATUS_TRADING, 0) }
}

fn market(sold: u64) -> CurveAmm {
    let keyed = keyed(json!({ "mint": MINT.to_string() }));
    let mut amm = CurveAmm::from_keyed_account(&keyed, &AmmContext::default()).unwrap();
    amm.update(&accounts(STATUS_TRADING, sold)).unwrap();
    amm
}

fn ask(input_mint: Pubkey, output_mint: Pubkey, amount: u64, swap_mode: SwapMode) -> QuoteParams {
    QuoteParams { amount, input_mint, output_mint, swap_mode, fee_mode: FeeMode::Normal }
}

fn swap<'a>(source_mint: Pubkey, destination_mint: Pubkey, jupiter: &'a Pubkey) -> SwapParams<'static, 'a> {
    let is_buy = source_mint == NATIVE_MINT;
    SwapParams {
        swap_mode: SwapMode::ExactIn,
        in_amount: 5,
        out_amount: 6,
        source_mint,
        destination_mint,
        source_token_account: if is_buy { WSOL } else { TOKENS },
        destination_token_account: if is_buy { TOKENS } else { WSOL },
        token_transfer_authority: USER,
        user: USER,
        payer: USER,
        quote_mint_to_referrer: None,
        jupiter_program_id: jupiter,
        missing_dynamic_accounts_as_default: false,
    }
}

#[test]
fn given_a_curve_when_jupiter_reads_it_then_it_is_a_market_of_its_mint_and_sol() {
    let amm = market(0);
    let token = CurveAddresses::derive(&MINT, &DEPLOYMENT);
    assert_eq!((amm.key(), amm.program_id()), (token.curve.address, DEPLOYMENT.program_id));
    assert_eq!(amm.get_reserve_mints(), [NATIVE_MINT, MINT]);
    assert_eq!(amm.get_accounts_to_update(), [token.curve.address, DEPLOYMENT.properties.address, token.vault]);
    assert_eq!((amm.label().as_str(), amm.get_accounts_len()), ("Curvekit", 13));
    assert!(amm.is_active() && amm.supports_exact_out() && !amm.has_dynamic_accounts());
    assert_eq!(amm.clone_amm().key(), amm.key());
    let quote = amm.quote(&ask(NATIVE_MINT, MINT, SOL, SwapMode::ExactIn)).unwrap();
    assert_eq!(quote.fee_pct.to_string(), "0.0100");
}

#[test]
fn given_what_the_program_refuses_when_it_is_quoted_then_the_error_says_why() {
    let refused = |amm: &CurveAmm, params| amm.quote(&params).unwrap_err().to_string();
    let amm = market(1_000);
    let sell = ask(MINT, NATIVE_MINT, 1_001, SwapMode::ExactIn);
    assert_eq!(refused(&amm, sell), "token_to_spend is 1001; only 1000 units are in circulation, sell at most these");
    let exact_out = ask(NATIVE_MINT, MINT, u64::MAX, SwapMode::ExactOut);
    assert!(refused(&amm, exact_out).contains("the curve sells only"));
    assert!(refused(&amm, ask(USER, MINT, 1, SwapMode::ExactIn)).starts_with("cannot trade "));

    let mut closed = amm.clone();
    closed.update(&accounts(STATUS_FINALIZED, 1_000)).unwrap();
    assert!(!closed.is_active());
    assert!(refused(&closed, ask(NATIVE_MINT, MINT, SOL, SwapMode::ExactIn)).contains("has graduated"));

    let fresh = CurveAmm::new(&keyed(json!({ "mint": MINT.to_string() })), &DEPLOYMENT).unwrap();
    assert_eq!(refused(&fresh, ask(NATIVE_MINT, MINT, SOL, SwapMode::ExactIn)), "no quote before the first update");
}

#[test]
fn given_a_swap_when_its_accounts_are_asked_for_then_they_are_those_of_the_instruction() {
    let amm = market(1_000);
    let (jupiter, token) = (Pubkey::default(), CurveAddresses::derive(&MINT, &DEPLOYMENT));
    let bought = amm.get_swap_and_account_metas(&swap(NATIVE_MINT, MINT, &jupiter)).unwrap();
    assert_eq!(bought.swap, Swap::TokenSwap);
    let bought = bought.account_metas;
    let buy = BuyToken { payer: USER, user_token_account: TOKENS, sol_to_spend: 5, min_token_to_receive: 6 };
    let buy = buy_token(&DEPLOYMENT, &token, &buy).unwrap();
    let wrapped = [AccountMeta::new(WSOL, false), AccountMeta::new_readonly(NATIVE_MINT, false)];
    assert_eq!(bought, [buy.accounts.as_slice(), &wrapped].concat());
    assert_eq!(bought.len(), amm.get_accounts_len());
    let sold = amm.get_swap_and_account_metas(&swap(MINT, NATIVE_MINT, &jupiter)).unwrap().account_metas;
    let sell = SellToken { payer: USER, user_token_account: TOKENS, token_to_spend: 5, min_sol_to_receive: 6 };
    let sell = sell_token(&DEPLOYMENT, &token, &sell).unwrap();
    assert_eq!(sold, [sell.accounts.as_slice(), &wrapped[..1]].concat());
    assert!(amm.get_swap_and_account_metas(&swap(USER, MINT, &jupiter)).is_err());
}

#[test]
fn given_accounts_that_do_not_fit_when_a_market_is_made_or_updated_then_it_is_refused_and_stays_as_it_was() {
    let problem = |keyed: &KeyedAccount| CurveAmm::new(keyed, &DEPLOYMENT).unwrap_err().to_string();
    let good = keyed(json!({ "mint": MINT.to_string() }));
    assert!(problem(&KeyedAccount { params: None, ..good.clone() }).contains(r#"params must be {"mint": "<address>"}"#));
    assert!(problem(&keyed(json!({ "mint": 5 }))).contains("params.mint is 5; it must be an address"));
    assert!(problem(&keyed(json!({ "mint": USER.to_string() }))).contains("is not the curve of mint"));
    let mut stranger = good.clone();
    stranger.account.owner = USER;
    assert!(problem(&stranger).contains("a curve belongs to"));

    let before = market(1_000);
    for address in before.get_accounts_to_update() {
        let mut amm = before.clone();
        let mut map = accounts(STATUS_FINALIZED, 1_000);
        map.get_mut(&address).unwrap().owner = USER;
        assert!(amm.update(&map).unwrap_err().to_string().contains("belongs to"));
        map.get_mut(&address).unwrap().data.clear();
        assert!(amm.update(&map).is_err());
        map.remove(&address);
        assert!(amm.update(&map).is_err());
        assert!(amm.is_active());
    }
}

#[test]
fn given_a_fee_receiver_in_the_params_when_a_market_is_made_then_its_trades_name_it() {
    let params = json!({ "mint": MINT.to_string(), "feeReceiver": USER.to_string() });
    let amm = CurveAmm::from_keyed_account(&keyed(params), &AmmContext::default()).unwrap();
    let jupiter = Pubkey::default();
    let metas = amm.get_swap_and_account_metas(&swap(NATIVE_MINT, MINT, &jupiter)).unwrap().account_metas;
    assert_eq!(metas[7].pubkey, USER);
    assert_eq!(metas[8].pubkey, DEPLOYMENT.properties.address);
    let params = json!({ "mint": MINT.to_string(), "feeReceiver": "x" });
    assert!(CurveAmm::from_keyed_account(&keyed(params), &AmmContext::default()).is_err());
}
