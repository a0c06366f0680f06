//! Curvekit's graduation program: its PDA is the fee receiver of the bonding-curve program, so no key is.
//!
//! When a curve has sold out, anyone calls `graduate`. In one instruction it migrates the curve, pays the community's share,
//! opens a pool at the curve's closing price and burns the liquidity. The money of a migration never rests between two
//! instructions: before, it is in the curve; afterwards, in the pool and the community's storages.
//!
//! `sweep` moves platform fees to the one treasury. It cannot reach the money of a migration.
//!
//! Integrators hard-code the order of the accounts, the arguments, the error codes and the seeds: none of them changes
//! without an entry in the changelog.

#![cfg_attr(test, allow(clippy::arithmetic_side_effects, clippy::unwrap_used, clippy::cast_possible_truncation))]
// Without an entry point nothing calls the handlers.
#![cfg_attr(feature = "cpi", allow(dead_code))]

use anchor_lang::prelude::*;

pub mod amm;
mod checks;
pub mod constants;
mod cpi;
#[cfg(not(feature = "cpi"))]
mod entrypoint;
pub mod error;
pub mod instructions;
pub mod records;
mod refusal;

use instructions::*;

declare_id!("Gra4YMZe4AN78Zu4qL8hyqZJAJyTNo3Anfo5vthUDeDt");

#[cfg(not(feature = "cpi"))]
solana_security_txt::security_txt! {
    name: "Curvekit graduation",
    project_url: "https://github.com/curvekit/curvekit",
    contacts: "link:https://github.com/curvekit/curvekit/security/advisories/new",
    policy: "https://github.com/curvekit/curvekit/blob/main/SECURITY.md",
    preferred_languages: "en",
    source_code: "https://github.com/curvekit/curvekit"
}

/// The interface, for the IDL. `entrypoint.rs` hands every instruction to its handler: nothing calls these entries.
#[program]
#[allow(unused_variables)]
pub mod graduation {
    use super::*;

    /// Takes a graduated curve to its pool, once: migrates it, pays the community's share into the two storages, opens
    /// the pool at the curve's closing price and burns the liquidity. All of it happens, or nothing.
    ///
    /// **Authority**: anyone. `payer_account` signs, lends the rents of three token accounts (0.00612 SOL today) and gets
    /// them back in the same instruction.
    ///
    /// **Accounts**: `fee_receiver` and `pool_creator` are PDAs of this program. `tokens` and `wrapped_sol` are token
    /// accounts that exist only within the instruction. `pool` has one address for each mint, which only this program
    /// can sign for. Lamports sent ahead to any of these do not block the graduation: they go to the fee receiver, but
    /// for those at `pool_creator` that pay the AMM's price above 0.3 SOL.
    ///
    /// **Amounts**: the migration pays what the pool costs. Each storage gets `floor(amount · after_migration_fee /
    /// 10,000)` of its side; where its owner has closed one of the two, neither gets anything, and both shares stay in the
    /// pool: a share of one side alone would move the price. The record says what the storages gained. The pool
    /// gets all SOL that is left, and `floor(SOL · virtual_token / virtual_sol)` tokens or as many as there are. The
    /// tokens beyond that are burnt.
    ///
    /// **Arguments**
    /// - `pda_token_nonce`: canonical bump of the curve account
    /// - `community_wsol_bump`, `community_token_bump`: canonical bumps of the two storages
    /// - `tokens_bump`, `wrapped_sol_bump`: bumps of the two token accounts
    /// - `pool_bump`: canonical bump of the pool
    ///
    /// **Errors**: the bonding curve's `NotReadyToMigrate` while the curve trades, its `LogicalError` when it is migrated
    /// already. `WrongAccount`; `PoolFeeTooHigh` when the AMM asks more than 0.3 SOL and `pool_creator` does not
    /// hold the rest; `TooLittleForPool`; `PoolMismatch`;
    /// `FeesTouched`; errors of the AMM, for example when it has disabled new pools. The money then waits in the curve.
    pub fn graduate(
        ctx: Context<Graduate>,
        pda_token_nonce: u8,
        community_wsol_bump: u8,
        community_token_bump: u8,
        tokens_bump: u8,
        wrapped_sol_bump: u8,
        pool_bump: u8,
    ) -> Result<()> {
        interface_only()
    }

    /// Moves the platform fees to the treasury: all lamports of the fee receiver above its rent exemption.
    ///
    /// **Authority**: the admin signs as `admin_account`.
    ///
    /// **Accounts**: `treasury` is the one address this program was built with.
    ///
    /// **Errors**: `WrongAdmin`, `WrongAccount`, `NothingToSweep`.
    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        interface_only()
    }

    /// Accepts a log record: the bytes behind the instruction's tag, which the program itself appends.
    ///
    /// **Authority**: the fee receiver, so only this program, calling itself.
    ///
    /// **Errors**: Anchor's own for another or missing signer.
    pub fn validate_log_record(ctx: Context<ValidateLogRecord>) -> Result<()> {
        interface_only()
    }
}

fn interface_only() -> Result<()> {
    err!(ErrorCode::InstructionFallbackNotFound)
}
