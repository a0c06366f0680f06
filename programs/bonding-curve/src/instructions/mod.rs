//! The six instructions: each with the accounts that its interface names, and its handler.
//!
//! Trades, migrations and log records are handled in Pinocchio, without a framework's cost. Anchor describes them: the IDL
//! is made from the accounts here and the entries in `lib.rs`. A test of the Rust client compares the IDL with the lists of
//! accounts in the interface crate, by which the handlers take theirs.

mod admin_set_properties;
mod buy_token;
mod create_token;
mod migrate;
mod sell_token;
#[cfg(test)]
mod tests;
mod trade_arguments;
mod validate_log_record;

// Anchor's `#[program]` needs the accounts and the code it generates beside them at one path.
pub use {admin_set_properties::*, buy_token::*, create_token::*, migrate::*, sell_token::*, validate_log_record::*};
