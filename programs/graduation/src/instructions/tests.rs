//! What Anchor makes of the interface, compared with the interface crate.

use anchor_lang::Discriminator;
use curvekit_interface::{errors, instructions::discriminators};

use crate::{
    error::GraduationError,
    instruction::{Graduate, Sweep, ValidateLogRecord},
};

#[test]
fn the_tags_are_anchors() {
    assert_eq!(discriminators::GRADUATE, Graduate::DISCRIMINATOR);
    assert_eq!(discriminators::SWEEP, Sweep::DISCRIMINATOR);
    assert_eq!(discriminators::VALIDATE_LOG_RECORD, ValidateLogRecord::DISCRIMINATOR);
}

#[test]
fn the_errors_are_the_interfaces() {
    use GraduationError::*;

    let own = [
        WrongAccount,
        WrongAdmin,
        PoolFeeTooHigh,
        TooLittleForPool,
        PoolMismatch,
        FeesTouched,
        NothingToSweep,
        AmountOutOfRange,
    ];
    let described = |error: GraduationError| (u32::from(error), error.name(), error.to_string());
    let all = errors::GraduationError::ALL.iter();
    let listed = all.map(|error| (error.code(), error.name().to_owned(), error.message().to_owned()));
    assert_eq!(own.map(described).to_vec(), listed.collect::<Vec<_>>());
}
