//! The log records of the programs. For creations, trades and graduations a program calls its own
//! `validate_log_record`. Only its PDA can sign this call, so no other program can forge a record. Migrations are
//! `Program data:` lines.

use solana_pubkey::Pubkey;

use crate::{bytes::Reader, deployment::Deployment, instructions::discriminators::VALIDATE_LOG_RECORD};

/// A token was created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateRecord {
    /// The token's mint.
    pub mint: Pubkey,
    /// The creator.
    pub creator: Pubkey,
    /// The curve account.
    pub token_owner_pda: Pubkey,
    /// Name of the token.
    pub name: String,
    /// Symbol of the token.
    pub symbol: String,
    /// URI of the metadata.
    pub uri: String,
    /// Share of the migrated liquidity for the community storages, in basis points.
    pub after_migration_fee: u16,
    /// Burned share of a settlement's tokens, in basis points.
    pub burn_bp: u16,
    /// Holders' share of a settlement, in basis points.
    pub holders_bp: u16,
    /// Liquidity's share of a settlement, in basis points.
    pub lp_bp: u16,
    /// Initial virtual SOL reserve in lamports.
    pub virtual_sol: u64,
    /// Initial virtual token reserve in base units.
    pub virtual_token: u64,
    /// Platform fee at creation, in basis points.
    pub platform_fee_bps: u16,
    /// Unix seconds of the cluster's clock.
    pub timestamp: i64,
}

/// Tokens were bought or sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TradeRecord {
    /// The token's mint.
    pub mint: Pubkey,
    /// The trader.
    pub trader: Pubkey,
    /// `true` for a buy, `false` for a sell.
    pub is_buy: bool,
    /// Lamports that the trader paid, including the fee, or received after the fee.
    pub sol_amount: u64,
    /// Token base units that the trader received or paid.
    pub token_amount: u64,
    /// Lamports that went to the fee receiver.
    pub fee: u64,
    /// Virtual SOL reserve after the trade.
    pub virtual_sol: u64,
    /// Virtual token reserve after the trade.
    pub virtual_token: u64,
    /// Whether this trade graduated the curve.
    pub finalized: bool,
    /// Unix seconds of the cluster's clock.
    pub timestamp: i64,
}

/// A graduated curve was migrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MigrateRecord {
    /// The token's mint.
    pub mint: Pubkey,
    /// The fee receiver.
    pub fee_account: Pubkey,
    /// Lamports moved to the fee receiver.
    pub sol_amount: u64,
    /// Token base units moved to the fee receiver's token account.
    pub token_amount: u64,
    /// Unix seconds of the cluster's clock.
    pub timestamp: i64,
}

/// A curve was moved to its pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraduateRecord {
    /// The token's mint.
    pub mint: Pubkey,
    /// The token's pool.
    pub pool: Pubkey,
    /// Initial lamports of the pool.
    pub pool_sol: u64,
    /// Initial token base units of the pool.
    pub pool_token: u64,
    /// Lamports moved to the community's WSOL storage.
    pub community_sol: u64,
    /// Token base units moved to the community's token storage.
    pub community_token: u64,
    /// Burnt token base units.
    pub burnt: u64,
    /// Lamports that creating the pool cost.
    pub costs: u64,
    /// Burnt LP token base units.
    pub lp_burnt: u64,
    /// Unix seconds of the cluster's clock.
    pub timestamp: i64,
}

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
    pub const CREATE: [u8; 8] = [215, 219, 57, 58, 149, 231, 70, 147];
    /// `TradeRecord`
    pub const TRADE: [u8; 8] = [190, 168, 133, 228, 17, 212, 185, 128];
    /// `MigrateRecord`
    pub const MIGRATE: [u8; 8] = [156, 225, 187, 205, 220, 254, 47, 216];
    /// `GraduateRecord`
    pub const GRADUATE: [u8; 8] = [208, 221, 100, 92, 165, 146, 73, 102];
}

impl Record {
    /// Decodes a record from its bytes, including the discriminator. `None` for an unknown record or incomplete bytes.
    /// Ignores fields that a later version appends.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        if let Some(fields) = Reader::after(&discriminators::TRADE, bytes) {
            return trade(fields).map(Self::Trade);
        }
        if let Some(fields) = Reader::after(&discriminators::CREATE, bytes) {
            return create(fields).map(Self::Create);
        }
        if let Some(fields) = Reader::after(&discriminators::GRADUATE, bytes) {
            return graduate(fields).map(Self::Graduate);
        }
        Reader::after(&discriminators::MIGRATE, bytes).and_then(migrate).map(Self::Migrate)
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

fn create(mut fields: Reader) -> Option<CreateRecord> {
    Some(CreateRecord {
        mint: fields.pubkey()?,
        creator: fields.pubkey()?,
        token_owner_pda: fields.pubkey()?,
        name: fields.string()?,
        symbol: fields.string()?,
        uri: fields.string()?,
        after_migration_fee: fields.u16()?,
        burn_bp: fields.u16()?,
        holders_bp: fields.u16()?,
        lp_bp: fields.u16()?,
        virtual_sol: fields.u64()?,
        virtual_token: fields.u64()?,
        platform_fee_bps: fields.u16()?,
        timestamp: fields.i64()?,
    })
}

fn trade(mut fields: Reader) -> Option<TradeRecord> {
    Some(TradeRecord {
        mint: fields.pubkey()?,
        trader: fields.pubkey()?,
        is_buy: fields.bool()?,
        sol_amount: fields.u64()?,
        token_amount: fields.u64()?,
        fee: fields.u64()?,
        virtual_sol: fields.u64()?,
        virtual_token: fields.u64()?,
        finalized: fields.bool()?,
        timestamp: fields.i64()?,
    })
}

fn migrate(mut fields: Reader) -> Option<MigrateRecord> {
    Some(MigrateRecord {
        mint: fields.pubkey()?,
        fee_account: fields.pubkey()?,
        sol_amount: fields.u64()?,
        token_amount: fields.u64()?,
        timestamp: fields.i64()?,
    })
}

fn graduate(mut fields: Reader) -> Option<GraduateRecord> {
    Some(GraduateRecord {
        mint: fields.pubkey()?,
        pool: fields.pubkey()?,
        pool_sol: fields.u64()?,
        pool_token: fields.u64()?,
        community_sol: fields.u64()?,
        community_token: fields.u64()?,
        burnt: fields.u64()?,
        costs: fields.u64()?,
        lp_burnt: fields.u64()?,
        timestamp: fields.i64()?,
    })
}
