//! Decodes accounts and records that the TypeScript SDK encoded.

#![allow(clippy::arithmetic_side_effects, clippy::unwrap_used)]

mod common;

use common::{fixture, key};
use curvekit_client::{
    accounts::{Properties, TokenOwnerData},
    deployment::Deployment,
    instructions::discriminators::VALIDATE_LOG_RECORD,
    records::{CreateRecord, GraduateRecord, MigrateRecord, Record, TradeRecord},
    Pubkey,
};
use serde_json::Value;

const DEPLOYMENT: Deployment = Deployment::DEVELOPMENT;
const PAYER: Pubkey = Pubkey::new_from_array([2; 32]);

fn bytes(value: &Value) -> Vec<u8> {
    let digits = value.as_str().unwrap().as_bytes();
    digits.chunks(2).map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

#[test]
fn given_accounts_that_the_sdk_wrote_when_they_are_decoded_then_every_field_is_in_its_place() {
    let accounts = &fixture()["accounts"];
    let curve = TokenOwnerData {
        initialized: 2,
        virtual_sol: 0x0102_0304_0506_0708,
        virtual_token: 0x1112_1314_1516_1718,
        after_migration_fee: 0x2122,
        after_migration_burn_bp: 0x3132,
    };
    assert_eq!(TokenOwnerData::decode(&bytes(&accounts["tokenOwnerData"])), Ok(curve));
    assert!(curve.is_finalized() && !curve.is_trading() && !curve.is_migrated());
    let properties = Properties {
        initialized: 1,
        bump: 254,
        initial_virtual_sol: 0x0102_0304_0506_0708,
        initial_virtual_token: 0x1112_1314_1516_1718,
        platform_fee_bps: 0x2122,
    };
    assert_eq!(Properties::decode(&bytes(&accounts["properties"])), Ok(properties));
}

fn records() -> [(&'static str, Record); 4] {
    let [mint, second, third] = [1, 2, 3].map(|byte| Pubkey::new_from_array([byte; 32]));
    [
        (
            "create",
            Record::Create(CreateRecord {
                mint,
                creator: second,
                token_owner_pda: third,
                name: "Curve 🌊".to_owned(),
                symbol: "CRV".to_owned(),
                uri: "https://example.org".to_owned(),
                after_migration_fee: 4,
                burn_bp: 5,
                holders_bp: 6,
                lp_bp: 7,
                virtual_sol: 8,
                virtual_token: 9,
                platform_fee_bps: 10,
                timestamp: -11,
            }),
        ),
        (
            "trade",
            Record::Trade(TradeRecord {
                mint,
                trader: second,
                is_buy: true,
                sol_amount: 3,
                token_amount: 4,
                fee: 5,
                virtual_sol: 6,
                virtual_token: 7,
                finalized: false,
                timestamp: 8,
            }),
        ),
        (
            "migrate",
            Record::Migrate(MigrateRecord { mint, fee_account: second, sol_amount: 3, token_amount: 4, timestamp: 5 }),
        ),
        (
            "graduate",
            Record::Graduate(GraduateRecord {
                mint,
                pool: second,
                pool_sol: 3,
                pool_token: 4,
                community_sol: 5,
                community_token: 6,
                burnt: 7,
                costs: 8,
                lp_burnt: 9,
                timestamp: 10,
            }),
        ),
    ]
}

#[test]
fn given_records_that_the_sdk_wrote_when_they_are_decoded_then_every_field_is_in_its_place() {
    let fixture = fixture();
    for (name, expected) in records() {
        let mut written = bytes(&fixture["records"][name]);
        for length in 0..written.len() {
            assert_eq!(Record::decode(&written[..length]), None, "{name} of {length} bytes");
        }
        assert_eq!(Record::decode(&written), Some(expected.clone()));
        // A later version can append fields.
        written.push(1);
        assert_eq!(Record::decode(&written), Some(expected));
        written[0] ^= 1;
        assert_eq!(Record::decode(&written), None);
    }
}

#[test]
fn given_an_inner_instruction_when_its_record_is_read_then_only_a_call_that_a_program_signed_for_has_one() {
    let fixture = fixture();
    let records = &fixture["records"];
    let (log_authority, fee_receiver) = (key(&records["logAuthority"]), key(&records["graduationFeeReceiver"]));
    let [(_, _), (_, trade), (_, _), (_, graduation)] = self::records();
    let call = |header: &[u8], record: &str| [&VALIDATE_LOG_RECORD, header, &bytes(&records[record])].concat();
    let (curve_call, graduation_call) = (call(&[255], "trade"), call(&[], "graduate"));
    let read = |program: Pubkey, accounts: &[Pubkey], data: &[u8]| {
        Record::of_inner_instruction(&DEPLOYMENT, &program, accounts, data)
    };
    let (curve, own) = (DEPLOYMENT.program_id, DEPLOYMENT.graduation.program_id);
    assert_eq!(read(curve, &[log_authority], &curve_call), Some(trade));
    assert_eq!(read(own, &[fee_receiver], &graduation_call), Some(graduation));

    let mut other_tag = curve_call.clone();
    other_tag[0] ^= 1;
    for (program, accounts, data) in [
        (PAYER, &[log_authority][..], &curve_call),
        (curve, &[PAYER], &curve_call),
        (curve, &[log_authority, PAYER], &curve_call),
        (curve, &[], &curve_call),
        (curve, &[log_authority], &other_tag),
        (curve, &[log_authority], &VALIDATE_LOG_RECORD.to_vec()),
        (own, &[log_authority], &curve_call),
        (curve, &[fee_receiver], &graduation_call),
    ] {
        assert_eq!(read(program, accounts, data), None);
    }
}
