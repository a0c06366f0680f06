//! The log records of the programs. For creations, trades and graduations a program calls its own
//! `validate_log_record`. Only its PDA can sign this call, so no other program can forge a record. Migrations are
//! `Program data:` lines.

pub use curvekit_interface::records::{CreateRecord, GraduateRecord, MigrateRecord, TradeRecord};
use curvekit_interface::{instructions::discriminators::VALIDATE_LOG_RECORD, Read};
use solana_pubkey::Pubkey;

use crate::deployment::Deployment;

/// A record of either program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// A token was created.
    Create(CreateRecord),
    /// Tokens were bought or sold.
    Trade(TradeRecord),
    /// A curve was migrated.
    Migrate(MigrateRecord),
    /// A curve was moved to its pool.
    Graduate(GraduateRecord),
}

/// The first 8 bytes of each record.
pub mod discriminators {
    /// `CreateRecord`
    pub const CREATE: [u8; 8] = super::CreateRecord::DISCRIMINATOR;
    /// `TradeRecord`
    pub const TRADE: [u8; 8] = super::TradeRecord::DISCRIMINATOR;
    /// `MigrateRecord`
    pub const MIGRATE: [u8; 8] = super::MigrateRecord::DISCRIMINATOR;
    /// `GraduateRecord`
    pub const GRADUATE: [u8; 8] = super::GraduateRecord::DISCRIMINATOR;
}

impl Record {
    /// Decodes a record from its bytes, including the discriminator. `None` for an unknown record or incomplete bytes.
    /// Ignores fields that a later version appends.
    pub fn decode(mut bytes: &[u8]) -> Option<Self> {
        match *bytes.first_chunk()? {
            discriminators::TRADE => Read::read(&mut bytes).map(Self::Trade),
            discriminators::CREATE => Read::read(&mut bytes).map(Self::Create),
            discriminators::GRADUATE => Read::read(&mut bytes).map(Self::Graduate),
            discriminators::MIGRATE => Read::read(&mut bytes).map(Self::Migrate),
            _ => None,
        }
    }

    /// Decodes the record of an inner instruction, or `None` when it has none. `accounts` are the keys of its accounts.
    /// Pass only inner instructions of successful transactions: outer instructions and failed transactions prove
    /// nothing.
    pub fn of_inner_instruction(
        deployment: &Deployment,
        program_id: &Pubkey,
        accounts: &[Pubkey],
        data: &[u8],
    ) -> Option<Self> {
        let Deployment { graduation, log_authority, .. } = deployment;
        let rest = data.strip_prefix(&VALIDATE_LOG_RECORD)?;
        if *program_id == deployment.program_id && accounts == [log_authority.address] {
            // The first byte is the bump of the log authority.
            return Self::decode(rest.get(1..)?);
        }
        if *program_id == graduation.program_id && accounts == [graduation.fee_receiver.address] {
            return Self::decode(rest);
        }
        None
    }
}
