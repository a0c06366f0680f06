//! A client of the Curvekit bonding-curve program, for bots and aggregators. It needs no RPC: give it account data, and
//! it quotes; give it keys, and it builds instructions; give it the data of inner instructions, and it decodes records.
//!
//! - [`quotes`]: what a buy or a sell does, to the unit, by the program's own [`curve`]
//! - [`accounts`]: [`accounts::TokenOwnerData`] (a curve) and [`accounts::Properties`] (the launchpad's settings)
//! - [`addresses`] and [`deployment`]: every address, derived for one build of the programs
//! - [`instructions`]: builders of `create_token`, `buy_token`, `sell_token`, `migrate` and `graduate`
//! - [`records`]: what the programs log
//! - [`errors`]: the programs' own errors by code
//! - `jupiter`, with the feature of that name: an adapter for Jupiter's aggregator
//!
//! Amounts are `u64`: lamports for SOL, smallest units (10⁻⁶) for tokens.

#![cfg_attr(test, allow(clippy::arithmetic_side_effects, clippy::unwrap_used, clippy::cast_possible_truncation))]

pub mod accounts;
pub mod addresses;
pub mod arguments;
mod bytes;
pub mod constants;
// The program's own file, by a symbolic link: see docs/decisions/rust-client.md.
#[allow(missing_docs)]
pub mod curve;
pub mod deployment;
pub mod errors;
pub mod instructions;
mod inverse;
#[cfg(feature = "jupiter")]
pub mod jupiter;
pub mod quotes;
pub mod records;

pub use solana_instruction::{AccountMeta, Instruction};
pub use solana_pubkey::Pubkey;

/// The README's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
