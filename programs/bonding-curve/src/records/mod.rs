//! The log records. From these alone an indexer rebuilds every curve's state and every fee ever paid. Their fields are in
//! the interface crate, and here are Anchor's events, for the IDL and for the record of a creation.

mod on_stack;

use anchor_lang::{
    prelude::*,
    solana_program::{instruction::Instruction, program::invoke_signed},
};
use curvekit_interface::instructions::discriminators::VALIDATE_LOG_RECORD;

use crate::{
    constants::{LOGGING_AUTHORITY_ADDRESS, LOGGING_AUTHORITY_BUMP, LOGGING_AUTHORITY_SEED},
    error::BondingCurveError,
};
pub(crate) use on_stack::{log_migration, TradeCall};

macro_rules! anchor_event {
    (
        $(#[$doc:meta])*
        $name:ident $(/ $bytes:ident)? = $discriminator:tt { $($(#[$field_doc:meta])* $field:ident: $type:ident,)* }
    ) => {
        $(#[$doc])*
        #[event]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }
    };
}

curvekit_interface::create_record!(anchor_event);
curvekit_interface::trade_record!(anchor_event);
curvekit_interface::migrate_record!(anchor_event);

/// Logs a record as the data of a call to this program's own `validate_log_record`, signed by the log authority.
///
/// Unlike a log line such a record is never truncated, and only this program can produce one. The caller has already
/// checked the address of `log_authority`. A bump other than the canonical one: `LogicalError`.
pub fn log_record<R: anchor_lang::Event>(record: &R, log_authority: &AccountInfo, bump: u8) -> Result<()> {
    require!(bump == LOGGING_AUTHORITY_BUMP, BondingCurveError::LogicalError);
    let mut data = Vec::with_capacity(512);
    data.extend_from_slice(&VALIDATE_LOG_RECORD);
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
