//! What Anchor makes of the interface, compared with the interface crate.

use anchor_lang::Discriminator;
use curvekit_interface::{errors::CurveError, instructions::discriminators};

use crate::{
    error::BondingCurveError,
    instruction::{BuyToken, CreateToken, Migrate, SellToken, ValidateLogRecord},
};

#[test]
fn the_tags_of_the_instructions_are_anchors() {
    assert_eq!(discriminators::CREATE_TOKEN, CreateToken::DISCRIMINATOR);
    assert_eq!(discriminators::BUY_TOKEN, BuyToken::DISCRIMINATOR);
    assert_eq!(discriminators::SELL_TOKEN, SellToken::DISCRIMINATOR);
    assert_eq!(discriminators::MIGRATE, Migrate::DISCRIMINATOR);
    assert_eq!(discriminators::VALIDATE_LOG_RECORD, ValidateLogRecord::DISCRIMINATOR);
}

#[test]
fn the_errors_are_the_interfaces() {
    use BondingCurveError::*;

    let own =
        [BondingCurveDoesNotMatchMint, TradingClosed, NotReadyToMigrate, SlippageError, WrongFeeReceiver, LogicalError];
    let described = |error: BondingCurveError| (u32::from(error), error.name(), error.to_string());
    let listed =
        CurveError::ALL.iter().map(|error| (error.code(), error.name().to_owned(), error.message().to_owned()));
    assert_eq!(own.map(described).to_vec(), listed.collect::<Vec<_>>());
}
