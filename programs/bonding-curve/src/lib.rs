//! Curvekit's bonding-curve program.
//!
//! Anyone creates a token; the whole supply starts in a vault, priced by a constant product over virtual reserves.
//! Traders buy and sell against the curve, a platform fee goes to the fee receiver. When the curve has sold all but
//! its graduation reserve it is finalized, and the fee receiver migrates what it holds to a DEX.
//!
//! State of a curve (`TokenOwnerData.initialized`): 1 trading → 2 finalized → 3 migrated.
//!
//! Of several faults in a call, the first in one documented order is reported, the same for every instruction:
//! `checks/mod.rs`.
//!
//! Integrators hard-code the order of the accounts, the arguments, the error codes and the two global addresses
//! (settings, log authority): none of them changes without an entry in the changelog.

#![cfg_attr(test, allow(clippy::arithmetic_side_effects, clippy::unwrap_used, clippy::cast_possible_truncation))]
// What Anchor generates for callers takes the arguments of `create_token` one by one.
#![cfg_attr(feature = "cpi", allow(clippy::too_many_arguments))]
// Without an entry point nothing calls the handlers.
#![cfg_attr(feature = "cpi", allow(dead_code))]

use anchor_lang::prelude::*;

mod checks;
pub mod constants;
#[cfg(not(feature = "cpi"))]
mod entrypoint;
pub mod error;
pub mod instructions;
mod lamports;
mod pda;
pub mod records;
mod refusal;
mod rent;
pub mod state;
mod views;

pub use curvekit_interface::curve;
use instructions::*;
use state::Properties;

declare_id!("Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH");

#[cfg(not(feature = "cpi"))]
solana_security_txt::security_txt! {
    name: "Curvekit bonding curve",
    project_url: "https://github.com/curvekit/curvekit",
    contacts: "link:https://github.com/curvekit/curvekit/security/advisories/new",
    policy: "https://github.com/curvekit/curvekit/blob/main/SECURITY.md",
    preferred_languages: "en",
    source_code: "https://github.com/curvekit/curvekit"
}

#[program]
#[allow(unused_variables)] // of the entries that are interface only
pub mod bonding_curve {
    use super::*;

    /// Creates a token: mint, curve, vault, metadata and two community storages; the whole supply goes to the vault.
    ///
    /// **Authority**: anyone; `payer_account` signs, pays every rent and is recorded as the creator. `token_mint` does
    /// not sign: the client creates the 82-byte account, owned by the token program, in the same transaction.
    ///
    /// **Accounts**: the settings must exist. Lamports sent ahead to any new account do not block the creation.
    ///
    /// **Arguments**
    /// - `pda_token_nonce`: canonical bump of the curve account
    /// - `uri` (1–200 bytes), `name` (1–32 bytes), `symbol` (1–10 bytes): of the metadata, UTF-8
    /// - `after_migration_fee`: share of the migrated liquidity for the community, in basis points: 0, 25, 50, 100,
    ///   200 or 500
    /// - `after_migration_burn_bp`, `after_migration_holders_bp`, `after_migration_lp_bp`: how a community settlement
    ///   is split, in basis points, at most 10,000 together; the rest is the creator's
    /// - `logging_account_bump`: canonical bump of the log authority
    ///
    /// **Errors**: `BondingCurveDoesNotMatchMint` for a curve account, vault or nonce that is not the mint's;
    /// `LogicalError` for a value out of bounds, a mint that is initialised already, a storage at another address or
    /// a non-canonical `logging_account_bump`.
    #[allow(clippy::too_many_arguments)] // the interface's own
    pub fn create_token(
        ctx: Context<CreateToken>,
        pda_token_nonce: u8,
        uri: String,
        name: String,
        symbol: String,
        after_migration_fee: u16,
        after_migration_burn_bp: u16,
        after_migration_holders_bp: u16,
        after_migration_lp_bp: u16,
        logging_account_bump: u8,
    ) -> Result<()> {
        let terms = TokenTerms {
            uri,
            name,
            symbol,
            after_migration_fee,
            burn_bp: after_migration_burn_bp,
            holders_bp: after_migration_holders_bp,
            lp_bp: after_migration_lp_bp,
        };
        ctx.accounts.run(pda_token_nonce, terms, logging_account_bump)
    }

