use super::*;
use crate::constants::{GRADUATION_VIRTUAL_TOKEN, MAX_PLATFORM_FEE_BPS, TOKEN_SUPPLY};

const DEFAULT: Properties = Properties {
    initialized: 1,
    bump: PROPERTIES_BUMP,
    initial_virtual_sol: 30_000_000_000,
    initial_virtual_token: 1_073_000_000_000_000,
    platform_fee_bps: 100,
};

#[test]
fn given_properties_when_they_are_written_then_their_bytes_are_these() -> Result<()> {
    let properties = Properties {
        initialized: 1,
        bump: 0xfe,
        initial_virtual_sol: 0x0102_0304_0506_0708,
        initial_virtual_token: 0x1112_1314_1516_1718,
        platform_fee_bps: 0x2122,
    };
    let mut bytes = Vec::new();
    properties.try_serialize(&mut bytes)?;
    assert_eq!(bytes.len(), Properties::SIZE);
    assert_eq!(bytes[..8], [159, 174, 50, 69, 56, 172, 223, 135]);
    assert_eq!(bytes[8..10], [1, 0xfe]);
    assert_eq!(bytes[10..18], [8, 7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(bytes[18..26], [0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11]);
    assert_eq!(bytes[26..28], [0x22, 0x21]);
    assert_eq!(Properties::try_deserialize(&mut bytes.as_slice())?, properties);
    Ok(())
}

#[test]
fn given_each_field_at_its_bounds_when_checked_then_only_the_inside_passes() {
    assert!(DEFAULT.invariant().is_ok());
    let token = |initial_virtual_token| Properties { initial_virtual_token, ..DEFAULT }.invariant();
    assert!(token(TOKEN_SUPPLY).is_err());
    assert!(token(TOKEN_SUPPLY + 1).is_ok());
    assert!(token(TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN - 1).is_ok());
    assert!(token(TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN).is_err());
    let sol = |initial_virtual_sol| Properties { initial_virtual_sol, ..DEFAULT }.invariant();
    assert!(sol(0).is_err());
    assert!(sol(1).is_ok());
    // 280e12 · (2^64 − 1) / 1,073e12
    assert!(sol(4_813_689_040_669_780_477).is_ok());
    assert!(sol(4_813_689_040_669_780_478).is_err());
    assert!(sol(u64::MAX).is_err());
    let fee = |platform_fee_bps| Properties { platform_fee_bps, ..DEFAULT }.invariant();
    assert!(fee(0).is_ok());
    assert!(fee(MAX_PLATFORM_FEE_BPS).is_ok());
    assert!(fee(MAX_PLATFORM_FEE_BPS + 1).is_err());
    assert!(Properties { initialized: 0, ..DEFAULT }.invariant().is_err());
    assert!(Properties { bump: PROPERTIES_BUMP.wrapping_sub(1), ..DEFAULT }.invariant().is_err());
}

const TRADING: TokenOwnerData = TokenOwnerData {
    initialized: TokenOwnerData::TRADING,
    virtual_sol: 0x0102_0304_0506_0708,
    virtual_token: 0x1112_1314_1516_1718,
    after_migration_fee: 0x2122,
    after_migration_burn_bp: 0x3132,
};

#[test]
fn given_a_curve_when_it_is_written_then_its_bytes_are_these() -> Result<()> {
    let mut bytes = Vec::new();
    TRADING.try_serialize(&mut bytes)?;
    assert_eq!(bytes.len(), TokenOwnerData::SIZE);
    assert_eq!(bytes[..8], [83, 18, 112, 20, 26, 99, 35, 89]);
    assert_eq!(bytes[8], 1);
    assert_eq!(bytes[9..17], [8, 7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(bytes[17..25], [0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11]);
    assert_eq!(bytes[25..27], [0x22, 0x21]);
    assert_eq!(bytes[27..29], [0x32, 0x31]);
    assert_eq!(TokenOwnerData::try_deserialize(&mut bytes.as_slice())?, TRADING);
    Ok(())
}

#[test]
fn given_every_state_when_the_reserve_is_on_the_wrong_side_then_the_invariant_fails() {
    let curve = |initialized, virtual_token| TokenOwnerData { initialized, virtual_token, ..TRADING };
    assert!(curve(1, GRADUATION_VIRTUAL_TOKEN + 1).invariant().is_ok());
    assert!(curve(1, GRADUATION_VIRTUAL_TOKEN).invariant().is_err());
    for closed in [2, 3] {
        assert!(curve(closed, GRADUATION_VIRTUAL_TOKEN).invariant().is_ok());
        assert!(curve(closed, GRADUATION_VIRTUAL_TOKEN + 1).invariant().is_err());
        assert!(curve(closed, GRADUATION_VIRTUAL_TOKEN - 1).invariant().is_err());
    }
    assert!(curve(0, GRADUATION_VIRTUAL_TOKEN + 1).invariant().is_err());
    assert!(curve(4, GRADUATION_VIRTUAL_TOKEN).invariant().is_err());
    assert!(TokenOwnerData { virtual_sol: 0, ..TRADING }.invariant().is_err());
}

#[test]
fn given_every_state_when_a_trade_asks_then_only_trading_lets_it_pass() {
    for initialized in 0..=u8::MAX {
        let allowed = TokenOwnerData { initialized, ..TRADING }.require_trading().is_ok();
        assert_eq!(allowed, initialized == TokenOwnerData::TRADING);
    }
}
