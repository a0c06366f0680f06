//! Jupiter's adapter from outside: a list of markets, the edge of graduation, swaps of native SOL.

#![cfg(feature = "jupiter")]
#![allow(clippy::arithmetic_side_effects, clippy::unwrap_used)]

mod common;

use common::{fixture, key};
use curvekit_client::{
    accounts::{Properties, TokenOwnerData},
    addresses::CurveAddresses,
    constants::{GRADUATION_VIRTUAL_TOKEN, NATIVE_MINT, STATUS_TRADING, TOKEN_PROGRAM},
    deployment::Deployment,
    jupiter::{
        interface::{AccountMap, Amm, FeeMode, KeyedAccount, Market, Quote, QuoteParams, SwapMode, SwapParams},
        CurveAmm, CurveMarket,
    },
    Pubkey,
};
use proptest::prelude::*;
use serde_json::{json, Value};

const MINT: Pubkey = Pubkey::new_from_array([7; 32]);
const USER: Pubkey = Pubkey::new_from_array([8; 32]);
const TOKENS: Pubkey = Pubkey::new_from_array([9; 32]);
const FEE_RECEIVER: Pubkey = Pubkey::new_from_array([11; 32]);

fn deployment() -> Deployment {
    let Deployment { program_id, dex_owner, graduation, .. } = Deployment::DEVELOPMENT;
    Deployment::new(program_id, FEE_RECEIVER, dex_owner, graduation.program_id)
}

/// Built from JSON, to avoid a dependency on the interface's version of the crate with `Account`.
fn put(accounts: &mut AccountMap, address: Pubkey, owner: Pubkey, data: &[u8]) {
    let account = json!({
        "lamports": 1, "data": data, "owner": owner.to_bytes(), "executable": false, "rentEpoch": 0, "rent_epoch": 0,
    });
    let keyed = json!({ "key": address.to_bytes(), "account": account, "params": null });
    let KeyedAccount { key, account, .. } = serde_json::from_value(keyed).unwrap();
    accounts.insert(key, account);
}

/// A trading curve with these reserves, in the accounts that a market reads.
fn accounts_of(mint: Pubkey, virtual_sol: u64, virtual_token: u64, fee_bps: u16) -> AccountMap {
    let mut accounts = AccountMap::default();
    let (deployment, token) = (deployment(), CurveAddresses::derive(&mint, &deployment()));
    let mut curve = [&TokenOwnerData::DISCRIMINATOR[..], &[STATUS_TRADING]].concat();
    curve.extend([virtual_sol, virtual_token].iter().flat_map(|reserve| reserve.to_le_bytes()));
    curve.extend([0; 4]);
    put(&mut accounts, token.curve.address, deployment.program_id, &curve);
    let mut properties = [&Properties::DISCRIMINATOR[..], &[1, 255], &[0; 16]].concat();
    properties.extend(fee_bps.to_le_bytes());
    put(&mut accounts, deployment.properties.address, deployment.program_id, &properties);
    // An empty vault: all tokens circulate.
    let mut vault = vec![0; 165];
    vault[..32].copy_from_slice(mint.as_array());
    put(&mut accounts, token.vault, TOKEN_PROGRAM, &vault);
    accounts
}

fn markets_of(mints: &[Pubkey]) -> Vec<Market> {
    let entry = |mint: &Pubkey| json!({ "mint": mint.to_string(), "feeReceiver": FEE_RECEIVER.to_string() });
    let list = CurveMarket::read_list(&mints.iter().map(entry).collect()).unwrap();
    list.iter().map(|market| market.market(&Deployment::DEVELOPMENT.program_id)).collect()
}

fn market(virtual_sol: u64, virtual_token: u64, fee_bps: u16) -> CurveAmm {
    let accounts = accounts_of(MINT, virtual_sol, virtual_token, fee_bps);
    let markets = markets_of(&[MINT]);
    let amm = CurveAmm::from_markets(&markets, &accounts).next().unwrap();
    amm.unwrap()
}

