//! The log records. For creations, trades and graduations a program calls its own `validate_log_record`: only its PDA can
//! sign this call, so no other program can forge a record. Migrations are `Program data:` lines.
//!
//! Each record is a list of fields, from which this crate makes the type, and the programs make Anchor's event for the IDL.

use alloc::string::String;

use bytemuck::{Pod, Zeroable};
use solana_address::Address as Pubkey;

use crate::{Fixed, Read};

/// Passes the fields of a `CreateRecord` to a macro.
#[macro_export]
macro_rules! create_record {
    ($declare:ident) => {
        $declare! {
            /// A token was created.
            CreateRecord = [215, 219, 57, 58, 149, 231, 70, 147] {
                mint: Pubkey,
                creator: Pubkey,
                /// The curve account.
                token_owner_pda: Pubkey,
                name: String,
                symbol: String,
                uri: String,
                /// Share of the migrated liquidity for the community storages, in basis points.
                after_migration_fee: u16,
                /// Burned share of a settlement's tokens, in basis points.
                burn_bp: u16,
                /// Holders' share of a settlement, in basis points. Kept here only, not on chain.
                holders_bp: u16,
                /// Liquidity's share of a settlement, in basis points. Kept here only, not on chain.
                lp_bp: u16,
                /// Initial virtual SOL reserve in lamports.
                virtual_sol: u64,
                /// Initial virtual token reserve in smallest units.
                virtual_token: u64,
                /// Platform fee at creation, in basis points.
                platform_fee_bps: u16,
                /// Unix seconds of the cluster's clock.
                timestamp: i64,
            }
        }
    };
}

/// Passes the fields of a `TradeRecord` to a macro.
#[macro_export]
macro_rules! trade_record {
    ($declare:ident) => {
        $declare! {
            /// Tokens were bought or sold.
            TradeRecord / TradeRecordBytes = [190, 168, 133, 228, 17, 212, 185, 128] {
                mint: Pubkey,
                trader: Pubkey,
                is_buy: bool,
                /// Lamports that the trader paid or received, fee and all.
                sol_amount: u64,
                /// Token units that the trader received or paid.
                token_amount: u64,
                /// Lamports that went to the fee receiver.
                fee: u64,
                /// Virtual SOL reserve afterwards.
                virtual_sol: u64,
                /// Virtual token reserve afterwards.
                virtual_token: u64,
                /// Whether this trade graduated the curve.
                finalized: bool,
                /// Unix seconds of the cluster's clock.
                timestamp: i64,
            }
        }
    };
}

/// Passes the fields of a `MigrateRecord` to a macro.
#[macro_export]
macro_rules! migrate_record {
    ($declare:ident) => {
        $declare! {
            /// A graduated curve was emptied. Logged with `sol_log_data`: the instruction has no log authority in its accounts.
            MigrateRecord / MigrateRecordBytes = [156, 225, 187, 205, 220, 254, 47, 216] {
                mint: Pubkey,
                fee_account: Pubkey,
                /// Lamports moved to the fee receiver.
                sol_amount: u64,
                /// Token units moved to the fee receiver's token account.
                token_amount: u64,
                /// Unix seconds of the cluster's clock.
                timestamp: i64,
            }
        }
    };
}

/// Passes the fields of a `GraduateRecord` to a macro.
#[macro_export]
macro_rules! graduate_record {
    ($declare:ident) => {
        $declare! {
            /// A curve went to its pool. While the rent is what it was at the token's creation, all lamports that left the curve
            /// are `pool_sol + community_sol + costs`. All tokens are `pool_token + community_token + burnt`.
            GraduateRecord / GraduateRecordBytes = [208, 221, 100, 92, 165, 146, 73, 102] {
                mint: Pubkey,
                pool: Pubkey,
                /// Lamports that the pool was opened with. What somebody sent ahead to its vault is in it besides.
                pool_sol: u64,
                /// Token units that the pool was opened with.
                pool_token: u64,
                /// Lamports that the community's WSOL storage gained, after a change of the rent by what its reserve moved too.
                community_sol: u64,
                /// Token units that the community's own storage gained.
                community_token: u64,
                /// Token units burnt.
                burnt: u64,
                /// Lamports that opening the pool costs: the AMM's fee and the rents of its accounts.
                costs: u64,
                /// LP units burnt: all that there were.
                lp_burnt: u64,
                /// Unix seconds of the cluster's clock.
                timestamp: i64,
            }
        }
    };
}

create_record!(tagged);
trade_record!(fixed);
migrate_record!(fixed);
graduate_record!(fixed);
