//! The log records. From these alone an indexer rebuilds every curve's state
//! and every fee ever paid. Layout: 8-byte event discriminator, then borsh, little endian.

mod on_stack;

use anchor_lang::{
    prelude::*,
    solana_program::{instruction::Instruction, program::invoke_signed},
};

use crate::{
    constants::{LOGGING_AUTHORITY_ADDRESS, LOGGING_AUTHORITY_BUMP, LOGGING_AUTHORITY_SEED, VALIDATE_LOG_RECORD},
    error::BondingCurveError,
};
pub(crate) use on_stack::{log_migration, Trade, TradeCall};

/// A token was created.
#[event]
pub struct CreateRecord {
    pub mint: Pubkey,
    pub creator: Pubkey,
    /// The curve account.
    pub token_owner_pda: Pubkey,
    pub name: String,
    pub symbol: String,
    pub uri: String,
    /// Share of the migrated liquidity for the community storages, in basis points.
    pub after_migration_fee: u16,
    /// Burned share of a settlement's tokens, in basis points.
    pub burn_bp: u16,
    /// Holders' share of a settlement, in basis points. Kept here only, not on chain.
    pub holders_bp: u16,
    /// Liquidity's share of a settlement, in basis points. Kept here only, not on chain.
    pub lp_bp: u16,
    /// Initial virtual SOL reserve in lamports.
    pub virtual_sol: u64,
    /// Initial virtual token reserve in smallest units.
    pub virtual_token: u64,
    /// Platform fee at creation, in basis points.
    pub platform_fee_bps: u16,
    /// Unix seconds of the cluster's clock.
    pub timestamp: i64,
}

/// Tokens were bought or sold.
#[event]
pub struct TradeRecord {
    pub mint: Pubkey,
    pub trader: Pubkey,
    pub is_buy: bool,
    /// Lamports that the trader paid or received, fee and all.
    pub sol_amount: u64,
    /// Token units that the trader received or paid.
    pub token_amount: u64,
    /// Lamports that went to the fee receiver.
    pub fee: u64,
    /// Virtual SOL reserve afterwards.
    pub virtual_sol: u64,
    /// Virtual token reserve afterwards.
    pub virtual_token: u64,
    /// Whether this trade graduated the curve.
    pub finalized: bool,
    /// Unix seconds of the cluster's clock.
    pub timestamp: i64,
}

/// A graduated curve was emptied. Logged with `sol_log_data`: the instruction has no log authority in its accounts.
#[event]
pub struct MigrateRecord {
    pub mint: Pubkey,
    pub fee_account: Pubkey,
    /// Lamports moved to the fee receiver.
    pub sol_amount: u64,
    /// Token units moved to the fee receiver's token account.
    pub token_amount: u64,
    /// Unix seconds of the cluster's clock.
    pub timestamp: i64,
}

/// Logs a record as the data of a call to this program's own `validate_log_record`, signed by the log authority.
///
/// Unlike a log line such a record is never truncated, and only this program can produce one. The caller has already
/// checked the address of `log_authority`. A bump other than the canonical one: `LogicalError`.
pub fn log_record<R: anchor_lang::Event>(record: &R, log_authority: &AccountInfo, bump: u8) -> Result<()> {
    require!(bump == LOGGING_AUTHORITY_BUMP, BondingCurveError::LogicalError);
    let mut data = Vec::with_capacity(512);
    data.extend_from_slice(&VALIDATE_LOG_RECORD.to_le_bytes());
    data.push(bump);
    data.extend_from_slice(&record.data());
    let call = Instruction {
        program_id: crate::ID,
        accounts: vec![AccountMeta::new_readonly(LOGGING_AUTHORITY_ADDRESS, true)],
        data,
    };
    invoke_signed(&call, std::slice::from_ref(log_authority), &[&[LOGGING_AUTHORITY_SEED, &[bump]]])?;
    Ok(())
}