fn quote(amm: &CurveAmm, is_buy: bool, swap_mode: SwapMode, amount: u64) -> anyhow::Result<Quote> {
    let (input_mint, output_mint) = if is_buy { (NATIVE_MINT, MINT) } else { (MINT, NATIVE_MINT) };
    amm.quote(&QuoteParams { amount, input_mint, output_mint, swap_mode, fee_mode: FeeMode::Normal })
}

proptest! {
    #[test]
    fn given_a_curve_before_graduation_when_all_of_it_is_bought_then_one_unit_or_too_much_more_is_refused(
        left in 1_u64..1_000_000_000_000,
        virtual_sol in 30_000_000_000_u64..200_000_000_000,
        fee_bps in 0_u16..=1_000,
    ) {
        let amm = market(virtual_sol, GRADUATION_VIRTUAL_TOKEN + left, fee_bps);
        let all = quote(&amm, true, SwapMode::ExactOut, left).unwrap();
        prop_assert_eq!(all.out_amount, left);
        let again = quote(&amm, true, SwapMode::ExactIn, all.in_amount).unwrap();
        prop_assert_eq!((again.in_amount, again.out_amount, again.fee_amount), (all.in_amount, left, all.fee_amount));
        prop_assert!(quote(&amm, true, SwapMode::ExactOut, left + 1).is_err());
        let refusal = quote(&amm, true, SwapMode::ExactIn, 1_000_000_000_000).unwrap_err().to_string();
        let most = format!("cost {} lamports, ask for at most that", all.in_amount);
        prop_assert!(refusal.ends_with(&most), "{}", refusal);
    }
}

#[test]
fn given_a_list_of_markets_when_the_accounts_are_fetched_then_each_is_a_market_and_one_bad_does_not_stop_the_others() {
    let mints: Vec<Pubkey> = (1..=4).map(|index| Pubkey::new_from_array([index; 32])).collect();
    let mut accounts = AccountMap::default();
    for mint in &mints[..3] {
        accounts.extend(accounts_of(*mint, 30_000_000_000, 1_073_000_000_000_000, 100));
    }
    let token = CurveAddresses::derive(&mints[1], &deployment());
    accounts.get_mut(&token.curve.address).unwrap().data.clear();
    accounts.remove(&CurveAddresses::derive(&mints[2], &deployment()).vault);

    let markets = markets_of(&mints);
    // As Jupiter keeps them: a JSON file.
    let kept: Vec<Market> = serde_json::from_str(&serde_json::to_string(&markets).unwrap()).unwrap();
    let mut amms = CurveAmm::from_markets(&kept, &accounts);
    let first = amms.next().unwrap().unwrap();
    assert_eq!(first.get_reserve_mints(), [NATIVE_MINT, mints[0]]);
    assert_eq!(first.key(), markets[0].pubkey);
    assert!(first.is_active());
    let ask = |amm: &CurveAmm, mint| {
        let swap_mode = SwapMode::ExactIn;
        let (input_mint, fee_mode) = (NATIVE_MINT, FeeMode::Normal);
        amm.quote(&QuoteParams { amount: 1_000, input_mint, output_mint: mint, swap_mode, fee_mode })
    };
    assert!(ask(&first, mints[0]).is_ok());
    assert!(format!("{:#}", amms.next().unwrap().unwrap_err()).contains("the data has 0 bytes"));
    let third = amms.next().unwrap().unwrap();
    assert_eq!(ask(&third, mints[2]).unwrap_err().to_string(), "no quote before the first update");
    assert!(amms.next().unwrap().unwrap_err().to_string().ends_with("is missing"));
    assert!(amms.next().is_none());
}

