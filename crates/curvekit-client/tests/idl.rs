//! Checks the errors, discriminators and lists of accounts of this crate and of `curvekit-interface` against the committed IDLs.
//! The IDLs take their constants from `curvekit-interface`, and parity.rs compares every byte of the instructions.

#![allow(clippy::arithmetic_side_effects, clippy::unwrap_used)]

use std::{fs, path::Path};

use curvekit_client::{
    accounts::{Properties, TokenOwnerData},
    addresses::CurveAddresses,
    deployment::Deployment,
    errors::{CurveError, GraduationError},
    instructions::{discriminators::VALIDATE_LOG_RECORD, graduate},
    records::discriminators as records,
    Pubkey,
};
use curvekit_interface::instructions::{
    AdminSetPropertiesAccounts, BuyTokenAccounts, CreateTokenAccounts, GraduateAccounts, GraduationLogAccounts,
    MigrateAccounts, RaydiumPoolAccounts, SellTokenAccounts, SweepAccounts, ValidateLogRecordAccounts,
};
use serde_json::Value;

fn idl(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/artifacts").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap()
}

fn named<'a>(idl: &'a Value, kind: &str, name: &str) -> &'a Value {
    list(idl, kind).iter().find(|item| item["name"] == name).unwrap_or_else(|| panic!("the IDL has no {name}"))
}

fn discriminator(idl: &Value, kind: &str, name: &str) -> Value {
    named(idl, kind, name)["discriminator"].clone()
}

/// Accounts of an instruction, including those of nested groups.
fn account_items(instruction: &Value) -> Vec<&Value> {
    let items = list(instruction, "accounts").iter();
    items
        .flat_map(|item| {
            item.get("accounts").and_then(Value::as_array).map_or_else(|| vec![item], |inner| inner.iter().collect())
        })
        .collect()
}

#[test]
fn given_the_development_keys_when_a_deployment_is_made_of_them_then_it_is_the_crates_and_one_by_a_key_cannot_graduate()
{
    let Deployment { program_id, fee_receiver, dex_owner, graduation: own, .. } = Deployment::DEVELOPMENT;
    assert_eq!(Deployment::new(program_id, fee_receiver, dex_owner, own.program_id), Deployment::DEVELOPMENT);
    let [mint, payer] = [1, 2].map(|byte| Pubkey::new_from_array([byte; 32]));
    let token = CurveAddresses::derive(&mint, &Deployment::DEVELOPMENT);
    let error = graduate(&Deployment::KEY_HELD_DEVELOPMENT, &token, &payer).unwrap_err().to_string();
    assert!(error.contains("its holder calls migrate instead"), "{error}");
}

#[test]
fn given_the_idl_when_its_errors_accounts_and_events_are_compared_then_they_are_the_crates() {
    let (curve, graduation) = (idl("bonding_curve.json"), idl("graduation.json"));
    let curve_errors = CurveError::ALL.iter().map(|error| (error.code(), error.name(), error.message()));
    assert_eq!(errors_of(&curve), curve_errors.collect::<Vec<_>>());
    let graduation_errors = GraduationError::ALL.iter().map(|error| (error.code(), error.name(), error.message()));
    assert_eq!(errors_of(&graduation), graduation_errors.collect::<Vec<_>>());
    for error in CurveError::ALL {
        assert_eq!(CurveError::from_code(error.code()), Some(*error));
    }
    assert_eq!((CurveError::from_code(6006), GraduationError::from_code(6008)), (None, None));
    assert_eq!(CurveError::SlippageError.to_string(), "SlippageError (6003): Slippage error");

    assert_eq!(Value::from(&TokenOwnerData::DISCRIMINATOR[..]), discriminator(&curve, "accounts", "TokenOwnerData"));
    assert_eq!(Value::from(&Properties::DISCRIMINATOR[..]), discriminator(&curve, "accounts", "Properties"));
    for idl in [&curve, &graduation] {
        let expected = discriminator(idl, "instructions", "validate_log_record");
        assert_eq!(Value::from(&VALIDATE_LOG_RECORD[..]), expected);
    }
    assert_eq!(Value::from(&records::CREATE[..]), discriminator(&curve, "events", "CreateRecord"));
    assert_eq!(Value::from(&records::TRADE[..]), discriminator(&curve, "events", "TradeRecord"));
    assert_eq!(Value::from(&records::MIGRATE[..]), discriminator(&curve, "events", "MigrateRecord"));
    assert_eq!(Value::from(&records::GRADUATE[..]), discriminator(&graduation, "events", "GraduateRecord"));
}

#[test]
fn given_the_idl_when_the_lists_of_accounts_are_compared_then_names_and_flags_are_its() {
    let (curve, graduation) = (idl("bonding_curve.json"), idl("graduation.json"));
    macro_rules! assert_lists {
        ($idl:ident $instruction:literal: $($list:ident)+) => {
            let mut listed = vec![];
            $(
                let roles = $list::from([(); $list::COUNT]).with_roles();
                listed.extend($list::NAMES.into_iter().zip(roles.map(|((), role)| (role.signer, role.writable))));
            )+
            let described = account_items(named(&$idl, "instructions", $instruction)).into_iter().map(|item| {
                (item["name"].as_str().unwrap(), (item["signer"] == true, item["writable"] == true))
            });
            assert_eq!(listed, described.collect::<Vec<_>>(), $instruction);
        };
    }
    assert_lists!(curve "create_token": CreateTokenAccounts);
    assert_lists!(curve "buy_token": BuyTokenAccounts);
    assert_lists!(curve "sell_token": SellTokenAccounts);
    assert_lists!(curve "migrate": MigrateAccounts);
    assert_lists!(curve "validate_log_record": ValidateLogRecordAccounts);
    assert_lists!(curve "admin_set_properties": AdminSetPropertiesAccounts);
    assert_lists!(graduation "graduate": GraduateAccounts RaydiumPoolAccounts);
    assert_lists!(graduation "sweep": SweepAccounts);
    assert_lists!(graduation "validate_log_record": GraduationLogAccounts);
}

fn errors_of(idl: &Value) -> Vec<(u32, &str, &str)> {
    let errors = list(idl, "errors").iter();
    errors
        .map(|error| {
            let code = u32::try_from(error["code"].as_u64().unwrap()).unwrap();
            (code, error["name"].as_str().unwrap(), error["msg"].as_str().unwrap())
        })
        .collect()
}
