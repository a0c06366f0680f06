//! The records of trades and migrations laid out on the stack, which costs less than to write them as Anchor does.

#[cfg(test)]
mod tests;

use std::mem::offset_of;

use anchor_lang::solana_program::log::sol_log_data;
use bytemuck::{Pod, Zeroable};
use curvekit_interface::{
    instructions::discriminators::VALIDATE_LOG_RECORD,
    records::{MigrateRecord, TradeRecord, TradeRecordBytes},
};
use pinocchio::{
    cpi::{invoke_signed_unchecked, CpiAccount, Seed, Signer},
    instruction::{InstructionAccount, InstructionView},
    sysvars::{
        clock::{Clock, CLOCK_ID},
        get_sysvar,
    },
    AccountView, Address,
};

use crate::{
    constants::{LOGGING_AUTHORITY_BUMP, LOGGING_AUTHORITY_SEED},
    error::BondingCurveError,
    refusal::{require, Result},
};

/// The data of the call that logs a `TradeRecord`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct TradeCall {
    instruction: [u8; 8],
    logging_account_bump: u8,
    record: TradeRecordBytes,
}

impl TradeCall {
    /// The timestamp is filled in when the record is logged.
    #[inline(always)]
    pub fn new(trade: TradeRecord) -> Self {
        Self { instruction: VALIDATE_LOG_RECORD, logging_account_bump: LOGGING_AUTHORITY_BUMP, record: trade.bytes() }
    }

    /// `super::log_record`. The caller has checked the address of `log_authority`.
    #[allow(unsafe_code)]
    #[inline(always)]
    pub fn log(&mut self, log_authority: &AccountView, bump: u8) -> Result<()> {
        require(bump == LOGGING_AUTHORITY_BUMP, BondingCurveError::LogicalError)?;
        read_time(&mut self.record.timestamp)?;
        let instruction = InstructionView {
            program_id: &crate::ID,
            accounts: &[InstructionAccount::readonly_signer(log_authority.address())],
            data: bytemuck::bytes_of(self),
        };
        let seeds = [Seed::from(LOGGING_AUTHORITY_SEED), Seed::from(&[LOGGING_AUTHORITY_BUMP])];
        // SAFETY: the call may change no data that is being looked at. It gets one account, read-only, and no instruction
        // looks at that account's data. The differential test, which compares all state after each trade, would see it.
        unsafe { invoke_signed_unchecked(&instruction, &[CpiAccount::from(log_authority)], &[Signer::from(&seeds)]) };
        Ok(())
    }
}

/// Logs a `MigrateRecord`, as Anchor's `emit!` does.
pub fn log_migration(mint: &Address, fee_account: &Address, sol_amount: u64, token_amount: u64) -> Result<()> {
    let record = MigrateRecord { mint: *mint, fee_account: *fee_account, sol_amount, token_amount, timestamp: 0 };
    let mut record = record.bytes();
    read_time(&mut record.timestamp)?;
    sol_log_data(&[bytemuck::bytes_of(&record)]);
    Ok(())
}

/// Unix seconds of the cluster's clock. Reading only these eight bytes of it costs less than reading all.
#[inline(always)]
fn read_time(into: &mut [u8; 8]) -> Result<()> {
    get_sysvar(into, &CLOCK_ID, offset_of!(Clock, unix_timestamp))
}
