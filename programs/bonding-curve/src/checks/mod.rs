//! The checks that instructions make on accounts, each with the reason for it.
//!
//! Every instruction makes its checks in one order, so that of several faults the first in this order is reported:
//!
//! 1. The call: the program id, the arguments, the number of accounts (Anchor counts them in step 2).
//! 2. The signer, the programs, and the other accounts that have one fixed address (settings, log authority).
//! 3. The curve account and its vault belong to `token_mint`: `BondingCurveDoesNotMatchMint`.
//! 4. The fee receiver: `WrongFeeReceiver`.
//! 5. The user's token account.
//! 6. The state of the curve: `TradingClosed`, `NotReadyToMigrate`, `LogicalError`.
//! 7. The amounts and other values: `LogicalError`, `SlippageError`.
//!
//! An account is checked in one place: first its owner and its kind, then that it is writable, then its address.

mod account;
mod addresses;

pub use account::{named, Account};