    /// Buys tokens for up to `sol_to_spend` lamports. The buy that reaches the graduation reserve is clipped to it,
    /// leaves the rest with the buyer and finalizes the curve.
    ///
    /// **Authority**: `payer_account` signs, pays, and owns `user_token_account`.
    ///
    /// **Accounts**: `owner_token_account` is the vault, `fee_account` the fee receiver.
    ///
    /// **Arguments**
    /// - `pda_token_nonce`: bump of the curve account
    /// - `sol_to_spend`: lamports, fee included
    /// - `min_token_to_receive`: smallest token units; when the buy is clipped it binds the price instead of the
    ///   amount: `out · sol_to_spend ≥ min_token_to_receive · (net + fee)`
    /// - `logging_account_bump`: canonical bump of the log authority
    ///
    /// **Errors**: `BondingCurveDoesNotMatchMint`, `TradingClosed`, `SlippageError`, `WrongFeeReceiver`; `LogicalError`
    /// for zero lamports, lamports that buy nothing, or a non-canonical `logging_account_bump`.
    pub fn buy_token(
        _ctx: Context<BuyToken>,
        pda_token_nonce: u8,
        sol_to_spend: u64,
        min_token_to_receive: u64,
        logging_account_bump: u8,
    ) -> Result<()> {
        interface_only()
    }

    /// Sells exactly `token_to_spend` token units.
    ///
    /// **Authority**: `payer_account` signs, receives the SOL, and owns `user_token_account`.
    ///
    /// **Accounts**: `owner_token_account` is the vault, `fee_account` the fee receiver.
    ///
    /// **Arguments**
    /// - `pda_token_nonce`: bump of the curve account
    /// - `token_to_spend`: smallest token units
    /// - `min_sol_to_receive`: lamports after the fee
    /// - `logging_account_bump`: canonical bump of the log authority
    ///
    /// **Errors**: `BondingCurveDoesNotMatchMint`, `TradingClosed`, `SlippageError`, `WrongFeeReceiver`; `LogicalError`
    /// for zero tokens, tokens that yield nothing after the fee, or a non-canonical `logging_account_bump`.
    pub fn sell_token(
        _ctx: Context<SellToken>,
        pda_token_nonce: u8,
        token_to_spend: u64,
        min_sol_to_receive: u64,
        logging_account_bump: u8,
    ) -> Result<()> {
        interface_only()
    }

    /// Empties a finalized curve, once: every lamport above its rent and every token of its vault go to the fee
    /// receiver, who lists them on a DEX. Donations included.
    ///
    /// **Authority**: the fee receiver signs as `fee_account`.
    ///
    /// **Accounts**: `fee_token_account` is the fee receiver's token account of this mint.
    ///
    /// **Arguments**: `pda_token_nonce`, bump of the curve account.
    ///
    /// **Errors**: `BondingCurveDoesNotMatchMint`; `NotReadyToMigrate` while trading; `WrongFeeReceiver`;
    /// `LogicalError` when migrated already.
    pub fn migrate(_ctx: Context<Migrate>, pda_token_nonce: u8) -> Result<()> {
        interface_only()
    }

    /// Accepts a log record: the bytes behind `logging_account_bump`, which the program itself appends.
    ///
    /// **Authority**: the log-authority PDA, so only this program, calling itself.
    ///
    /// **Arguments**: `logging_account_bump`, canonical bump of the log authority.
    ///
    /// **Errors**: `LogicalError` for a non-canonical bump; Anchor's own for another or missing signer.
    pub fn validate_log_record(_ctx: Context<ValidateLogRecord>, logging_account_bump: u8) -> Result<()> {
        interface_only()
    }

    /// Sets the properties of the launchpad; the first call creates their account. A later change touches new tokens
    /// only, except the fee, which every trade reads live.
    ///
    /// **Authority**: the admin signs as `admin_account`.
    ///
    /// **Accounts**: the rent of the first call is paid by the admin where it is the transaction's fee payer, or by
    /// lamports sent ahead to `properties_account`.
    ///
    /// **Arguments**
    /// - `initial_virtual_sol`: lamports, above zero; at the graduation of a curve the reserve must still fit 64 bits
    /// - `initial_virtual_token`: smallest token units, above the supply and below supply + graduation reserve
    /// - `platform_fee_bps`: basis points, at most 1,000
    /// - `bump`: canonical bump of `properties_account`
    ///
    /// **Errors**: `LogicalError` for a value out of bounds, for reserves from which no curve could graduate
    /// (`initial_virtual_sol · initial_virtual_token` above graduation reserve · (2^64 − 1)), or a non-canonical bump.
    pub fn admin_set_properties(
        ctx: Context<AdminSetProperties>,
        initial_virtual_sol: u64,
        initial_virtual_token: u64,
        platform_fee_bps: u16,
        bump: u8,
    ) -> Result<()> {
        let initialized = Properties::INITIALIZED;
        let properties = Properties { initialized, bump, initial_virtual_sol, initial_virtual_token, platform_fee_bps };
        ctx.accounts.run(properties)
    }
}

/// `entrypoint.rs` hands trades, migrations and log records to their own handlers. Anchor's entries for them describe the
/// interface, and are in no program: nothing calls them.
fn interface_only() -> Result<()> {
    err!(ErrorCode::InstructionFallbackNotFound)
}
