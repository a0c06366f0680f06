//! The records of trades and migrations laid out on the stack, which costs less than to write them as Anchor does.

#[cfg(test)]
mod tests;

use std::mem::offset_of;

use anchor_lang::{solana_program::log::sol_log_data, Discriminator};
use bytemuck::{Pod, Zeroable};
use pinocchio::{
    cpi::{invoke_signed_unchecked, CpiAccount, Seed, Signer},
    instruction::{InstructionAccount, InstructionView},
    sysvars::{
        clock::{Clock, CLOCK_ID},
        get_sysvar,
    },
    AccountView, Address,
};

use super::{MigrateRecord, TradeRecord};
use crate::{
    constants::{LOGGING_AUTHORITY_BUMP, LOGGING_AUTHORITY_SEED, VALIDATE_LOG_RECORD},
    curve::Reserves,
    error::BondingCurveError,
    refusal::{require, Result},
};

/// What a `TradeRecord` says, but for the time.
pub struct Trade<'a> {
    pub mint: &'a Address,
    pub trader: &'a Address,
    pub is_buy: bool,
    pub sol_amount: u64,
    pub token_amount: u64,
    pub fee: u64,
    pub reserves: Reserves,
    pub finalized: bool,
}

/// The data of the call that logs a `TradeRecord`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct TradeCall {
    instruction: [u8; 8],
    logging_account_bump: u8,
    event: [u8; 8],
    mint: Address,
    trader: Address,
    is_buy: u8,
    sol_amount: [u8; 8],
    token_amount: [u8; 8],
    fee: [u8; 8],
    virtual_sol: [u8; 8],
    virtual_token: [u8; 8],
    finalized: u8,
    timestamp: [u8; 8],
}

impl TradeCall {
    /// The time comes when it is logged.
    #[inline(always)]
    pub fn new(trade: Trade) -> Self {
        Self {
            instruction: VALIDATE_LOG_RECORD.to_le_bytes(),
            logging_account_bump: LOGGING_AUTHORITY_BUMP,
            event: discriminator::<TradeRecord>(),
            mint: *trade.mint,
            trader: *trade.trader,
            is_buy: trade.is_buy.into(),
            sol_amount: trade.sol_amount.to_le_bytes(),
            token_amount: trade.token_amount.to_le_bytes(),
            fee: trade.fee.to_le_bytes(),
            virtual_sol: trade.reserves.virtual_sol.to_le_bytes(),
            virtual_token: trade.reserves.virtual_token.to_le_bytes(),
            finalized: trade.finalized.into(),
            timestamp: [0; 8],
        }
    }

    /// `super::log_record`. The caller has checked the address of `log_authority`.
    #[allow(unsafe_code)]
    #[inline(always)]
    pub fn log(&mut self, log_authority: &AccountView, bump: u8) -> Result<()> {
        require(bump == LOGGING_AUTHORITY_BUMP, BondingCurveError::LogicalError)?;
        read_time(&mut self.timestamp)?;
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

/// A `MigrateRecord`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Migration {
    event: [u8; 8],
    mint: Address,
    fee_account: Address,
    sol_amount: [u8; 8],
    token_amount: [u8; 8],
    timestamp: [u8; 8],
}

impl Migration {
    fn new(mint: &Address, fee_account: &Address, sol_amount: u64, token_amount: u64, timestamp: [u8; 8]) -> Self {
        Self {
            event: discriminator::<MigrateRecord>(),
            mint: *mint,
            fee_account: *fee_account,
            sol_amount: sol_amount.to_le_bytes(),
            token_amount: token_amount.to_le_bytes(),
            timestamp,
        }
    }
}

/// Logs a `MigrateRecord`, as Anchor's `emit!` does.
pub fn log_migration(mint: &Address, fee_account: &Address, sol_amount: u64, token_amount: u64) -> Result<()> {
    let mut timestamp = [0; 8];
    read_time(&mut timestamp)?;
    let record = Migration::new(mint, fee_account, sol_amount, token_amount, timestamp);
    sol_log_data(&[bytemuck::bytes_of(&record)]);
    Ok(())
}

/// Unix seconds of the cluster's clock. Eight bytes of it cost less than all.
#[inline(always)]
fn read_time(into: &mut [u8; 8]) -> Result<()> {
    get_sysvar(into, &CLOCK_ID, offset_of!(Clock, unix_timestamp))
}

const fn discriminator<T: Discriminator>() -> [u8; 8] {
    match T::DISCRIMINATOR.first_chunk() {
        Some(discriminator) => *discriminator,
        None => panic!("a record begins with eight bytes"),
    }
}
