//! What the translator does not know, it refuses: one place of the programs' files altered at a time.
use std::{fs, path::PathBuf};

use translator::{Context, translate};

fn read(name: &str, path: &str) -> Context {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    Context { name: name.into(), path: path.into(), text }
}

/// The file with one place altered. Panics if the place is not there.
fn altered(file: &Context, from: &str, to: &str) -> Context {
    assert!(file.text.contains(from), "not in {}: {from}", file.path);
    Context { text: file.text.replacen(from, to, 1), ..file.clone() }
}

fn constants() -> Context {
    read("constants", "programs/interface/src/constants.rs")
}

fn curve() -> (Context, Vec<Context>) {
    let file = read("", "programs/interface/src/curve.rs");
    (file, vec![constants()])
}

fn split() -> (Context, Vec<Context>) {
    let of = |name: &str| read(name, &format!("programs/graduation/src/{name}.rs"));
    let file = read("", "programs/graduation/src/instructions/graduate/split.rs");
    (file, vec![constants(), of("error"), of("refusal")])
}

fn inverse() -> (Context, Vec<Context>) {
    let file = read("", "crates/curvekit-client/src/inverse.rs");
    (file, vec![constants(), read("curve", "programs/interface/src/curve.rs")])
}

fn expect_refusals((file, contexts): (Context, Vec<Context>), error: &str, cases: &[(&str, &str, &str)]) {
    assert!(translate(&file, &contexts, error).is_ok(), "the file itself");
    for (from, to, expected) in cases {
        match translate(&altered(&file, from, to), &contexts, error) {
            Ok(_) => panic!("translated: {to}"),
            Err(refused) => assert!(refused.0.starts_with(expected), "{to}\n  {refused}\n  expected: {expected}"),
        }
    }
}

const PRODUCT: &str = "u128::from(a).saturating_mul(u128::from(b))";
const NET: &str = "let net = sol_to_spend.checked_sub(fee).ok_or(TradeError::Logical)?;";

#[test]
fn what_it_does_not_know_in_the_curve() {
    expect_refusals(
        curve(),
        "TradeError",
        &[
            (PRODUCT, "u128::from(a).wrapping_mul(u128::from(b))", "method"),
            (PRODUCT, "u128::from(a) * u128::from(b)", "operator"),
            (PRODUCT, "u128::from(a).saturating_mul(b)", "u128 wanted"),
            (PRODUCT, "unsafe { product_of(a, b) }", "expression"),
            ("u64::try_from(quotient).map_err(|_| TradeError::Logical)", "Ok(quotient as u64)", "expression"),
            (NET, "let net = sol_to_spend.checked_sub(fee).unwrap();", "method"),
            (NET, "let mut net = sol_to_spend;", "pattern"),
            (NET, "let net = sol_to_spend.checked_sub(fee).ok_or(5)?;", "error"),
            (NET, "let bind = sol_to_spend;", "a name that the translation needs"),
            (NET, "let v1 = sol_to_spend;", "a name that the translation needs"),
            (NET, "while fee > 0 {}", "statement"),
            (NET, "log(fee);", "statement"),
            (NET, "println!();", "statement"),
            (NET, "if fee == 0 { log(fee) }", "function"),
            ("if token_out == 0 {", "if token_out == 0 && fee_on(net, fee_bps)? == 0 {", "operands"),
            ("if token_out == 0 {", "if token_out == fee_bps {", "integers of two types"),
            ("let fee = fee_on(sol_to_spend, fee_bps)?;", "let fee = fee_on(fee_bps, sol_to_spend)?;", "arguments"),
            ("(available, net, fee)\n", "return Ok(nothing);\n", "name"),
            ("fn fee_on(gross: u64", "unsafe fn fee_on(gross: u64", "function"),
            ("fn fee_on(gross: u64", "fn fee_on<T>(gross: u64", "function"),
            ("fn fee_on(gross: u64", "fn fee_on(mut gross: u64", "parameter"),
            ("fn fee_on(gross: u64", "fn fee_on(gross: usize", "type"),
            ("pub fn product", "#[cfg(feature = \"x\")]\nfn product", "attribute"),
            ("pub fn product", "#[rewritten]\nfn product", "attribute"),
            ("use crate::constants::BASIS_POINTS;", "use elsewhere::BASIS_POINTS;", "import"),
            ("use crate::constants::BASIS_POINTS;", "static BASIS_POINTS: u16 = 10_000;", "item"),
            ("use crate::constants::BASIS_POINTS;", "use crate::constants::NONE;", "constants does not declare"),
            ("impl Buy {", "impl Drop for Buy {", "item"),
            ("Rounding::Down => product(a, b),", "_ => product(a, b),", "arm"),
            ("product(a, b).checked_add(most_remainder)", "mul_div(a, b, divisor, rounding)", "functions that call"),
        ],
    );
}

#[test]
fn what_it_does_not_know_in_the_split() {
    expect_refusals(
        split(),
        "GraduationError",
        &[
            ("share = |amount|", "share = |&amount|", "parameter"),
            ("share = |amount|", "share = |amount, other|", "closure"),
            ("share(migration.sol)?", "share(migration.sol, costs)?", "arguments"),
            (".unwrap_or(0)", ".unwrap_or_default()", "method"),
            ("require(pool_sol > 0", "require_all(pool_sol > 0", "function"),
            (".and_then(|result| u64::try_from(result).ok())", ".map(|result| result as u64)", "method"),
            ("u128::from(a).checked_mul(b.into())?", "u128::from(a).checked_mul(b)?", "u128 wanted"),
            ("GraduationError::TooLittleForPool)?;", "GraduationError::TooLittle)?;", "name"),
        ],
    );
}

#[test]
fn what_it_does_not_know_in_the_inverse() {
    const CHECK: &str = "reserves.virtual_sol.checked_add(net)?;";
    expect_refusals(
        inverse(),
        "TradeError",
        &[
            (CHECK, "reserves.virtual_sol.checked_add(net);", "statement"),
            (CHECK, "net?;", "a statement with a value"),
            (CHECK, "reserves.virtual_amount.checked_add(net)?;", "field"),
            ("Some(token_in)", "Ok(token_in)", "a value that the function does not return"),
            ("Some(token_in)", "Some(fee_bps)", "a body of Int(\"u16\")"),
            (
                "dividend.checked_add(u128::from(most_remainder))?",
                "dividend.div_ceil(2)",
                "an operation that may panic",
            ),
            ("curve::{product, Reserves}", "curve::{product, Reserve}", "curve does not declare"),
        ],
    );
}

#[test]
fn an_import_that_does_something_else() {
    let (file, contexts) = split();
    for (from, to, expected) in [
        ("if holds {", "if !holds {", "a require that is not the model's"),
        ("refusal(GraduationError::AmountOutOfRange)", "refusal(error())", "error"),
    ] {
        let context = contexts.iter().map(|own| match own.name.as_str() {
            "refusal" => altered(own, from, to),
            _ => own.clone(),
        });
        match translate(&file, &context.collect::<Vec<_>>(), "GraduationError") {
            Ok(_) => panic!("translated: {to}"),
            Err(refused) => assert!(refused.0.starts_with(expected), "{to}\n  {refused}\n  expected: {expected}"),
        }
    }
}