#[test]
fn given_markets_of_two_programs_when_they_are_made_from_one_list_then_each_has_its_own_addresses() {
    let other = Pubkey::new_from_array([12; 32]);
    let entry = CurveMarket { mint: MINT, fee_receiver: FEE_RECEIVER };
    let markets = [&Deployment::DEVELOPMENT.program_id, &other].map(|program_id| entry.market(program_id));
    let mut accounts = accounts_of(MINT, 30_000_000_000, 1_073_000_000_000_000, 100);
    let data = accounts[&markets[0].pubkey].data.clone();
    put(&mut accounts, markets[1].pubkey, other, &data);
    let amms: Vec<CurveAmm> = CurveAmm::from_markets(&markets, &accounts).collect::<Result<_, _>>().unwrap();
    assert_eq!(amms.iter().map(Amm::program_id).collect::<Vec<_>>(), [Deployment::DEVELOPMENT.program_id, other]);
    assert_ne!(amms[0].get_accounts_to_update()[1], amms[1].get_accounts_to_update()[1]);
}

#[test]
fn given_a_list_with_a_wrong_entry_when_it_is_read_then_the_error_names_it() {
    let good = json!({ "mint": MINT.to_string(), "feeReceiver": USER.to_string() });
    let problem = |list: Value| CurveMarket::read_list(&list).unwrap_err().to_string();
    assert_eq!(problem(json!({})), "the list of markets is not a JSON array");
    assert_eq!(problem(json!([good, { "mint": MINT.to_string() }])), "market 1: feeReceiver is missing");
    assert!(problem(json!([{ "feeReceiver": USER.to_string() }])).starts_with("market 0: params must be"));
    assert!(problem(json!([good, { "mint": 5 }])).starts_with("market 1: params.mint is 5"));
    let market = CurveMarket { mint: MINT, fee_receiver: USER };
    assert_eq!(CurveMarket::read_list(&json!([good])).unwrap(), [market]);
}

#[test]
fn given_the_sdks_instructions_when_a_swap_is_of_native_sol_then_it_is_the_same_instruction() {
    for case in fixture()["instructions"].as_array().unwrap() {
        let mint = key(&case["mint"]);
        let token = CurveAddresses::derive(&mint, &Deployment::DEVELOPMENT);
        let params = Some(json!({ "mint": mint.to_string() }));
        let accounts = accounts_of(mint, 30_000_000_000, 1_073_000_000_000_000, 100);
        let account = accounts[&token.curve.address].clone();
        let keyed = KeyedAccount { key: token.curve.address, account, params };
        let amm = CurveAmm::new(&keyed, &Deployment::DEVELOPMENT).unwrap();
        for (name, is_buy) in [("buyToken", true), ("sellToken", false)] {
            let expected = case[name].as_array().unwrap().last().unwrap();
            let accounts = expected["accounts"].as_array().unwrap();
            let jupiter = Pubkey::default();
            let (source_mint, destination_mint) = if is_buy { (NATIVE_MINT, mint) } else { (mint, NATIVE_MINT) };
            let tokens = key(&accounts[if is_buy { 6 } else { 5 }][0]);
            let swap = SwapParams {
                swap_mode: SwapMode::ExactIn,
                in_amount: if is_buy { 1 } else { u64::MAX },
                out_amount: if is_buy { u64::MAX } else { 2 },
                source_mint,
                destination_mint,
                source_token_account: if is_buy { TOKENS } else { tokens },
                destination_token_account: if is_buy { tokens } else { TOKENS },
                token_transfer_authority: key(&accounts[0][0]),
                user: USER,
                payer: USER,
                quote_mint_to_referrer: None,
                jupiter_program_id: &jupiter,
                missing_dynamic_accounts_as_default: false,
            };
            let built = amm.native_swap(&swap).unwrap();
            let metas = built.accounts.iter();
            let metas: Value =
                metas.map(|meta| json!([meta.pubkey.to_string(), meta.is_signer, meta.is_writable])).collect();
            let data: String = built.data.iter().map(|byte| format!("{byte:02x}")).collect();
            let program = built.program_id.to_string();
            assert_eq!(&json!({ "program": program, "accounts": metas, "data": data }), expected);
            assert_eq!(amm.native_swap(&SwapParams { swap_mode: SwapMode::ExactOut, ..swap }).unwrap(), built);
        }
    }
}
