//! The file with the SDK's results. `tests/program/rust-client.test.ts` checks that it is up to date.

use std::{fs, path::Path};

use curvekit_client::Pubkey;
use serde_json::Value;

pub fn fixture() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sdk.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

pub fn key(value: &Value) -> Pubkey {
    value.as_str().unwrap().parse().unwrap()
}
