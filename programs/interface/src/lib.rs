//! The interface of Curvekit's programs, for programs and clients alike: accounts, log records, instructions and errors by
//! their bytes, the seeds of addresses, and the curve's maths. Nothing here needs a framework or `std`.
//!
//! - [`accounts`]: a curve ([`accounts::TokenOwnerData`]) and the settings ([`accounts::Properties`])
//! - [`records`]: what the programs log
//! - [`instructions`]: tags, lists of accounts, arguments
//! - [`errors`]: the programs' own errors by code
//! - [`constants`], [`settings`]: seeds and limits; which settings are accepted
//! - [`curve`]: what a trade does
//! - [`token`]: accounts of the SPL Token program
//!
//! Amounts are `u64`: lamports for SOL, base units (10⁻⁶) for tokens.

#![no_std]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, clippy::unwrap_used, clippy::cast_possible_truncation))]

extern crate alloc;
#[cfg(test)]
extern crate std;

#[macro_use]
mod layout;

pub mod accounts;
pub mod constants;
pub mod curve;
pub mod development;
pub mod errors;
pub mod instructions;
pub mod records;
pub mod settings;
pub mod token;

pub use layout::{Fixed, Read};

/// Compiles the README's code as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
