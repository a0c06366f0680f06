//! Checks the constants, discriminators and accounts of this crate and of `curvekit-interface` against the committed IDLs.

#![allow(clippy::arithmetic_side_effects, clippy::unwrap_used)]

use std::{fs, path::Path};

use curvekit_client::{
    accounts::{Properties, TokenOwnerData},
    addresses::CurveAddresses,
    constants,
    deployment::Deployment,
    errors::{CurveError, GraduationError},
    instructions::{
        self, buy_token, create_token, graduate, migrate, sell_token, BuyToken, CreateToken, Migrate, SellToken,
    },
    records::discriminators as records,
    Instruction, Pubkey,
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

fn assert_is_of_idl(idl: &Value, name: &str, built: &Instruction) {
    let described = named(idl, "instructions", name);
    assert_eq!(built.program_id.to_string(), idl["address"].as_str().unwrap());
    assert_eq!(Value::from(&built.data[..8]), described["discriminator"], "{name}");
    let items = account_items(described);
    assert_eq!(built.accounts.len(), items.len(), "{name}");
    for (meta, item) in built.accounts.iter().zip(items) {
        assert_eq!(meta.is_signer, item["signer"] == true, "{name}: {}", item["name"]);
        assert_eq!(meta.is_writable, item["writable"] == true, "{name}: {}", item["name"]);
        if let Some(address) = item["address"].as_str() {
            assert_eq!(meta.pubkey.to_string(), address, "{name}: {}", item["name"]);
        }
    }
}

#[test]
fn given_the_idl_when_instructions_are_built_then_accounts_flags_and_fixed_addresses_are_its() {
    let (curve, graduation) = (idl("bonding_curve.json"), idl("graduation.json"));
    let deployment = Deployment::DEVELOPMENT;
    let [mint, payer, tokens] = [1, 2, 3].map(|byte| Pubkey::new_from_array([byte; 32]));
    let token = CurveAddresses::derive(&mint, &deployment);
    let create = CreateToken {
        payer,
        name: "n",
        symbol: "s",
        uri: "u",
        after_migration_fee: 0,
        after_migration_burn_bp: 0,
        after_migration_holders_bp: 0,
        after_migration_lp_bp: 0,
    };
    assert_is_of_idl(&curve, "create_token", &create_token(&deployment, &token, &create).unwrap());
    let buy = BuyToken { payer, user_token_account: tokens, sol_to_spend: 1, min_token_to_receive: 0 };
    assert_is_of_idl(&curve, "buy_token", &buy_token(&deployment, &token, &buy).unwrap());
    let sell = SellToken { payer, user_token_account: tokens, token_to_spend: 1, min_sol_to_receive: 0 };
    assert_is_of_idl(&curve, "sell_token", &sell_token(&deployment, &token, &sell).unwrap());
    let migration = migrate(&deployment, &token, &Migrate { fee_token_account: tokens });
    assert_is_of_idl(&curve, "migrate", &migration);
    assert_is_of_idl(&graduation, "graduate", &graduate(&Deployment::DEVELOPMENT, &token, &payer).unwrap());
    for idl in [curve, graduation] {
        let expected = discriminator(&idl, "instructions", "validate_log_record");
        assert_eq!(Value::from(&instructions::discriminators::VALIDATE_LOG_RECORD[..]), expected);
    }
    let error = graduate(&Deployment::KEY_HELD_DEVELOPMENT, &token, &payer).unwrap_err().to_string();
    assert!(error.contains("its holder calls migrate instead"), "{error}");
}

#[test]
fn given_the_idl_when_its_constants_are_compared_then_they_are_the_crates() {
    let (curve, graduation) = (idl("bonding_curve.json"), idl("graduation.json"));
    let value = |idl: &Value, name: &str| named(idl, "constants", name)["value"].as_str().unwrap().to_owned();
    let seed = |bytes: &[u8]| format!("{bytes:?}");
    let Deployment { fee_receiver, dex_owner, properties, log_authority, graduation: own, .. } =
        Deployment::DEVELOPMENT;
    for (name, expected) in [
        ("AFTER_MIGRATION_FEES", format!("{:?}", constants::AFTER_MIGRATION_FEES)),
        ("BASIS_POINTS", constants::BASIS_POINTS.to_string()),
        ("COMMUNITY_TOKEN_SEED", seed(constants::COMMUNITY_TOKEN_SEED)),
        ("COMMUNITY_WSOL_SEED", seed(constants::COMMUNITY_WSOL_SEED)),
        ("DEX_OWNER", dex_owner.to_string()),
        ("FEE_RECEIVER", fee_receiver.to_string()),
        ("GRADUATION_VIRTUAL_TOKEN", constants::GRADUATION_VIRTUAL_TOKEN.to_string()),
        ("LOGGING_AUTHORITY_ADDRESS", log_authority.address.to_string()),
        ("LOGGING_AUTHORITY_BUMP", log_authority.bump.to_string()),
        ("LOGGING_AUTHORITY_SEED", seed(constants::LOGGING_AUTHORITY_SEED)),
        ("MAX_NAME_LENGTH", constants::MAX_NAME_LENGTH.to_string()),
        ("MAX_PLATFORM_FEE_BPS", constants::MAX_PLATFORM_FEE_BPS.to_string()),
        ("MAX_SYMBOL_LENGTH", constants::MAX_SYMBOL_LENGTH.to_string()),
        ("MAX_URI_LENGTH", constants::MAX_URI_LENGTH.to_string()),
        ("PROPERTIES_ADDRESS", properties.address.to_string()),
        ("PROPERTIES_BUMP", properties.bump.to_string()),
        ("SETTINGS_SEED", seed(constants::SETTINGS_SEED)),
        ("STATUS_FINALIZED", constants::STATUS_FINALIZED.to_string()),
        ("STATUS_MIGRATED", constants::STATUS_MIGRATED.to_string()),
        ("STATUS_TRADING", constants::STATUS_TRADING.to_string()),
        ("TOKEN_DECIMALS", constants::TOKEN_DECIMALS.to_string()),
        ("TOKEN_OWNER_SEED", seed(constants::TOKEN_OWNER_SEED)),
        ("TOKEN_SUPPLY", constants::TOKEN_SUPPLY.to_string()),
    ] {
        assert_eq!(value(&curve, name), expected, "{name}");
    }
    for (name, expected) in [
        ("AMM_CONFIG", constants::AMM_CONFIG.to_string()),
        ("AMM_PROGRAM", constants::AMM_PROGRAM.to_string()),
        ("CURVE_PROGRAM", Deployment::DEVELOPMENT.program_id.to_string()),
        ("FEE_RECEIVER", own.fee_receiver.address.to_string()),
        ("FEE_RECEIVER_BUMP", own.fee_receiver.bump.to_string()),
        ("FEE_RECEIVER_SEED", seed(constants::FEE_RECEIVER_SEED)),
        ("POOL_CREATOR", own.pool_creator.address.to_string()),
        ("POOL_CREATOR_BUMP", own.pool_creator.bump.to_string()),
        ("POOL_CREATOR_SEED", seed(constants::POOL_CREATOR_SEED)),
        ("POOL_SEED", seed(constants::POOL_SEED)),
        ("TOKENS_SEED", seed(constants::TOKENS_SEED)),
        ("WRAPPED_SOL_SEED", seed(constants::WRAPPED_SOL_SEED)),
    ] {
        assert_eq!(value(&graduation, name), expected, "{name}");
    }
    let Deployment { program_id, .. } = Deployment::DEVELOPMENT;
    assert_eq!(Deployment::new(program_id, fee_receiver, dex_owner, own.program_id), Deployment::DEVELOPMENT);
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
