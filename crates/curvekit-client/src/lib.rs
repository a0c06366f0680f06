//! A client of the Curvekit bonding-curve program, for bots and aggregators. It makes no RPC requests. It quotes trades
//! from account data, builds instructions from keys, and decodes records from inner instructions.
//!
//! - [`quotes`]: exact results of a buy or a sell, from the program's own [`curve`]
//! - [`accounts`]: decodes [`accounts::TokenOwnerData`] (a curve) and [`accounts::Properties`] (the settings)
//! - [`addresses`] and [`deployment`]: every address, derived for one build of the programs
//! - [`instructions`]: builders of `create_token`, `buy_token`, `sell_token`, `migrate` and `graduate`
//! - [`records`]: the log records of the programs
//! - [`errors`]: the programs' own errors by code
//! - `jupiter` and `jupiter_0_6`, with the features `jupiter` and `jupiter-0-6`: an adapter for Jupiter's aggregator
//!
//! Amounts are `u64`: lamports for SOL, base units (10⁻⁶) for tokens.

#![cfg_attr(test, allow(clippy::arithmetic_side_effects, clippy::unwrap_used, clippy::cast_possible_truncation))]

pub mod addresses;
pub mod arguments;
pub mod constants;
pub mod deployment;
pub mod instructions;
mod inverse;
#[cfg(feature = "jupiter")]
pub mod jupiter;
pub mod quotes;
pub mod records;

/// The module `jupiter` for version 0.6 of Jupiter's interface: the same source.
#[cfg(feature = "jupiter-0-6")]
#[path = "jupiter"]
pub mod jupiter_0_6 {
    #[allow(clippy::duplicate_mod)] // two interfaces, whose types differ
    #[path = "adapter.rs"]
    mod adapter;

    pub use adapter::{CurveAmm, CurveMarket};
    pub use jupiter_amm_interface_0_6 as interface;
}

/// Decodes account data. The caller must check that the account belongs to the bonding-curve program: anyone can write the
/// same bytes into an account of another program.
pub mod accounts {
    pub use curvekit_interface::{
        accounts::{DecodeError, Properties, TokenOwnerData},
        token::token_amount,
    };
}
pub use curvekit_interface::{curve, errors};
pub use solana_instruction::{AccountMeta, Instruction};
pub use solana_pubkey::Pubkey;

/// Compiles the README's code as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
